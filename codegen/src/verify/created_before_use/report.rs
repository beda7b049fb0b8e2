//! What is missing, and on which path.

use super::{Analysis, Config, Follows, Lost, Need};
use crate::check::article;
use crate::diagnostic::{Code, Faults, Span};
use crate::machine::StateId;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Where more arms lead, none is the place for what is missing.
const MOST_ARMS: usize = 3;

impl Analysis<'_> {
    pub(super) fn report(self, faults: &mut Faults) {
        for ((need, _), uses) in self.by_cause() {
            let Some((first, config)) = uses.first_key_value() else {
                continue;
            };
            let (Need::Token(token) | Need::Attribute(token)) = need;
            let Some(token) = self.checked.vocabulary.tokens.get(token.0 as usize) else {
                continue;
            };
            let (code, what, cure) = match need {
                Need::Token(_) => {
                    let kind = match token.kinds.as_slice() {
                        [kind] => kind.name.as_str(),
                        _ => "KIND",
                    };
                    (
                        Code::TokenNotCreated,
                        format!("no {} token", token.name),
                        match token.fields.as_slice() {
                            [] => format!("`emit {} token`, which creates it,", article(kind)),
                            _ => format!("`create {} token`", article(kind)),
                        },
                    )
                }
                Need::Attribute(_) => (
                    Code::AttributeNotStarted,
                    "no attribute".to_owned(),
                    "`start a new attribute`".to_owned(),
                ),
            };
            let others = match uses.len() - 1 {
                0 => String::new(),
                1 => ", here and in another place".to_owned(),
                count => format!(", here and in {count} other places"),
            };
            let follows = match self.follows {
                Follows::Combinations => "",
                Follows::States => " (registers have too many combinations to follow their values)",
            };
            let place = match self.arms_without(need, config.state) {
                Some(arms) => format!("there, in {arms}, or before this step"),
                None => "before this step".to_owned(),
            };
            faults
                .add(
                    code,
                    *first,
                    format!("there may be {what} under construction here"),
                )
                .label(format!(
                    "used before it is created, or after it was emitted{others}"
                ))
                .help(format!(
                    "there is none after the {}{follows}; put {cure} {place}",
                    self.named(self.path_without(need, config)),
                ));
        }
        // Of a token that is never emitted, its kinds tell.
        let lost = self.lost.iter();
        for (token, span, how) in lost.filter(|(token, ..)| self.emitted.contains(token)) {
            let Some(token) = self.checked.vocabulary.tokens.get(token.0 as usize) else {
                continue;
            };
            let name = &token.name;
            let message = format!("the {name} token under construction is lost here");
            let emit = format!("`emit the {name} token`");
            faults.add(Code::TokenLost, *span, message).help(match how {
                Lost::Emission => {
                    format!("`a` creates another one, which is emitted in its place: say {emit}")
                }
                Lost::Creation => {
                    format!("another one takes its place: put {emit} before this step")
                }
                Lost::End => format!(
                    "the input ends, and no error says so: put {emit} before this step, or an error"
                ),
            });
        }
    }

    /// What is missing, and the places that use it, by the first state of their paths that uses it: a token that is
    /// missing there is missing in the states behind it, too.
    fn by_cause(&self) -> BTreeMap<(Need, StateId), BTreeMap<Span, &Config>> {
        let using: HashSet<(Need, &Config)> = self
            .missing
            .iter()
            .map(|(need, _, config)| (*need, &**config))
            .collect();
        let mut causes: BTreeMap<_, BTreeMap<Span, &Config>> = BTreeMap::new();
        for (need, span, config) in &self.missing {
            let path = self.path_without(*need, config);
            let first = path.into_iter().find(|&at| using.contains(&(*need, at)));
            let state = first.map_or(config.state, |first| first.state);
            let uses = causes.entry((*need, state)).or_default();
            uses.entry(*span).or_insert(config);
        }
        causes
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
    fn path_without<'a>(&'a self, need: Need, config: &'a Config) -> Vec<&'a Config> {
        let mut path = vec![config];
        let mut seen = BTreeSet::from([config]);
        let mut at = config;
        let before = |at: &Config| Some(&**self.came_from.get(at)?.get(&need)?);
        while let Some(before) = before(at) {
            if !seen.insert(before) {
                break;
            }
            path.push(before);
            if self.exists.get(before).is_some_and(|e| e.has(need)) {
                break;
            }
            at = before;
        }
        path.reverse();
        path
    }

    /// A path's states by name.
    fn named(&self, path: Vec<&Config>) -> String {
        let mut path: Vec<StateId> = path.into_iter().map(|config| config.state).collect();
        path.dedup();
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
        match shown.as_slice() {
            [state] => format!("state {state}"),
            states => format!("states {}", states.join(" → ")),
        }
    }
}
