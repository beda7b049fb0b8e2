//! Actions, guards and values of a machine as facts.

use speclex_codegen::machine::{
    Action, AttributePart, FieldId, Guard, RegisterId, RegisterType, StateId, TokenId, Value,
};

use super::facts::{Act, Cond, Piece, Target, literal};
use super::machine::{CODE, FIRST, Reader};

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

    pub(crate) fn is_call(&self, id: RegisterId) -> bool {
        self.machine.registers[id.0 as usize]
            .name
            .starts_with("call of ")
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

    pub(crate) fn write(&self, target: Target, set: bool, value: &Value) -> Act {
        Act::Write {
            target,
            set,
            value: self.value(value),
        }
    }

    pub(crate) fn act(&self, action: &Action) -> Act {
        let field = |id: &FieldId| {
            let (token, field) = self.field(*id);
            Target::Field(token, field)
        };
        let attribute = |part: &AttributePart| match part {
            AttributePart::Name => Target::AttributeName,
            AttributePart::Value => Target::AttributeValue,
        };
        match action {
            Action::Error(id) => Act::Error(self.machine.errors[id.0 as usize].clone()),
            Action::EmitText(value) => Act::EmitText(self.value(value)),
            Action::Emit(id) => Act::Emit(Some(self.token(*id))),
            Action::SetKind(id, kind) => Act::SetKind(self.kind(*id, *kind)),
            Action::EmitEof => Act::EmitEof,
            Action::Create(id, kind) => Act::Create(self.kind(*id, *kind)),
            Action::StartAttribute(_) => Act::StartAttribute,
            Action::DropAttribute(_) => Act::DropAttribute,
            Action::Append(id, value) => self.write(field(id), false, value),
            Action::Set(id, value) => self.write(field(id), true, value),
            Action::AppendAttribute(_, part, value) => self.write(attribute(part), false, value),
            Action::SetAttribute(_, part, value) => self.write(attribute(part), true, value),
            Action::SetFlag(id, on) => Act::Flag(self.field(*id).1, *on),
            Action::AppendRegister(id, value) => {
                self.write(Target::Register(self.register(*id)), false, value)
            }
            Action::SetText(id, value) => {
                self.write(Target::Register(self.register(*id)), true, value)
            }
            Action::SetState(id, state) => {
                let register = self.register(*id);
                let name = &self.at(*state).name;
                let name = name.strip_suffix(FIRST).unwrap_or(name).to_owned();
                match register.strip_prefix("state that switched to ") {
                    Some(to) => Act::Back(to.to_owned(), name),
                    None => Act::SetState(register, name),
                }
            }
            Action::SetNumber(id, number) => Act::SetNumber(self.register(*id), *number),
            Action::Multiply(id, by) => Act::Multiply(self.register(*id), *by),
            Action::AddDigit(id) => Act::AddDigit(self.register(*id)),
            Action::Increase(id) => Act::Increase(self.register(*id)),
            Action::Decrease(id) => Act::Decrease(self.register(*id)),
            Action::Replace(id) => Act::Replace(self.register(*id)),
            Action::SetCharacter(_, character) => Act::SetAllowed(*character),
            Action::SetFinite(id, word) if self.is_call(*id) => Act::Call(self.word(*id, *word)),
            Action::SetFinite(id, word) => Act::SetWord(self.register(*id), self.word(*id, *word)),
            Action::Mark => Act::Mark,
            Action::Rewind => Act::Rewind,
        }
    }

    pub(crate) fn guard(&self, guard: &Guard) -> Cond {
        let name = |id: &StateId| self.at(*id).name.clone();
        match guard {
            Guard::AppropriateEndTag(_) => Cond::Appropriate,
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => Cond::TextIs {
                register: self.register(*register),
                any_of: any_of.clone(),
                ignore_case: *ignore_case,
            },
            Guard::FiniteIs(id, words) => {
                let names = words.iter().map(|word| self.word(*id, *word)).collect();
                match self.is_call(*id) {
                    true => Cond::Caller(names),
                    false => Cond::WordIs(self.register(*id), names),
                }
            }
            Guard::StateIs(id, states) => {
                Cond::StateIs(self.register(*id), states.iter().map(name).collect())
            }
            Guard::NumberIn(id, ranges) => Cond::NumberIn(self.register(*id), ranges.clone()),
            Guard::HasReplacement(id) => Cond::HasReplacement(self.register(*id)),
            Guard::CurrentIn(set) => Cond::CurrentIn(set.clone()),
            Guard::CurrentIsCharacter(_) => Cond::CurrentIsAllowed,
            Guard::LastMatchedIn(set) => Cond::LastMatched(set.clone()),
            Guard::NextIn { set, eof } => Cond::Next(set.clone(), *eof),
            Guard::NextAre { run, then } => Cond::NextAre(run.clone(), then.clone()),
            Guard::NextIsLastStartTag { followed_by, eof } => {
                Cond::NextIsNameThen(followed_by.clone(), *eof)
            }
            Guard::StartTagEmitted => Cond::StartTagEmitted,
            Guard::LastConsumed(text) => Cond::LastConsumed(text.clone()),
            Guard::Question(index) => {
                Cond::Question(self.machine.vocabulary.questions[*index as usize].clone())
            }
            Guard::DuplicateAttribute(_) => Cond::Duplicate,
            Guard::HasAttributes(_) => Cond::HasAttributes,
            Guard::FlagIs(id) => Cond::FlagIs(self.field(*id).1),
            Guard::KindIs(token, kind) => {
                Cond::KindIs(self.token(*token), self.kind(*token, *kind))
            }
            Guard::Not(inner) => self.guard(inner).negated(),
            Guard::All(all) => Cond::All(all.iter().map(|g| self.guard(g)).collect()),
            Guard::Any(any) => Cond::Any(any.iter().map(|g| self.guard(g)).collect()),
        }
    }
}
