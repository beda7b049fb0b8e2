//! The facts of a machine.

use std::collections::{BTreeMap, HashMap};

use speclex_codegen::machine::{
    Action as MachineAction, AttributePart, Body as MachineBody, FieldId, Guard as MachineGuard,
    Machine, Next, Register, RegisterId, RegisterType, State as MachineState, StateId, StateKind,
    Target as MachineTarget, TokenId, Value,
};

use crate::facts::{
    Action, Arm, Body, CODE, Consume, Facts, Guard, Literal, Located, OnEmit, Piece, Place,
    SWITCHED_TO, State, Step, Successor, literal,
};

/// The name of the state that another part of it leads to.
const FIRST: &str = ", first";

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
    for on_emit in &machine.on_emit {
        let kind = reader.kind(on_emit.token, on_emit.kind);
        for (guard, actions) in &on_emit.steps {
            facts.stream.on_emit.extend(actions.iter().map(|action| {
                let value = OnEmit {
                    kind: kind.clone(),
                    guard: guard.as_ref().map(|guard| reader.guard(guard)),
                    action: reader.action(action),
                };
                Located { line: 0, value }
            }));
        }
    }
    facts
}

/// The words of each variable that has words.
pub(crate) fn finite_values(machine: &Machine) -> BTreeMap<String, Vec<String>> {
    let registers = machine.registers.iter();
    registers
        .filter_map(|register| match &register.ty {
            RegisterType::Finite(words) if !is_call(register) => {
                Some((register.name.clone(), words.clone()))
            }
            _ => None,
        })
        .collect()
}

/// Whether a register holds who attempts a procedure.
fn is_call(register: &Register) -> bool {
    register.name.starts_with("call of ")
}

/// The register that numbers are read into: the one that is multiplied.
fn code_register(machine: &Machine) -> Option<RegisterId> {
    fn find(body: &MachineBody) -> Option<RegisterId> {
        let own = body.actions.iter().find_map(|action| match action {
            MachineAction::Multiply(register, _) | MachineAction::AddDigit(register) => {
                Some(*register)
            }
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
                target: MachineTarget::State(id),
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
        let arm =
            |label: &str, body: &MachineBody| Arm::labelled(label, 0, self.steps(state, body));
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
        self.steps_with(body, &|target, _| match self.to(state, target) {
            Successor::Stay => Vec::new(),
            _ => vec![Step::Go(Successor::State(format!(
                "{}, astray",
                state.name
            )))],
        })
    }

    fn steps(&self, state: &MachineState, body: &MachineBody) -> Vec<Step> {
        self.steps_with(body, &|target, reconsume| {
            let go = Step::Go(self.to(state, target));
            let reconsume = reconsume.then_some(Step::Reconsume);
            std::iter::once(go).chain(reconsume).collect()
        })
    }

    /// The steps of a body; `go` makes those of a successor, of which some are reconsumed in.
    fn steps_with(
        &self,
        body: &MachineBody,
        go: &dyn Fn(MachineTarget, bool) -> Vec<Step>,
    ) -> Vec<Step> {
        let actions = body.actions.iter();
        let mut steps: Vec<_> = actions.map(|a| Step::Do(self.action(a))).collect();
        match &body.next {
            Next::If {
                guard,
                then,
                otherwise,
            } => steps.push(Step::If(
                self.guard(guard),
                self.steps_with(then, go),
                self.steps_with(otherwise, go),
            )),
            Next::Go { target, reconsume } => steps.extend(go(*target, *reconsume)),
        }
        steps
    }

    fn to(&self, state: &MachineState, target: MachineTarget) -> Successor {
        let id = match target {
            MachineTarget::State(id) => id,
            MachineTarget::Register(register) => {
                return Successor::Register(self.register(register));
            }
            MachineTarget::End => return Successor::End,
        };
        let target = self.at(id);
        if target.name == state.name {
            return Successor::Stay;
        }
        match target.name.strip_suffix(FIRST) {
            Some(whole) if self.names.contains_key(whole) => Successor::State(whole.to_owned()),
            // Into the middle of a state that has steps on entering.
            _ if self.first_of(target).is_some() => {
                Successor::State(format!("{}, inside", target.name))
            }
            _ => Successor::State(target.name.clone()),
        }
    }
}

impl Reader<'_> {
    pub(crate) fn register(&self, id: RegisterId) -> String {
        if Some(id) == self.code {
            return CODE.to_owned();
        }
        self.machine.registers[id.0 as usize].name.clone()
    }

    pub(crate) fn word(&self, id: RegisterId, word: u32) -> String {
        match &self.machine.registers[id.0 as usize].ty {
            RegisterType::Finite(words) => words.get(word as usize).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }

    fn is_call(&self, id: RegisterId) -> bool {
        is_call(&self.machine.registers[id.0 as usize])
    }

    pub(crate) fn token(&self, id: TokenId) -> String {
        self.machine.vocabulary.tokens[id.0 as usize].name.clone()
    }

    pub(crate) fn kind(&self, id: TokenId, kind: u32) -> String {
        let token = &self.machine.vocabulary.tokens[id.0 as usize];
        token.kinds[kind as usize].name.clone()
    }

    pub(crate) fn field(&self, id: FieldId) -> (String, String) {
        let token = &self.machine.vocabulary.tokens[id.token.0 as usize];
        (
            token.name.clone(),
            token.fields[id.field as usize].name.clone(),
        )
    }

    pub(crate) fn value(&self, value: &Value) -> Vec<Piece> {
        vec![match value {
            Value::Current => Piece::Current,
            Value::LowerCurrent => Piece::LowerCurrent,
            Value::Literal(text) => return literal(text),
            Value::Register(id) => Piece::Register(self.register(*id)),
            Value::Code(id) => Piece::Code(self.register(*id)),
            Value::MatchedReplacement => Piece::MatchedReplacement,
            Value::MatchedName => Piece::MatchedName,
            Value::Field(id) => {
                let (token, field) = self.field(*id);
                Piece::Field(token, field)
            }
        }]
    }

    pub(crate) fn write(&self, target: Place, set: bool, value: &Value) -> Action {
        Action::Write {
            target,
            set,
            value: self.value(value),
        }
    }

    pub(crate) fn action(&self, action: &MachineAction) -> Action {
        let field = |id: &FieldId| {
            let (token, field) = self.field(*id);
            Place::Field(token, field)
        };
        let attribute = |part: &AttributePart| match part {
            AttributePart::Name => Place::AttributeName,
            AttributePart::Value => Place::AttributeValue,
        };
        match action {
            MachineAction::Error(id) => Action::Error(self.machine.errors[id.0 as usize].clone()),
            MachineAction::EmitText(value) => Action::EmitText(self.value(value)),
            MachineAction::Emit(id) => Action::Emit(Some(self.token(*id))),
            MachineAction::SetKind(id, kind) => Action::SetKind(self.kind(*id, *kind)),
            MachineAction::EmitEof => Action::EmitEof,
            MachineAction::Create(id, kind) => Action::Create(self.kind(*id, *kind)),
            MachineAction::StartAttribute(_) => Action::StartAttribute,
            MachineAction::DropAttribute(_) => Action::DropAttribute,
            MachineAction::Append(id, value) => self.write(field(id), false, value),
            MachineAction::Set(id, value) => self.write(field(id), true, value),
            MachineAction::AppendAttribute(_, part, value) => {
                self.write(attribute(part), false, value)
            }
            MachineAction::SetAttribute(_, part, value) => self.write(attribute(part), true, value),
            MachineAction::SetFlag(id, on) => Action::Flag(self.field(*id).1, *on),
            MachineAction::AppendRegister(id, value) => {
                self.write(Place::Register(self.register(*id)), false, value)
            }
            MachineAction::SetText(id, value) => {
                self.write(Place::Register(self.register(*id)), true, value)
            }
            MachineAction::SetState(id, state) => {
                let register = self.register(*id);
                let name = &self.at(*state).name;
                let name = name.strip_suffix(FIRST).unwrap_or(name).to_owned();
                match register.strip_prefix(SWITCHED_TO) {
                    Some(to) => Action::Back(to.to_owned(), name),
                    None => Action::SetState(register, name),
                }
            }
            MachineAction::SetNumber(id, number) => Action::SetNumber(self.register(*id), *number),
            MachineAction::Multiply(id, by) => Action::Multiply(self.register(*id), *by),
            MachineAction::AddDigit(id) => Action::AddDigit(self.register(*id)),
            MachineAction::Increase(id) => Action::Increase(self.register(*id)),
            MachineAction::Decrease(id) => Action::Decrease(self.register(*id)),
            MachineAction::Replace(id) => Action::Replace(self.register(*id)),
            MachineAction::SetCharacter(_, character) => Action::SetAllowed(*character),
            MachineAction::SetFinite(id, word) if self.is_call(*id) => {
                Action::Call(self.word(*id, *word))
            }
            MachineAction::SetFinite(id, word) => {
                Action::SetWord(self.register(*id), self.word(*id, *word))
            }
            MachineAction::Mark => Action::Mark,
            MachineAction::Rewind => Action::Rewind,
        }
    }

    pub(crate) fn guard(&self, guard: &MachineGuard) -> Guard {
        let name = |id: &StateId| self.at(*id).name.clone();
        match guard {
            MachineGuard::AppropriateEndTag(_) => Guard::Appropriate,
            MachineGuard::TextIs {
                register,
                any_of,
                ignore_case,
            } => Guard::TextIs {
                register: self.register(*register),
                any_of: any_of.clone(),
                ignore_case: *ignore_case,
            },
            MachineGuard::FiniteIs(id, words) => {
                let names = words.iter().map(|word| self.word(*id, *word)).collect();
                match self.is_call(*id) {
                    true => Guard::Caller(names),
                    false => Guard::WordIs(self.register(*id), names),
                }
            }
            MachineGuard::StateIs(id, states) => {
                Guard::StateIs(self.register(*id), states.iter().map(name).collect())
            }
            MachineGuard::NumberIn(id, ranges) => {
                Guard::NumberIn(self.register(*id), ranges.clone())
            }
            MachineGuard::HasReplacement(id) => Guard::HasReplacement(self.register(*id)),
            MachineGuard::CurrentIn(set) => Guard::CurrentIn(set.clone()),
            MachineGuard::CurrentIsCharacter(_) => Guard::CurrentIsAllowed,
            MachineGuard::LastMatchedIn(set) => Guard::LastMatched(set.clone()),
            MachineGuard::NextIn { set, eof } => Guard::Next(set.clone(), *eof),
            MachineGuard::NextAre { run, then } => Guard::NextAre(run.clone(), then.clone()),
            MachineGuard::NextIsLastStartTag { followed_by, eof } => {
                Guard::NextIsNameThen(followed_by.clone(), *eof)
            }
            MachineGuard::StartTagEmitted => Guard::StartTagEmitted,
            MachineGuard::LastConsumed(text) => Guard::LastConsumed(text.clone()),
            MachineGuard::Question(index) => {
                Guard::Question(self.machine.vocabulary.questions[*index as usize].clone())
            }
            MachineGuard::DuplicateAttribute(_) => Guard::Duplicate,
            MachineGuard::HasAttributes(_) => Guard::HasAttributes,
            MachineGuard::FlagIs(id) => Guard::FlagIs(self.field(*id).1),
            MachineGuard::KindIs(token, kind) => {
                Guard::KindIs(self.token(*token), self.kind(*token, *kind))
            }
            MachineGuard::Not(inner) => self.guard(inner).negated(),
            MachineGuard::All(all) => Guard::All(all.iter().map(|g| self.guard(g)).collect()),
            MachineGuard::Any(any) => Guard::Any(any.iter().map(|g| self.guard(g)).collect()),
        }
    }
}
