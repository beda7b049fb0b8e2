//! What a search over configurations sees of one: all that decides how the machine goes on.

use speclex_codegen::machine::{Body, FieldId, RegisterId, StateId, TokenId};

use super::Interpreter;
use super::input::Next;
use super::registers::Register;
use crate::token::{Output, Value};

/// A register, as far as it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterValue<'a> {
    /// A string.
    Text(&'a str),
    /// A number.
    Number(u32),
    /// Anything of a few values, as its index or code point plus one; 0 is none.
    Small(u32),
}

/// The names of a token's attributes.
#[derive(Clone, Debug)]
pub(crate) struct AttributeNames<'a> {
    /// Whether it has any attribute.
    pub(crate) any: bool,
    /// The attribute under construction.
    pub(crate) current: Option<&'a str>,
    /// Those before it, sorted.
    pub(crate) earlier: Vec<&'a str>,
}

impl<'m, H> Interpreter<'m, H> {
    /// The state it is in; `None` at the end.
    pub(crate) fn state(&self) -> Option<StateId> {
        self.state
    }

    /// The body whose end waits for more input, and how many characters its state has consumed.
    pub(crate) fn waiting(&self) -> Option<(&'m Body, usize)> {
        let step = self.step.as_ref()?;
        Some((step.body, self.place.saturating_sub(step.start)))
    }

    /// The characters that are there but not consumed.
    pub(crate) fn unread(&self) -> impl Iterator<Item = char> {
        (self.place..).map_while(|place| match self.input.at(place) {
            Next::Char(c) => Some(c),
            Next::End | Next::Unknown => None,
        })
    }

    /// Up to `count` characters that were consumed last, the last one first.
    pub(crate) fn consumed(&self, count: usize) -> impl Iterator<Item = char> {
        (0..count).map_while(|back| self.input.before(self.place.checked_sub(back)?))
    }

    /// How many characters were consumed since the mark.
    pub(crate) fn since_mark(&self) -> Option<usize> {
        Some(self.place.saturating_sub(self.mark?))
    }

    /// A register.
    pub(crate) fn register(&self, id: RegisterId) -> Option<RegisterValue<'_>> {
        Some(match self.registers.get(id)? {
            Register::Text(text) => RegisterValue::Text(text),
            Register::State(state) => RegisterValue::Small(state.map_or(0, |state| state.0 + 1)),
            Register::Number(number) => RegisterValue::Number(*number),
            Register::Character(character) => {
                RegisterValue::Small(character.map_or(0, |c| c as u32 + 1))
            }
            Register::Finite(value) => RegisterValue::Small(value + 1),
        })
    }

    /// The kind of a token under construction.
    pub(crate) fn kind(&self, token: TokenId) -> Option<u32> {
        Some(self.tokens.get(token).ok()?.kind)
    }

    /// The name of a token under construction.
    pub(crate) fn name(&self, token: TokenId) -> Option<&str> {
        self.tokens.get(token).ok()?.name()
    }

    /// Whether a flag is set.
    pub(crate) fn flag(&self, field: FieldId) -> bool {
        (self.tokens.field(field)).is_ok_and(|value| *value == Value::Flag(true))
    }

    /// All fields of a token under construction.
    pub(crate) fn fields(&self, token: TokenId) -> &[Value] {
        self.tokens.get(token).map_or(&[], |it| it.fields())
    }

    /// The attribute under construction of a token, if it was not dropped: its name and value.
    pub(crate) fn current_attribute(&self, token: TokenId) -> Option<&(String, String)> {
        self.tokens.get(token).ok()?.current_attribute()
    }

    /// The host.
    pub(crate) fn watched(&self) -> &H {
        &self.host
    }

    /// What came out so far.
    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// The names of a token's attributes.
    pub(crate) fn attribute_names(&self, token: TokenId) -> Option<AttributeNames<'_>> {
        let token = self.tokens.get(token).ok()?;
        let mut earlier: Vec<_> = token.earlier_names().collect();
        earlier.sort_unstable();
        Some(AttributeNames {
            any: !token.attributes().is_empty(),
            current: token.current_attribute().map(|(name, _)| name.as_str()),
            earlier,
        })
    }

    /// The name of the last start tag.
    pub(crate) fn last_start_tag(&self) -> Option<&[char]> {
        self.last_start_tag.as_deref()
    }
}
