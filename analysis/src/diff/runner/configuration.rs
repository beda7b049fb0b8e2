//! One machine while it runs beside another: all that it remembers, cheap to copy.
//!
//! Strings are runs of symbols that know which character of the input they are. That is what lets two
//! strings be compared without knowing their letters.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use crate::diff::facts::Copied;
use speclex_codegen::machine::{AttributePart, Entry, FieldType, Machine, RegisterType, TOO_LARGE};

/// The place of a symbol that is not from the input.
pub(in crate::diff) const LITERAL: u32 = u32::MAX;

/// Places from here on, up to [`LITERAL`], name the number that a character is of, where the number stands for
/// others: which character it is, is not known.
const CODES: u32 = 0xF000_0000;

/// A character of a string under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Symbol {
    pub(in crate::diff) c: char,
    /// Which character of the input it is, or [`LITERAL`], or of which number it is.
    pub(in crate::diff) place: u32,
    /// The number of the variable ([`Copied`]) that it was in when the search last took two inputs for the same, from 1;
    /// else 0. All that the search knows of that variable is that both sides have the same in it, so a match with
    /// another one may be chance.
    pub(in crate::diff) out_of: u16,
}

/// What comes out of a reference, by where its name begins: others like it have other characters.
const REFERENCES: std::ops::Range<u16> = 0xE000..0xF000;

pub(in crate::diff) fn reference(start: u32) -> u16 {
    let count = u32::from(REFERENCES.end - REFERENCES.start);
    REFERENCES.start + (start % count) as u16
}

/// The name of a reference; a number that is written as a character; and the first character of a string that both sides have, of
/// which only the kind is known.
pub(in crate::diff) const NAME: u16 = u16::MAX;
pub(in crate::diff) const NUMBER: u16 = u16::MAX - 1;
pub(in crate::diff) const FIRST: u16 = u16::MAX - 2;

impl Symbol {
    /// Whether it was in no variable yet of which both sides have the same.
    pub(in crate::diff) fn is_as_read(self) -> bool {
        [0, NAME, FIRST].contains(&self.out_of)
    }

    /// Whether it is the character of a number that stands for others.
    pub(in crate::diff) fn is_code(self) -> bool {
        (CODES..LITERAL).contains(&self.place)
    }
}

/// A string.
pub(in crate::diff) type Text = Vec<Symbol>;

/// Its characters.
pub(in crate::diff) fn characters(text: &[Symbol]) -> impl Iterator<Item = char> + '_ {
    text.iter().map(|symbol| symbol.c)
}

/// A number, and which numbers it stands for in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Number {
    pub(in crate::diff) value: u32,
    pub(in crate::diff) low: u32,
    pub(in crate::diff) high: u32,
    /// What it was made of. Two that stand for others are the same if these are, and only then: that they have
    /// the same value may be chance, as with 2 · 2 and 2 + 2.
    origin: u32,
}

impl Number {
    pub(in crate::diff) fn exactly(value: u32) -> Self {
        Self {
            value,
            low: value,
            high: value,
            origin: 0,
        }
    }

    /// Whether two are equal, whichever of the numbers they are that they stand for.
    pub(in crate::diff) fn is_same(self, other: Self) -> bool {
        self.value == other.value && self.identity() == other.identity()
    }

    /// What tells it from all numbers that may be others.
    fn identity(self) -> (bool, u32) {
        match self.is_exact() {
            true => (true, self.value),
            false => (false, self.origin),
        }
    }

    /// The place of its character where it stands for others.
    pub(in crate::diff) fn code_place(self) -> u32 {
        CODES + self.origin % (LITERAL - CODES)
    }

    /// Whether it stands for itself alone.
    pub(in crate::diff) fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// The same for each of the numbers, up to [`TOO_LARGE`]; `change` must not decrease. `what` tells it from all
    /// other changes.
    pub(in crate::diff) fn map(self, what: impl Hash, change: impl Fn(u32) -> u32) -> Self {
        self.with(what, [self.value, self.low, self.high].map(change))
    }

    /// What becomes of it: the value, the least and the greatest number.
    pub(in crate::diff) fn with(self, what: impl Hash, numbers: [u32; 3]) -> Self {
        let [value, low, high] = numbers.map(|number| number.min(TOO_LARGE));
        let mut hasher = DefaultHasher::new();
        (self.identity(), what).hash(&mut hasher);
        Self {
            value,
            low,
            high,
            origin: hasher.finish() as u32,
        }
    }

    /// Lets it stand for all numbers from the least to the greatest. If it stood for itself alone, the place up to
    /// which the input is read tells it from the same number at another time.
    pub(in crate::diff) fn spread(&mut self, (low, high): (u32, u32), place: usize) {
        if self.is_exact() {
            *self = self.with(("spread", place), [self.value, low, high]);
        } else {
            (self.low, self.high) = (low, high);
        }
    }
}

/// What a register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::diff) enum Register {
    Text(Text),
    State(u32),
    Number(Number),
    Character(Option<char>),
    Finite(u32),
}

/// What a field of a token under construction holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::diff) enum Value {
    Text(Text),
    Missing,
    /// Whether a flag is set.
    Flag(bool),
    /// Names and values.
    Attributes(Vec<(Text, Text)>),
}

/// A token under construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Building {
    pub(in crate::diff) kind: u32,
    pub(in crate::diff) fields: Vec<Value>,
    /// Whether the last attribute is the current one.
    pub(in crate::diff) has_current: bool,
}

impl Building {
    pub(in crate::diff) fn attributes(&self) -> &[(Text, Text)] {
        let attributes = self.fields.iter().find_map(|value| match value {
            Value::Attributes(attributes) => Some(attributes.as_slice()),
            _ => None,
        });
        attributes.unwrap_or_default()
    }

    pub(in crate::diff) fn attributes_mut(&mut self) -> Option<&mut Vec<(Text, Text)>> {
        self.fields.iter_mut().find_map(|value| match value {
            Value::Attributes(attributes) => Some(attributes),
            _ => None,
        })
    }

    /// Whether an attribute before the current one has its name.
    pub(in crate::diff) fn has_duplicate(&self) -> bool {
        match self.attributes().split_last() {
            Some(((name, _), earlier)) if self.has_current => earlier
                .iter()
                .any(|(other, _)| characters(other).eq(characters(name))),
            _ => false,
        }
    }
}

/// Where a string is: a register, a field of a token, or the name or value of one of its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) enum TextPlace {
    Register(usize),
    Field(usize, usize),
    Name(usize, usize),
    Value(usize, usize),
}

/// All that one machine remembers.
#[derive(Clone, Debug)]
pub(in crate::diff) struct Configuration {
    /// `None` after the end.
    pub(in crate::diff) state: Option<u32>,
    /// The place of the next input character.
    pub(in crate::diff) place: u32,
    /// The place before which all characters have been checked for errors of the input stream.
    pub(in crate::diff) delivered: u32,
    pub(in crate::diff) mark: Option<u32>,
    pub(in crate::diff) token_start: u32,
    /// Where the last token ended; a machine may put back what is before that.
    pub(in crate::diff) emitted: u32,
    /// Index of the reference matched last, and where its name starts.
    pub(in crate::diff) matched: Option<(u32, u32)>,
    /// Shared until it changes, as tokens are: a copy of the configuration is made for every character that is tried.
    registers: Rc<Vec<Register>>,
    pub(in crate::diff) tokens: Rc<Vec<Rc<Building>>>,
    pub(in crate::diff) last_start_tag: Option<Rc<Text>>,
    /// The span of the character tokens emitted since the last other token.
    pub(in crate::diff) run: Option<(u32, u32)>,
    /// Steps taken.
    pub(in crate::diff) steps: u32,
    /// Steps since one that got on.
    pub(in crate::diff) idle: u32,
}

/// The initial values of a token's fields.
pub(in crate::diff) fn initial_fields(machine: &Machine, token: usize) -> Vec<Value> {
    let token = machine.vocabulary.tokens.get(token);
    let fields = token.into_iter().flat_map(|token| &token.fields);
    fields
        .map(|field| match field.ty {
            FieldType::Text => Value::Text(Text::new()),
            FieldType::OptionalText => Value::Missing,
            FieldType::Flag => Value::Flag(false),
            FieldType::Attributes => Value::Attributes(Vec::new()),
        })
        .collect()
}

impl Configuration {
    /// The start, in the initial state.
    pub(in crate::diff) fn new(machine: &Machine) -> Self {
        let initial = machine.entries.first().map(|entry| entry.state.0);
        let registers = machine.registers.iter().map(|register| match register.ty {
            RegisterType::Text => Register::Text(Text::new()),
            RegisterType::State => Register::State(initial.unwrap_or_default()),
            RegisterType::Number => Register::Number(Number::exactly(0)),
            RegisterType::Character => Register::Character(None),
            RegisterType::Finite(_) => Register::Finite(0),
        });
        let tokens = (0..machine.vocabulary.tokens.len()).map(|token| {
            Rc::new(Building {
                kind: 0,
                fields: initial_fields(machine, token),
                has_current: false,
            })
        });
        let mut start = Self {
            state: initial,
            place: 0,
            delivered: 0,
            mark: None,
            token_start: 0,
            emitted: 0,
            matched: None,
            registers: Rc::new(registers.collect()),
            tokens: Rc::new(tokens.collect()),
            last_start_tag: None,
            run: None,
            steps: 0,
            idle: 0,
        };
        if let Some(entry) = machine.entries.first() {
            start.enter_at(entry);
        }
        start
    }

    /// Goes to the entry state of a content; `false` if the machine has none.
    pub(in crate::diff) fn enter(&mut self, machine: &Machine, content: &str) -> bool {
        let Some(entry) = machine.entry(content) else {
            return false;
        };
        self.enter_at(entry);
        true
    }

    fn enter_at(&mut self, entry: &Entry) {
        for &(register, value) in &entry.sets {
            if let Some(held) = self.register_mut(register.0) {
                *held = Register::Finite(value);
            }
        }
        self.state = Some(entry.state.0);
    }

    /// Where the next token may start at the earliest. What is put back may have been in another token.
    pub(in crate::diff) fn next_start(&self, mark: Option<u32>) -> u32 {
        self.emitted.max(mark.unwrap_or(self.place))
    }

    pub(in crate::diff) fn registers(&self) -> &[Register] {
        &self.registers
    }

    pub(in crate::diff) fn register_mut(&mut self, register: u32) -> Option<&mut Register> {
        Rc::make_mut(&mut self.registers).get_mut(register as usize)
    }

    pub(in crate::diff) fn text_register(&self, register: u32) -> &[Symbol] {
        match self.registers.get(register as usize) {
            Some(Register::Text(text)) => text,
            _ => &[],
        }
    }

    /// Where a string is that is copied out of, or into; `None` if it is of an attribute and there is none.
    fn place_of(&self, copied: Copied) -> Option<TextPlace> {
        Some(match copied {
            Copied::Register(register) => TextPlace::Register(register.0 as usize),
            Copied::Field(field) => TextPlace::Field(field.token.0 as usize, field.field as usize),
            Copied::Attribute(token, part) => {
                let token = token.0 as usize;
                let building = self.tokens.get(token).filter(|it| it.has_current)?;
                let index = building.attributes().len().checked_sub(1)?;
                match part {
                    AttributePart::Name => TextPlace::Name(token, index),
                    AttributePart::Value => TextPlace::Value(token, index),
                }
            }
        })
    }

    pub(in crate::diff) fn copied(&self, copied: Copied) -> Option<&[Symbol]> {
        self.text(self.place_of(copied)?).map(Vec::as_slice)
    }

    pub(in crate::diff) fn copied_mut(&mut self, copied: Copied) -> Option<&mut Text> {
        self.text_mut(self.place_of(copied)?)
    }

    /// The strings that it holds, those of attributes last.
    pub(in crate::diff) fn texts(&self) -> Vec<(TextPlace, &[Symbol])> {
        let mut all = Vec::new();
        for (id, register) in self.registers.iter().enumerate() {
            if let Register::Text(text) = register {
                all.push((TextPlace::Register(id), text.as_slice()));
            }
        }
        for (token, building) in self.tokens.iter().enumerate() {
            for (field, value) in building.fields.iter().enumerate() {
                if let Value::Text(text) = value {
                    all.push((TextPlace::Field(token, field), text));
                }
            }
        }
        for (token, building) in self.tokens.iter().enumerate() {
            for (index, (name, value)) in building.attributes().iter().enumerate() {
                all.push((TextPlace::Name(token, index), name));
                all.push((TextPlace::Value(token, index), value));
            }
        }
        all
    }

    pub(in crate::diff) fn text(&self, place: TextPlace) -> Option<&Text> {
        match place {
            TextPlace::Register(id) => match self.registers.get(id)? {
                Register::Text(text) => Some(text),
                _ => None,
            },
            TextPlace::Field(token, field) => match self.tokens.get(token)?.fields.get(field)? {
                Value::Text(text) => Some(text),
                _ => None,
            },
            TextPlace::Name(token, index) => {
                Some(&self.tokens.get(token)?.attributes().get(index)?.0)
            }
            TextPlace::Value(token, index) => {
                Some(&self.tokens.get(token)?.attributes().get(index)?.1)
            }
        }
    }

    pub(in crate::diff) fn text_mut(&mut self, place: TextPlace) -> Option<&mut Text> {
        let (token, index) = match place {
            TextPlace::Register(id) => {
                return match self.register_mut(id as u32)? {
                    Register::Text(text) => Some(text),
                    _ => None,
                };
            }
            TextPlace::Field(token, index)
            | TextPlace::Name(token, index)
            | TextPlace::Value(token, index) => (token, index),
        };
        let building = Rc::make_mut(Rc::make_mut(&mut self.tokens).get_mut(token)?);
        match place {
            TextPlace::Name(..) => Some(&mut building.attributes_mut()?.get_mut(index)?.0),
            TextPlace::Value(..) => Some(&mut building.attributes_mut()?.get_mut(index)?.1),
            _ => match building.fields.get_mut(index)? {
                Value::Text(text) => Some(text),
                _ => None,
            },
        }
    }

    pub(in crate::diff) fn number(&self, register: u32) -> Number {
        match self.registers.get(register as usize) {
            Some(Register::Number(number)) => *number,
            _ => Number::exactly(0),
        }
    }
}
