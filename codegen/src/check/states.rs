//! States and their arms.

use super::Checker;
use super::model::{Arm, Body, Branch, Checked, Named, Procedure, State};
use super::stream::name;
use crate::diagnostic::{Code, Span};
use crate::lexer::normal;
use crate::lookups::References;
use crate::set_notation;
use crate::written::{self, BranchWord, names};

impl Checker<'_, '_> {
    pub(super) fn checked_model(&mut self, references: &References<'_>) -> Checked {
        let table = self.table;
        let preprocessing = self.preprocessing();
        let replacements = self.replacements();
        let references = self.references(references);
        let section = table.section.as_ref().map(|s| s.text.clone());
        let mut states = Vec::new();
        self.states(&table.states, section.as_deref(), &mut states);
        let mut procedures = Vec::new();
        let mut step_lists = Vec::new();
        for entry in &table.procedures {
            match &entry.value {
                Some(written::Procedure::Steps(steps)) => step_lists.push(self.steps(steps)),
                Some(written::Procedure::States {
                    section: own,
                    states: list,
                }) => {
                    self.procedure = Some(procedures.len());
                    procedures.push(Procedure {
                        name: entry.name.text.clone(),
                        first: Named(states.len()),
                    });
                    if list.is_empty() {
                        self.missing_states(entry.name.span());
                    }
                    // All states of a procedure are in its section.
                    let own = own.as_ref().map(|s| s.text.clone()).or(section.clone());
                    let start = states.len();
                    self.states(list, None, &mut states);
                    for state in &mut states[start..] {
                        if state.section.is_empty() {
                            state.section = own.clone().unwrap_or_default();
                        }
                    }
                    self.procedure = None;
                }
                None => {}
            }
        }
        let mut conditions = Vec::new();
        for (index, entry) in table.conditions.iter().enumerate() {
            let cond = self.condition(index, entry.name.span());
            conditions.extend(cond.map(|cond| (entry.name.text.clone(), cond)));
        }
        let entries = self.entries();
        let contents_after = self.contents_after(&entries);
        let on_emit = self.on_emit();
        let hot = table.hot.iter().flatten();
        let hot = hot.filter_map(|state| self.state(&name(state))).collect();
        self.errata_keys();
        let explanations = self.explanations();
        let said = |text: &Option<written::Text>| text.as_ref().map(|text| text.text.clone());
        Checked {
            name: said(&table.name).unwrap_or_default(),
            title: said(&table.title).unwrap_or_default(),
            vocabulary: self.vocabulary.clone(),
            errors: self.errors.clone(),
            explanations,
            registers: self.registers.clone(),
            preprocessing,
            references,
            replacements,
            entries,
            contents_after,
            on_emit,
            conditions,
            hot,
            states,
            procedures,
            step_lists,
        }
    }

    fn missing_states(&mut self, span: Span) {
        self.fault(Code::MissingBody, span, "the procedure has no states")
            .help("it starts in its first state");
    }

    /// Errata of the table name its keys.
    fn errata_keys(&mut self) {
        let table = self.table;
        for (key, _) in &table.errata {
            if names(written::TOP).all(|name| name != key.text) {
                self.unknown_arm(key, names(written::TOP));
            }
        }
    }

    fn unknown_arm<'n>(&mut self, key: &written::Text, names: impl IntoIterator<Item = &'n str>) {
        let help = crate::suggest::did_you_mean(&key.text, names, || {
            "the key of an erratum is an arm's key, or `state`".to_owned()
        });
        let message = format!(
            "there is no `{}` here that an erratum could be about",
            key.text
        );
        self.fault(Code::UnknownArm, key.at, message).help(help);
    }

    fn states(&mut self, list: &[written::State], parent: Option<&str>, into: &mut Vec<State>) {
        let mut next = parent.map(|parent| format!("{parent}.1"));
        for state in list {
            let own = state.section.as_ref().map(|own| own.text.clone());
            let section = own.or(next).unwrap_or_default();
            next = written::next_section(&section);
            into.push(self.one_state(state, section));
        }
    }

    fn one_state(&mut self, state: &written::State, section: String) -> State {
        let mut steps = |steps: &Option<written::Steps>| {
            steps
                .as_ref()
                .map(|steps| self.steps(steps))
                .unwrap_or_default()
        };
        let first = steps(&state.first);
        let leaving = steps(&state.leaving);
        let body = match &state.body {
            Some(body) => self.body(body, state.name.span()),
            None => {
                if !state.removed {
                    self.fault(Code::MissingBody, state.name.at, "the state does nothing")
                        .help(format!(
                            "say what it does: one of `{}`",
                            written::BODIES.join("`, `")
                        ));
                }
                Body::Unknown
            }
        };
        self.state_errata(state, &body);
        State {
            name: state.name.text.clone(),
            procedure: self.procedure,
            section,
            span: state.name.span(),
            includes: state.includes.unwrap_or(false),
            first,
            leaving,
            body,
        }
    }

    fn state_errata(&mut self, state: &written::State, body: &Body) {
        let mut labels = vec!["state".to_owned()];
        labels.extend(names(written::STATE).map(str::to_owned));
        arm_labels(body, &mut labels);
        for (key, _) in &state.errata {
            let label = self.errata_label(key);
            if !labels.contains(&label) {
                self.unknown_arm(key, labels.iter().map(String::as_str));
            }
        }
    }

    /// The key of an erratum in the spelling of labels.
    fn errata_label(&self, key: &written::Text) -> String {
        let mut ignored = crate::diagnostic::Faults::default();
        display_label(&set_notation::parse(&key.text, key.span(), &mut ignored))
    }

    fn body(&mut self, body: &written::Body, span: Span) -> Body {
        match body {
            written::Body::Consume(arms) => Body::Arms {
                look_ahead: false,
                arms: self.arms(arms, span, false),
            },
            written::Body::LookAhead(arms) => Body::Arms {
                look_ahead: true,
                arms: self.arms(arms, span, true),
            },
            written::Body::Match { at, arms } => {
                let matched = self.match_arm("match", arms, (*at).into());
                let unmatched = self.match_arm("no match", arms, (*at).into());
                match matched.zip(unmatched) {
                    Some(arms) => Body::Match(Box::new(arms)),
                    None => Body::Unknown,
                }
            }
            written::Body::Steps(steps) => Body::Steps(self.steps(steps)),
            written::Body::Branches(branches) => self.branches(branches),
        }
    }

    fn branches(&mut self, list: &[(written::Branch, written::Body)]) -> Body {
        let mut branches: Vec<(Branch, Body)> = Vec::new();
        for (i, (branch, body)) in list.iter().enumerate() {
            let span = branch.key.span();
            if (branch.word == BranchWord::If) != (i == 0) {
                if i == 0 {
                    branch.refuse_without_if(self.faults);
                } else {
                    let message = "the branches of a state are one `if`";
                    self.fault(Code::MisplacedOtherwise, span, message)
                        .help("say `otherwise if`, and `otherwise` last");
                }
            }
            if branch.word == BranchWord::Otherwise && i + 1 != list.len() {
                self.fault(Code::MisplacedOtherwise, span, "`otherwise` must be last");
            }
            let guard = self.branch_guard(branch);
            let head = Branch {
                guard,
                label: match branch.word {
                    BranchWord::Otherwise => "otherwise".to_owned(),
                    _ => normal(branch.guard()),
                },
                span: branch.guard_span(),
            };
            let body = self.body(body, span);
            branches.push((head, body));
        }
        if let Some((last, _)) = list.last()
            && last.word != BranchWord::Otherwise
        {
            let message = "the branches do not say what happens if no guard holds";
            self.fault(Code::MissingSuccessor, last.key.span(), message)
                .help("the branches of a state end with `otherwise`");
        }
        Body::Branches(branches)
    }

    fn match_arm(&mut self, key: &str, arms: &[written::Arm], span: Span) -> Option<Arm> {
        let Some(arm) = arms.iter().find(|arm| arm.key.text == key) else {
            self.missing_arm(key, span);
            return None;
        };
        Some(Arm {
            label: key.to_owned(),
            span: Some(arm.key.span()),
            steps: self.steps(&arm.steps),
            ..Arm::default()
        })
    }
}

/// The key in one spelling, without `EOF` beside characters.
pub(super) fn display_label(written: &set_notation::Written) -> String {
    let mut shown = written.clone();
    if shown.items.len() > 1 {
        shown
            .items
            .retain(|(item, _)| *item != set_notation::Item::Eof);
    }
    set_notation::label(&shown)
}

fn arm_labels(body: &Body, labels: &mut Vec<String>) {
    match body {
        Body::Arms { arms, .. } => labels.extend(arms.iter().map(|arm| arm.label.clone())),
        Body::Match(_) => labels.extend(["match".to_owned(), "no match".to_owned()]),
        Body::Branches(branches) => {
            for (_, body) in branches {
                arm_labels(body, labels);
            }
        }
        Body::Steps(_) | Body::Unknown => {}
    }
}
