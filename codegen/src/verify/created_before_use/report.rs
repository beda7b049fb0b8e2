//! What is missing, and on which path.

use super::{Analysis, Config, Follows, Need};
use crate::diagnostic::{Code, Faults};
use crate::machine::StateId;
use std::collections::BTreeSet;

/// Where more arms lead, none is the place for what is missing.
const MOST_ARMS: usize = 3;

impl Analysis<'_> {
    pub(super) fn report(self, faults: &mut Faults) {
        for (need, span, config) in &self.missing {
            let (token, code) = match need {
                Need::Token(token) => (token, Code::TokenNotCreated),
                Need::Attribute(token) => (token, Code::AttributeNotStarted),
            };
            let Some(token) = self.checked.vocabulary.tokens.get(token.0 as usize) else {
                continue;
            };
            let (what, cure) = match need {
                Need::Token(_) => {
                    let kind = match token.kinds.as_slice() {
                        [kind] => kind.name.as_str(),
                        _ => "KIND",
                    };
                    let an = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) {
                        "an"
                    } else {
                        "a"
                    };
                    (
                        format!("no {} token", token.name),
                        format!("`create {an} {kind} token`"),
                    )
                }
                Need::Attribute(_) => (
                    "no attribute".to_owned(),
                    "`start a new attribute`".to_owned(),
                ),
            };
            faults
                .add(
                    code,
                    *span,
                    format!("there may be {what} under construction here"),
                )
                .label("used before it is created, or after it was emitted")
                .help(format!(
                    "there is none after the states {}{}; {}",
                    self.path_without(*need, config),
                    match self.follows {
                        Follows::Combinations => "",
                        Follows::States =>
                            " (registers have too many combinations to follow their values)",
                    },
                    match self.arms_without(*need, config.state) {
                        Some(arms) => format!("put {cure} there, in {arms}, or before this step"),
                        None => format!("put {cure} before this step"),
                    }
                ));
        }
        for (token, span) in &self.lost {
            let Some(token) = self.checked.vocabulary.tokens.get(token.0 as usize) else {
                continue;
            };
            let name = &token.name;
            let message = format!("the {name} token under construction is lost here");
            faults.add(Code::TokenLost, *span, message).help(format!(
                "`a` creates another one, which is emitted in its place: say `emit the {name} token`"
            ));
        }
    }

    /// The arms that lead to a state, if none of them brings what is needed.
    fn arms_without(&self, need: Need, to: StateId) -> Option<String> {
        let entered = self.entered.get(&to)?.iter();
        let others: Vec<_> = entered.filter(|(from, ..)| *from != to).collect();
        let is_entry = self.lowered.entries.iter().any(|entry| entry.state == to);
        if is_entry || others.iter().any(|(.., exists)| exists.has(need)) {
            return None;
        }
        let arms: BTreeSet<(StateId, usize)> =
            others.iter().map(|&&(from, by, _)| (from, by)).collect();
        let arms = arms.into_iter().map(|(from, by)| {
            let state = self.lowered.states.get(from.0 as usize)?;
            Some(format!("`{}` of `{}`", state.label(by)?, state.name))
        });
        let arms: Vec<String> = arms.collect::<Option<_>>()?;
        (1..=MOST_ARMS)
            .contains(&arms.len())
            .then(|| arms.join(" and "))
    }

    /// How a state is reached without what is needed.
    fn path_without(&self, need: Need, config: &Config) -> String {
        let mut path = vec![config.state];
        let mut seen = BTreeSet::from([config]);
        let mut at = config;
        let before = |at: &Config| Some(&**self.came_from.get(at)?.get(&need)?);
        while let Some(before) = before(at) {
            if !seen.insert(before) {
                break;
            }
            path.push(before.state);
            if self.exists.get(before).is_some_and(|e| e.has(need)) {
                break;
            }
            at = before;
        }
        path.reverse();
        let name = |id: StateId| {
            let state = self.lowered.states.get(id.0 as usize);
            state.map(|s| format!("`{}`", s.name)).unwrap_or_default()
        };
        let shown: Vec<String> = match path.as_slice() {
            [first, .., a, b] if path.len() > 6 => {
                vec![name(*first), "…".to_owned(), name(*a), name(*b)]
            }
            _ => path.into_iter().map(name).collect(),
        };
        shown.join(" → ")
    }
}
