//! Setting and appending: what a place can hold.

use super::Checker;
use super::model::{Sink, StepKind, Text};
use super::names::{Place, register_holds};
use crate::charset::display_char;
use crate::diagnostic::{Code, Hint, Span};
use crate::machine::{Action, FieldType, RegisterType, TOO_LARGE, Value};
use crate::phrase::{Name, Operand, OperandKind};
use crate::suggest::which_of;

impl Checker<'_, '_> {
    /// Where `append` appends.
    pub(super) fn append_sink(&mut self, name: &Name) -> Option<Sink> {
        match self.place(name)? {
            Place::Register(r) if self.register_type(r) == Some(&RegisterType::Text) => {
                Some(Sink::AppendRegister(r))
            }
            Place::Attribute(token, part) => Some(Sink::AppendAttribute(token, part)),
            Place::Field(field) if self.is_text(field) => Some(Sink::Append(field)),
            _ => {
                self.no_text(name);
                None
            }
        }
    }

    fn no_text(&mut self, name: &Name) -> Hint<'_> {
        self.fault(
            Code::TypeMismatch,
            name.span,
            format!("`{}` holds no text", name.text),
        )
    }

    /// What `set` does, by what the place holds.
    pub(super) fn set(&mut self, name: &Name, value: &Operand) -> Option<StepKind> {
        let place = self.place(name)?;
        let register = match place {
            Place::Attribute(token, part) => {
                let value = self.text(value)?;
                return Some(StepKind::Text(Sink::SetAttribute(token, part), value));
            }
            Place::Field(field) => {
                if !self.is_text(field) {
                    let is_flag = self.field_type(field) == Some(FieldType::Flag);
                    let hint = self.no_text(name);
                    if is_flag {
                        hint.help(format!("a flag has no value: `set the {}`", name.text));
                    }
                    return None;
                }
                return Some(StepKind::Text(Sink::Set(field), self.text(value)?));
            }
            Place::Register(register) => register,
        };
        let ty = self.register_type(register)?.clone();
        Some(match ty {
            RegisterType::Text => StepKind::Text(Sink::SetText(register), self.text(value)?),
            RegisterType::State => match &value.kind {
                OperandKind::Name(state) => StepKind::SetState(register, self.state(state)?),
                _ => return self.cannot_hold(name, value, &ty, "a state"),
            },
            RegisterType::Number => match value.kind {
                OperandKind::Number(n) => {
                    StepKind::Do(Action::SetNumber(register, self.in_range(n, value.span)?))
                }
                _ => return self.cannot_hold(name, value, &ty, "a number"),
            },
            RegisterType::Character => {
                let c = self.character(name, value)?;
                let replaced = self.replaced();
                if let Some(c) = c.filter(|c| replaced.iter().any(|[_, to]| *to == Some(*c))) {
                    let c = display_char(c);
                    let message = format!(
                        "a register may not hold {c}, which preprocessing puts for another"
                    );
                    self.fault(Code::BadSet, value.span, message)
                        .help("give this character an arm of its own");
                }
                StepKind::Do(Action::SetCharacter(register, c))
            }
            RegisterType::Finite(ref words) => match &value.kind {
                OperandKind::Name(word) => {
                    StepKind::Do(Action::SetFinite(register, self.word(word, words)?))
                }
                OperandKind::Quoted(text) => {
                    let word = Name::new(text.as_str(), value.span);
                    StepKind::Do(Action::SetFinite(register, self.word(&word, words)?))
                }
                _ => return self.cannot_hold(name, value, &ty, &one_of_words(words)),
            },
        })
    }

    /// A number that a register can hold.
    pub(super) fn in_range(&mut self, number: u32, span: Span) -> Option<u32> {
        if number <= TOO_LARGE {
            return Some(number);
        }
        self.fault(Code::BadNumber, span, "the number is above 0x110000")
            .help("0x110000 stands for every number above U+10FFFF");
        None
    }

    fn cannot_hold<T>(
        &mut self,
        name: &Name,
        value: &Operand,
        ty: &RegisterType,
        expected: &str,
    ) -> Option<T> {
        let message = format!("`{}` holds {}", name.text, register_holds(ty));
        let hint = self.fault(Code::TypeMismatch, value.span, message);
        let hint = hint.label(format!("expected {expected}"));
        match ty {
            RegisterType::Character if value.kind == OperandKind::Current => hint.help(
                "a table names the characters that it sets: write one arm for each character",
            ),
            RegisterType::Number => hint.help(format!(
                "a number is written here; `increase the {0}` adds one, and `decrease the {0}` subtracts one",
                name.text
            )),
            _ => hint,
        };
        None
    }

    /// One of a register's words.
    pub(super) fn word(&mut self, name: &Name, words: &[String]) -> Option<u32> {
        let found = words.iter().position(|w| name.is(w));
        if let Some(found) = found {
            return u32::try_from(found).ok();
        }
        let help = which_of(&name.text, words.iter().map(String::as_str));
        let message = format!("the register has no word `{}`", name.text);
        self.fault(Code::UnknownWord, name.span, message).help(help);
        None
    }

    /// A character or none.
    pub(super) fn character(&mut self, name: &Name, value: &Operand) -> Option<Option<char>> {
        let mut quoted = None;
        if let OperandKind::Quoted(text) = &value.kind {
            let mut chars = text.chars();
            quoted = chars.next().filter(|_| chars.next().is_none());
        }
        match (&value.kind, quoted) {
            (&OperandKind::Character(c), _) | (_, Some(c)) => Some(Some(c)),
            (OperandKind::Name(word), _) if word.text == "none" => Some(None),
            _ => self.cannot_hold(
                name,
                value,
                &RegisterType::Character,
                "a character such as U+0022 (\"), or `none`",
            ),
        }
    }

    /// A text to emit, append or set.
    pub(super) fn text(&mut self, operand: &Operand) -> Option<Text> {
        let value = match &operand.kind {
            OperandKind::Quoted(text) => Value::Literal(text.clone()),
            OperandKind::Character(c) => Value::Literal(c.to_string()),
            OperandKind::Current => Value::Current,
            OperandKind::LowerCurrent => Value::LowerCurrent,
            OperandKind::CharacterOf(name) => Value::Code(self.number(name)?),
            OperandKind::MatchedCharacters => Value::MatchedReplacement,
            OperandKind::MatchedName => Value::MatchedName,
            OperandKind::Returned => return Some(Text::Returned),
            OperandKind::Number(_) => {
                self.fault(Code::TypeMismatch, operand.span, "a number is no text")
                    .help("write a character as U+0026 (&), or quote it");
                return None;
            }
            OperandKind::Name(name) => self.named_text(name)?,
        };
        Some(Text::Is(value))
    }

    fn named_text(&mut self, name: &Name) -> Option<Value> {
        match self.place(name)? {
            Place::Register(register) => match self.register_type(register)? {
                RegisterType::Text => Some(Value::Register(register)),
                RegisterType::Number => {
                    let message = format!("`{}` holds a number, not a text", name.text);
                    self.fault(Code::TypeMismatch, name.span, message)
                        .help(format!("say `the character of the {}`", name.text));
                    None
                }
                _ => {
                    self.no_text(name);
                    None
                }
            },
            Place::Field(field) if self.is_text(field) => Some(Value::Field(field)),
            _ => {
                let message = format!("`{}` cannot be used as a text", name.text);
                self.fault(Code::TypeMismatch, name.span, message)
                    .help("collect the text in a text register beside it");
                None
            }
        }
    }
}

fn one_of_words(words: &[String]) -> String {
    words
        .iter()
        .map(|w| format!("`{w}`"))
        .collect::<Vec<_>>()
        .join(" or ")
}
