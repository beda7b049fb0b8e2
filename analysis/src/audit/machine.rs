//! The facts of a machine.

use std::collections::HashMap;

use speclex_codegen::machine::Target as Successor;
use speclex_codegen::machine::{
    Action, Body as MachineBody, Machine, Next, RegisterId, State as MachineState, StateId,
    StateKind,
};

use super::facts::{Arm, Body, Consume, Facts, Literal, OnEmit, Said, State, Step, To};

/// The name by which both sides know the number of a numeric character reference, whatever the table calls
/// its register.
pub(crate) const CODE: &str = "character reference code";

/// The name of the state that another part of it leads to.
pub(crate) const FIRST: &str = ", first";

/// Reads a machine.
pub(crate) fn facts(machine: &Machine) -> Facts {
    let reader = Reader {
        machine,
        code: code_register(machine),
        names: (machine.states.iter().enumerate())
            .map(|(index, state)| (state.name.as_str(), index))
            .collect(),
    };
    let mut facts = Facts::default();
    for state in &machine.states {
        if !reader.is_part(state) {
            facts.states.push(reader.state(state));
        }
    }
    let said = |what| Said { line: 0, what };
    for on_emit in &machine.on_emit {
        let kind = reader.kind(on_emit.token, on_emit.kind);
        for (guard, actions) in &on_emit.steps {
            facts.stream.on_emit.extend(actions.iter().map(|action| {
                said(OnEmit {
                    kind: kind.clone(),
                    guard: guard.as_ref().map(|guard| reader.guard(guard)),
                    act: reader.act(action),
                })
            }));
        }
    }
    facts
}

/// The register that numbers are read into: the one that is multiplied.
fn code_register(machine: &Machine) -> Option<RegisterId> {
    fn find(body: &MachineBody) -> Option<RegisterId> {
        let own = body.actions.iter().find_map(|action| match action {
            Action::Multiply(register, _) | Action::AddDigit(register) => Some(*register),
            _ => None,
        });
        own.or_else(|| match &body.next {
            Next::If {
                then, otherwise, ..
            } => find(then).or_else(|| find(otherwise)),
            Next::Go { .. } => None,
        })
    }
    let bodies = machine.states.iter().flat_map(|state| match &state.kind {
        StateKind::Consume(consume) => consume.arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    });
    bodies.into_iter().find_map(find)
}

pub(crate) struct Reader<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) code: Option<RegisterId>,
    names: HashMap<&'m str, usize>,
}

/// Whether `part` is a branch of `state`.
fn has_branch(state: &MachineState, part: &MachineState) -> bool {
    matches!(state.kind, StateKind::Steps(_))
        && (part.name.strip_prefix(state.name.as_str())).is_some_and(|rest| rest.starts_with(", "))
}

impl Reader<'_> {
    pub(crate) fn at(&self, id: StateId) -> &MachineState {
        &self.machine.states[id.0 as usize]
    }

    /// The first part of a state.
    fn first_of(&self, state: &MachineState) -> Option<&MachineState> {
        let index = self.names.get(format!("{}{FIRST}", state.name).as_str())?;
        self.machine.states.get(*index)
    }

    /// Whether a state of the machine is a part of one that is read as a whole.
    fn is_part(&self, state: &MachineState) -> bool {
        let owner = |name: &str| {
            let index = self.names.get(name)?;
            self.machine.states.get(*index)
        };
        if let Some(whole) = state.name.strip_suffix(FIRST)
            && owner(whole).is_some_and(|whole| whole.origin == state.origin)
        {
            return true;
        }
        let cuts = state.name.match_indices(", ");
        let mut owners = cuts.filter_map(|(at, _)| owner(&state.name[..at]));
        owners.any(|owner| owner.origin == state.origin && has_branch(owner, state))
    }

    fn state(&self, state: &MachineState) -> State {
        let entry = match self.first_of(state).map(|first| &first.kind) {
            Some(StateKind::Steps(body)) => self.entry_steps(state, body),
            _ => Vec::new(),
        };
        State {
            name: state.name.clone(),
            section: self.section(state),
            inner: state.origin != state.name,
            entry,
            body: match &state.kind {
                StateKind::Steps(body) => self.branches(state, body),
                kind => self.kind_of(state, kind),
            },
            ..State::default()
        }
    }

    /// The number, which all parts have.
    fn section(&self, state: &MachineState) -> String {
        let parts = self.machine.states.iter().filter(|part| {
            part.name.len() > state.name.len()
                && part.name.starts_with(&state.name)
                && part.origin == state.origin
                && (has_branch(state, part) || part.name.ends_with(FIRST))
                && self.is_part(part)
        });
        let other = parts
            .map(|part| &part.section)
            .find(|own| **own != state.section);
        match other {
            Some(other) => format!("{} and {other}", state.section),
            None => state.section.clone(),
        }
    }

    fn branches(&self, state: &MachineState, body: &MachineBody) -> Body {
        if let Next::If {
            guard,
            then,
            otherwise,
        } = &body.next
            && body.actions.is_empty()
            && self.leads_to_branch(state, body)
        {
            return Body::Branch(
                self.guard(guard),
                Box::new(self.branches(state, then)),
                Box::new(self.branches(state, otherwise)),
            );
        }
        if let Some(part) = self.branch(state, body) {
            return self.kind_of(part, &part.kind);
        }
        Body::Steps(self.steps(state, body))
    }

    /// The branch that a body does nothing but lead to.
    fn branch(&self, state: &MachineState, body: &MachineBody) -> Option<&MachineState> {
        match &body.next {
            Next::Go {
                target: Successor::State(id),
                reconsume: false,
            } if body.actions.is_empty() => {
                Some(self.at(*id)).filter(|part| has_branch(state, part))
            }
            _ => None,
        }
    }

    fn leads_to_branch(&self, state: &MachineState, body: &MachineBody) -> bool {
        match &body.next {
            Next::If {
                then, otherwise, ..
            } => self.leads_to_branch(state, then) || self.leads_to_branch(state, otherwise),
            Next::Go { .. } => self.branch(state, body).is_some(),
        }
    }

    fn kind_of(&self, state: &MachineState, kind: &StateKind) -> Body {
        let arm = |label: &str, body: &MachineBody| Arm {
            label: label.to_owned(),
            steps: self.steps(state, body),
            ..Arm::default()
        };
        match kind {
            StateKind::Steps(body) => Body::Steps(self.steps(state, body)),
            StateKind::Match { matched, unmatched } => Body::Match {
                matched: arm("match", matched),
                unmatched: arm("no match", unmatched),
            },
            StateKind::Consume(consume) => {
                let mut arms: Vec<Arm> = consume
                    .literals
                    .iter()
                    .map(|literal| {
                        let mut arm = arm(&format!("\"{}\"", literal.text), &literal.body);
                        arm.steps.insert(0, Step::ConsumeAll);
                        arm.literal = Some(Literal {
                            text: literal.text.clone(),
                            ignore_case: literal.ignore_case,
                        });
                        arm
                    })
                    .collect();
                arms.extend(consume.arms.iter().map(|one| Arm {
                    set: one.set.clone(),
                    peeked: one.peeked,
                    ..arm(&one.label, &one.body)
                }));
                arms.push(Arm {
                    eof: true,
                    ..arm("EOF", &consume.eof)
                });
                Body::Consume(Consume {
                    looks: false,
                    arms,
                    anything_else: None,
                })
            }
        }
    }

    /// The steps of a first part; where it leads is said only if it is not the state.
    fn entry_steps(&self, state: &MachineState, body: &MachineBody) -> Vec<Step> {
        let mut steps: Vec<_> = body.actions.iter().map(|a| Step::Do(self.act(a))).collect();
        match &body.next {
            Next::If {
                guard,
                then,
                otherwise,
            } => steps.push(Step::If(
                self.guard(guard),
                self.entry_steps(state, then),
                self.entry_steps(state, otherwise),
            )),
            Next::Go { target, .. } => {
                if self.to(state, *target) != To::Stay {
                    steps.push(Step::Go(To::State(format!("{}, astray", state.name))));
                }
            }
        }
        steps
    }

    fn steps(&self, state: &MachineState, body: &MachineBody) -> Vec<Step> {
        let mut steps: Vec<_> = body.actions.iter().map(|a| Step::Do(self.act(a))).collect();
        match &body.next {
            Next::If {
                guard,
                then,
                otherwise,
            } => steps.push(Step::If(
                self.guard(guard),
                self.steps(state, then),
                self.steps(state, otherwise),
            )),
            Next::Go { target, reconsume } => {
                steps.push(Step::Go(self.to(state, *target)));
                if *reconsume {
                    steps.push(Step::Reconsume);
                }
            }
        }
        steps
    }

    fn to(&self, state: &MachineState, target: Successor) -> To {
        let id = match target {
            Successor::State(id) => id,
            Successor::Register(register) => return To::Register(self.register(register)),
            Successor::End => return To::End,
        };
        let target = self.at(id);
        if target.name == state.name {
            return To::Stay;
        }
        match target.name.strip_suffix(FIRST) {
            Some(whole) if self.names.contains_key(whole) => To::State(whole.to_owned()),
            // Into the middle of a state that has steps on entering.
            _ if self.first_of(target).is_some() => To::State(format!("{}, inside", target.name)),
            _ => To::State(target.name.clone()),
        }
    }
}
