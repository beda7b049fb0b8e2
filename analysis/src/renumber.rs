//! What a table says under other numbers: of states, variables, tokens, codes and contents.

use speclex_codegen::machine::{
    Action, Body, Entry, ErrorId, FieldId, Guard, Next, OnEmit, RegisterId, StateId, StateKind,
    Target, TokenId, Value,
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
    pub(crate) fields: Vec<Vec<u32>>,
    pub(crate) errors: Vec<u32>,
    pub(crate) contents: Vec<u32>,
    pub(crate) questions: Vec<u32>,
}

impl Numbers {
    pub(crate) fn error(&self, id: &mut ErrorId) {
        renumber(&self.errors, &mut id.0);
    }

    pub(crate) fn content(&self, content: &mut u32) {
        renumber(&self.contents, content);
    }

    fn register(&self, id: &mut RegisterId) {
        renumber(&self.registers, &mut id.0);
    }

    fn state(&self, id: &mut StateId) {
        renumber(&self.states, &mut id.0);
    }

    fn token(&self, id: &mut TokenId) {
        renumber(&self.tokens, &mut id.0);
    }

    fn field(&self, id: &mut FieldId) {
        renumber(of(&self.fields, id.token.0), &mut id.field);
        self.token(&mut id.token);
    }

    fn kind(&self, token: &mut TokenId, kind: &mut u32) {
        renumber(of(&self.kinds, token.0), kind);
        self.token(token);
    }

    fn finite<'v>(&self, id: &mut RegisterId, values: impl IntoIterator<Item = &'v mut u32>) {
        let numbers = of(&self.values, id.0);
        values
            .into_iter()
            .for_each(|value| renumber(numbers, value));
        self.register(id);
    }

    pub(crate) fn entry(&self, entry: &mut Entry) {
        self.content(&mut entry.content);
        self.state(&mut entry.state);
        for (register, value) in &mut entry.sets {
            self.finite(register, [value]);
        }
    }

    pub(crate) fn on_emit(&self, on: &mut OnEmit) {
        self.kind(&mut on.token, &mut on.kind);
        for (guard, actions) in &mut on.steps {
            guard.iter_mut().for_each(|guard| self.guard(guard));
            actions.iter_mut().for_each(|action| self.action(action));
        }
    }

    pub(crate) fn kind_of_state(&self, kind: &mut StateKind) {
        match kind {
            StateKind::Steps(body) => self.body(body),
            StateKind::Match { matched, unmatched } => {
                self.body(matched);
                self.body(unmatched);
            }
            StateKind::Consume(consume) => {
                let literals = consume.literals.iter_mut().map(|literal| &mut literal.body);
                let arms = consume.arms.iter_mut().map(|arm| &mut arm.body);
                let all = literals.chain(arms).chain([&mut consume.eof]);
                all.for_each(|body| self.body(body));
            }
        }
    }

    fn body(&self, body: &mut Body) {
        body.actions.iter_mut().for_each(|it| self.action(it));
        match &mut body.next {
            Next::Go { target, .. } => match target {
                Target::State(id) => self.state(id),
                Target::Register(id) => self.register(id),
                Target::End => {}
            },
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                self.guard(guard);
                self.body(then);
                self.body(otherwise);
            }
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Register(id) | Value::Code(id) => self.register(id),
            Value::Field(id) => self.field(id),
            Value::Current
            | Value::LowerCurrent
            | Value::Literal(_)
            | Value::MatchedReplacement
            | Value::MatchedName => {}
        }
    }

    fn action(&self, action: &mut Action) {
        match action {
            Action::Error(id) => self.error(id),
            Action::EmitText(value) => self.value(value),
            Action::Emit(id) | Action::StartAttribute(id) | Action::DropAttribute(id) => {
                self.token(id);
            }
            Action::SetKind(id, kind) | Action::Create(id, kind) => self.kind(id, kind),
            Action::Append(id, value) | Action::Set(id, value) => {
                self.field(id);
                self.value(value);
            }
            Action::AppendAttribute(id, _, value) | Action::SetAttribute(id, _, value) => {
                self.token(id);
                self.value(value);
            }
            Action::SetFlag(id, _) => self.field(id),
            Action::AppendRegister(id, value) | Action::SetText(id, value) => {
                self.register(id);
                self.value(value);
            }
            Action::SetState(id, state) => {
                self.register(id);
                self.state(state);
            }
            Action::SetNumber(id, _)
            | Action::Multiply(id, _)
            | Action::AddDigit(id)
            | Action::Increase(id)
            | Action::Decrease(id)
            | Action::Replace(id)
            | Action::SetCharacter(id, _) => self.register(id),
            Action::SetFinite(id, value) => self.finite(id, [value]),
            Action::EmitEof | Action::Mark | Action::Rewind => {}
        }
    }

    fn guard(&self, guard: &mut Guard) {
        match guard {
            Guard::Not(guard) => self.guard(guard),
            Guard::All(guards) | Guard::Any(guards) => {
                guards.iter_mut().for_each(|guard| self.guard(guard));
            }
            Guard::AppropriateEndTag(id)
            | Guard::DuplicateAttribute(id)
            | Guard::HasAttributes(id) => self.token(id),
            Guard::FiniteIs(id, values) => self.finite(id, values),
            Guard::StateIs(id, states) => {
                self.register(id);
                states.iter_mut().for_each(|state| self.state(state));
            }
            Guard::TextIs { register: id, .. }
            | Guard::NumberIn(id, _)
            | Guard::HasReplacement(id)
            | Guard::CurrentIsCharacter(id) => self.register(id),
            Guard::Question(id) => renumber(&self.questions, id),
            Guard::FlagIs(id) => self.field(id),
            Guard::KindIs(id, kind) => self.kind(id, kind),
            Guard::CurrentIn(_)
            | Guard::LastMatchedIn(_)
            | Guard::NextIn { .. }
            | Guard::NextAre { .. }
            | Guard::NextIsLastStartTag { .. }
            | Guard::StartTagEmitted
            | Guard::LastConsumed(_) => {}
        }
    }
}

fn of(numbers: &[Vec<u32>], index: u32) -> &[u32] {
    numbers.get(index as usize).map_or(&[], Vec::as_slice)
}

/// Puts the number that one gets in its place.
fn renumber(numbers: &[u32], number: &mut u32) {
    *number = numbers.get(*number as usize).copied().unwrap_or(u32::MAX);
}
