//! What a table says under other numbers: of states, variables, tokens, codes and contents.

use speclex_codegen::machine::{
    Action, Body, Consume, Entry, ErrorId, FieldId, Guard, Next, OnEmit, RegisterId, StateId,
    StateKind, Target, TokenId, Value,
};

/// For each number of a table the one that it gets.
#[derive(Default)]
pub(crate) struct Numbers {
    pub(crate) states: Vec<u32>,
    pub(crate) registers: Vec<u32>,
    /// For each register the numbers of its values.
    pub(crate) values: Vec<Vec<u32>>,
    pub(crate) tokens: Vec<u32>,
    pub(crate) kinds: Vec<Vec<u32>>,
    pub(crate) errors: Vec<u32>,
    pub(crate) contents: Vec<u32>,
    pub(crate) questions: Vec<u32>,
}

impl Numbers {
    pub(crate) fn error(&self, id: ErrorId) -> ErrorId {
        ErrorId(number(&self.errors, id.0))
    }

    fn register_id(&self, id: RegisterId) -> RegisterId {
        RegisterId(number(&self.registers, id.0))
    }

    fn state_id(&self, id: StateId) -> StateId {
        StateId(number(&self.states, id.0))
    }

    fn token(&self, id: TokenId) -> TokenId {
        TokenId(number(&self.tokens, id.0))
    }

    fn kind(&self, token: TokenId, kind: u32) -> u32 {
        let kinds = self.kinds.get(token.0 as usize);
        kinds.map_or(u32::MAX, |kinds| number(kinds, kind))
    }

    fn field(&self, id: FieldId) -> FieldId {
        FieldId {
            token: self.token(id.token),
            ..id
        }
    }

    fn finite(&self, register: RegisterId, value: u32) -> u32 {
        let values = self.values.get(register.0 as usize);
        values.map_or(u32::MAX, |values| number(values, value))
    }

    pub(crate) fn entry(&self, entry: &Entry) -> Entry {
        let set = |&(register, value): &(RegisterId, u32)| {
            (self.register_id(register), self.finite(register, value))
        };
        Entry {
            content: number(&self.contents, entry.content),
            state: self.state_id(entry.state),
            sets: entry.sets.iter().map(set).collect(),
        }
    }

    pub(crate) fn on_emit(&self, on: &OnEmit) -> OnEmit {
        let steps = on.steps.iter().map(|(guard, actions)| {
            let guard = guard.as_ref().map(|guard| self.guard(guard));
            (
                guard,
                actions.iter().map(|action| self.action(action)).collect(),
            )
        });
        OnEmit {
            token: self.token(on.token),
            kind: self.kind(on.token, on.kind),
            steps: steps.collect(),
        }
    }

    pub(crate) fn state(&self, kind: &StateKind) -> StateKind {
        match kind {
            StateKind::Steps(body) => StateKind::Steps(self.body(body)),
            StateKind::Match { matched, unmatched } => StateKind::Match {
                matched: self.body(matched),
                unmatched: self.body(unmatched),
            },
            StateKind::Consume(consume) => {
                let mut consume: Consume = consume.clone();
                let literals = consume.literals.iter_mut().map(|literal| &mut literal.body);
                let arms = consume.arms.iter_mut().map(|arm| &mut arm.body);
                for body in literals.chain(arms).chain([&mut consume.eof]) {
                    *body = self.body(body);
                }
                StateKind::Consume(consume)
            }
        }
    }

    fn body(&self, body: &Body) -> Body {
        Body {
            actions: body.actions.iter().map(|it| self.action(it)).collect(),
            next: match &body.next {
                Next::Go { target, reconsume } => Next::Go {
                    target: match *target {
                        Target::State(state) => Target::State(self.state_id(state)),
                        Target::Register(id) => Target::Register(self.register_id(id)),
                        Target::End => Target::End,
                    },
                    reconsume: *reconsume,
                },
                Next::If {
                    guard,
                    then,
                    otherwise,
                } => Next::If {
                    guard: self.guard(guard),
                    then: Box::new(self.body(then)),
                    otherwise: Box::new(self.body(otherwise)),
                },
            },
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Register(id) => Value::Register(self.register_id(*id)),
            Value::Code(id) => Value::Code(self.register_id(*id)),
            Value::Field(id) => Value::Field(self.field(*id)),
            Value::Current
            | Value::LowerCurrent
            | Value::Literal(_)
            | Value::MatchedReplacement
            | Value::MatchedName => value.clone(),
        }
    }

    fn action(&self, action: &Action) -> Action {
        let (token, register) = (|id| self.token(id), |id| self.register_id(id));
        match action {
            Action::Error(id) => Action::Error(self.error(*id)),
            Action::EmitText(value) => Action::EmitText(self.value(value)),
            Action::Emit(id) => Action::Emit(token(*id)),
            Action::SetKind(id, kind) => Action::SetKind(token(*id), self.kind(*id, *kind)),
            Action::Create(id, kind) => Action::Create(token(*id), self.kind(*id, *kind)),
            Action::StartAttribute(id) => Action::StartAttribute(token(*id)),
            Action::DropAttribute(id) => Action::DropAttribute(token(*id)),
            Action::Append(id, value) => Action::Append(self.field(*id), self.value(value)),
            Action::Set(id, value) => Action::Set(self.field(*id), self.value(value)),
            Action::AppendAttribute(id, part, value) => {
                Action::AppendAttribute(token(*id), *part, self.value(value))
            }
            Action::SetAttribute(id, part, value) => {
                Action::SetAttribute(token(*id), *part, self.value(value))
            }
            Action::SetFlag(id, set) => Action::SetFlag(self.field(*id), *set),
            Action::AppendRegister(id, value) => {
                Action::AppendRegister(register(*id), self.value(value))
            }
            Action::SetText(id, value) => Action::SetText(register(*id), self.value(value)),
            Action::SetState(id, state) => Action::SetState(register(*id), self.state_id(*state)),
            Action::SetNumber(id, number) => Action::SetNumber(register(*id), *number),
            Action::Multiply(id, factor) => Action::Multiply(register(*id), *factor),
            Action::AddDigit(id) => Action::AddDigit(register(*id)),
            Action::Increase(id) => Action::Increase(register(*id)),
            Action::Decrease(id) => Action::Decrease(register(*id)),
            Action::Replace(id) => Action::Replace(register(*id)),
            Action::SetCharacter(id, c) => Action::SetCharacter(register(*id), *c),
            Action::SetFinite(id, value) => {
                Action::SetFinite(register(*id), self.finite(*id, *value))
            }
            Action::EmitEof | Action::Mark | Action::Rewind => action.clone(),
        }
    }

    fn guard(&self, guard: &Guard) -> Guard {
        let all = |guards: &[Guard]| guards.iter().map(|guard| self.guard(guard)).collect();
        match guard {
            Guard::Not(guard) => Guard::Not(Box::new(self.guard(guard))),
            Guard::All(guards) => Guard::All(all(guards)),
            Guard::Any(guards) => Guard::Any(all(guards)),
            Guard::AppropriateEndTag(id) => Guard::AppropriateEndTag(self.token(*id)),
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => Guard::TextIs {
                register: self.register_id(*register),
                any_of: any_of.clone(),
                ignore_case: *ignore_case,
            },
            Guard::FiniteIs(id, values) => {
                let values = values.iter().map(|value| self.finite(*id, *value));
                Guard::FiniteIs(self.register_id(*id), values.collect())
            }
            Guard::StateIs(id, states) => {
                let states = states.iter().map(|state| self.state_id(*state));
                Guard::StateIs(self.register_id(*id), states.collect())
            }
            Guard::NumberIn(id, ranges) => Guard::NumberIn(self.register_id(*id), ranges.clone()),
            Guard::HasReplacement(id) => Guard::HasReplacement(self.register_id(*id)),
            Guard::CurrentIsCharacter(id) => Guard::CurrentIsCharacter(self.register_id(*id)),
            Guard::Question(id) => Guard::Question(number(&self.questions, *id)),
            Guard::DuplicateAttribute(id) => Guard::DuplicateAttribute(self.token(*id)),
            Guard::HasAttributes(id) => Guard::HasAttributes(self.token(*id)),
            Guard::FlagIs(id) => Guard::FlagIs(self.field(*id)),
            Guard::KindIs(id, kind) => Guard::KindIs(self.token(*id), self.kind(*id, *kind)),
            Guard::CurrentIn(_)
            | Guard::LastMatchedIn(_)
            | Guard::NextIn { .. }
            | Guard::NextAre { .. }
            | Guard::NextIsLastStartTag { .. }
            | Guard::StartTagEmitted
            | Guard::LastConsumed(_) => guard.clone(),
        }
    }
}

/// The number that one gets.
pub(crate) fn number(numbers: &[u32], index: u32) -> u32 {
    numbers.get(index as usize).copied().unwrap_or(u32::MAX)
}
