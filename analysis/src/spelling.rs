//! Actions, questions and successors in the words of a specification.

use std::collections::BTreeMap;

use speclex_codegen::charset::{CharSet, MAX, display_char};
use speclex_codegen::machine::{
    Action, AttributePart, FieldId, Guard, Machine, RegisterId, RegisterType, Target, TokenId,
    Value,
};
use speclex_codegen::uses::Place;

/// Says what a machine does. State names may be those of another machine, so that what is only renamed
/// reads the same.
#[derive(Debug)]
pub(crate) struct Spelling<'m> {
    pub(crate) machine: &'m Machine,
    /// For each state its name.
    pub(crate) names: Vec<String>,
    /// Questions that have names.
    pub(crate) conditions: Vec<(String, Guard)>,
    /// What the current input character is known to be: it is then said as that.
    pub(crate) current: Option<CharSet>,
}

impl<'m> Spelling<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            names: machine
                .states
                .iter()
                .map(|state| state.name.clone())
                .collect(),
            conditions: machine.conditions.clone(),
            current: None,
        }
    }

    pub(crate) fn state(&self, state: u32) -> &str {
        self.names
            .get(state as usize)
            .map_or("no state", String::as_str)
    }

    /// A name of one word may be any part of speech: it has no article.
    fn register(&self, id: RegisterId) -> String {
        let register = self.machine.registers.get(id.0 as usize);
        match register.map_or("unknown variable", |register| &register.name) {
            name if name.contains(' ') => format!("the {name}"),
            name => name.to_owned(),
        }
    }

    fn token(&self, id: TokenId) -> &str {
        let token = self.machine.vocabulary.tokens.get(id.0 as usize);
        token.map_or("unknown", |token| &token.name)
    }

    fn kind(&self, id: TokenId, kind: u32) -> &str {
        let token = self.machine.vocabulary.tokens.get(id.0 as usize);
        let kind = token.and_then(|token| token.kinds.get(kind as usize));
        kind.map_or("unknown", |kind| &kind.name)
    }

    fn field_name(&self, id: FieldId) -> &str {
        let token = self.machine.vocabulary.tokens.get(id.token.0 as usize);
        let field = token.and_then(|token| token.fields.get(id.field as usize));
        field.map_or("unknown", |field| field.name.as_str())
    }

    fn field(&self, id: FieldId) -> String {
        format!("the {} {}", self.token(id.token), self.field_name(id))
    }

    /// A place by its name.
    pub(crate) fn place(&self, place: Place) -> String {
        match place {
            Place::Register(id) => self.register(id),
            Place::Field(id) => {
                format!(
                    "the {} token's {}",
                    self.token(id.token),
                    self.field_name(id)
                )
            }
            Place::Attribute(id, part) => {
                let (part, token) = (part_name(part), self.token(id));
                format!("the current attribute's {part} of the {token} token")
            }
            Place::Token(id) => format!("the {} token", self.token(id)),
            Place::Kind(id) => format!("the kind of the {} token", self.token(id)),
            Place::CurrentAttribute(id) => {
                format!("the current attribute of the {} token", self.token(id))
            }
            Place::Mark => "the position remembered".to_owned(),
        }
    }

    fn finite(&self, id: RegisterId, value: u32) -> &str {
        let register = self.machine.registers.get(id.0 as usize);
        match register.map(|register| &register.ty) {
            Some(RegisterType::Finite(values)) => {
                values.get(value as usize).map_or("unknown", String::as_str)
            }
            _ => "unknown",
        }
    }

    fn value(&self, value: &Value) -> String {
        let known = self.current.as_ref().filter(|set| set.len() == 1);
        let known = known.and_then(CharSet::first);
        let lower = self.current.as_ref().is_none_or(|set| {
            set.iter()
                .take_while(char::is_ascii)
                .any(|c| c.is_ascii_uppercase())
        });
        match (value, known) {
            (Value::Current, Some(c)) => quoted(&c.to_string()),
            (Value::LowerCurrent, Some(c)) => quoted(&c.to_ascii_lowercase().to_string()),
            (Value::LowerCurrent, None) if lower => {
                "the lowercase of the current input character".to_owned()
            }
            (Value::Current | Value::LowerCurrent, None) => {
                "the current input character".to_owned()
            }
            (Value::Literal(text), _) => quoted(text),
            (Value::Register(id), _) => self.register(*id),
            (Value::Code(id), _) => format!("the character of {}", self.register(*id)),
            (Value::MatchedReplacement, _) => {
                "the characters of the named character reference".to_owned()
            }
            (Value::MatchedName, _) => "the name of the named character reference".to_owned(),
            (Value::Field(id), _) => self.field(*id),
        }
    }

    /// The code of an error.
    pub(crate) fn error<'s>(&'s self, action: &Action) -> Option<&'s str> {
        match action {
            Action::Error(id) => Some(
                self.machine
                    .errors
                    .get(id.0 as usize)
                    .map_or("unknown", String::as_str),
            ),
            _ => None,
        }
    }

    /// An action; errors are said apart.
    pub(crate) fn action(&self, action: &Action) -> String {
        match action {
            Action::Error(_) => self.error(action).unwrap_or_default().to_owned(),
            Action::EmitText(value) => format!("emit {}", self.value(value)),
            Action::Emit(id) => format!("emit the {} token", self.token(*id)),
            Action::SetKind(id, kind) => {
                let kind = with_article(self.kind(*id, *kind));
                format!("make the {} token {kind} token", self.token(*id))
            }
            Action::EmitEof => "emit EOF".to_owned(),
            Action::Create(id, kind) => {
                format!("create {} token", with_article(self.kind(*id, *kind)))
            }
            Action::StartAttribute(_) => "start a new attribute".to_owned(),
            Action::DropAttribute(_) => "drop the attribute".to_owned(),
            Action::Append(id, value) => {
                format!("append {} to {}", self.value(value), self.field(*id))
            }
            Action::Set(id, value) => format!("set {} to {}", self.field(*id), self.value(value)),
            Action::AppendAttribute(_, part, value) => {
                let part = part_name(*part);
                format!("append {} to the attribute {part}", self.value(value))
            }
            Action::SetAttribute(_, part, value) => {
                let part = part_name(*part);
                format!("set the attribute {part} to {}", self.value(value))
            }
            Action::SetFlag(id, true) => format!("set {}", self.field(*id)),
            Action::SetFlag(id, false) => format!("unset {}", self.field(*id)),
            Action::AppendRegister(id, value) => {
                format!("append {} to {}", self.value(value), self.register(*id))
            }
            Action::SetText(id, value) => {
                format!("set {} to {}", self.register(*id), self.value(value))
            }
            Action::SetState(id, state) => {
                format!("set {} to {}", self.register(*id), self.state(state.0))
            }
            Action::SetNumber(id, number) => {
                let register = self.register(*id);
                match number {
                    0..10 => format!("set {register} to {number}"),
                    _ => format!("set {register} to {number:#X}"),
                }
            }
            Action::Multiply(id, by) => format!("multiply {} by {by}", self.register(*id)),
            Action::AddDigit(id) => format!("add the digit to {}", self.register(*id)),
            Action::Increase(id) => format!("increase {}", self.register(*id)),
            Action::Decrease(id) => format!("decrease {}", self.register(*id)),
            Action::Replace(id) => format!("replace {}", self.register(*id)),
            Action::SetCharacter(id, None) => format!("set {} to none", self.register(*id)),
            Action::SetCharacter(id, Some(c)) => {
                format!("set {} to {}", self.register(*id), display_char(*c))
            }
            Action::SetFinite(id, value) => {
                format!("set {} to {}", self.register(*id), self.finite(*id, *value))
            }
            Action::Mark => "remember the position".to_owned(),
            Action::Rewind => "go back to the position remembered".to_owned(),
        }
    }

    /// Where it goes on.
    pub(crate) fn target(&self, target: Target, reconsume: bool) -> String {
        let place = match target {
            Target::State(state) => self.state(state.0).to_owned(),
            Target::Register(id) => self.register(id),
            Target::End => return "stop".to_owned(),
        };
        if reconsume {
            format!("reconsume in {place}")
        } else {
            format!("switch to {place}")
        }
    }

    /// What the table's names of questions mean, in full.
    pub(crate) fn meanings(&self) -> BTreeMap<String, String> {
        let full = Self {
            names: self.names.clone(),
            current: None,
            conditions: Vec::new(),
            ..*self
        };
        let meanings = self.conditions.iter();
        let meanings = meanings.map(|(name, guard)| (name.clone(), full.guard(guard)));
        meanings.collect()
    }

    /// The table's name for a question.
    fn condition(&self, guard: &Guard) -> Option<&str> {
        let mut named = self.conditions.iter();
        let (name, _) = named.find(|(_, it)| it == guard)?;
        Some(name)
    }

    /// A question that is answered with no, as what holds.
    pub(crate) fn negated(&self, guard: &Guard) -> String {
        let said = self.guard(guard);
        let is_name = self.condition(guard).is_some() || matches!(guard, Guard::Question(_));
        match (guard, said.split_once(" is ")) {
            (Guard::All(_) | Guard::Any(_), _) | (_, None) => format!("not {said}"),
            _ if is_name => format!("not {said}"),
            (_, Some((what, is))) => format!("{what} is not {is}"),
        }
    }

    /// A question, as what holds.
    pub(crate) fn guard(&self, guard: &Guard) -> String {
        let list = |guards: &[Guard], with: &str| {
            let said: Vec<String> = guards.iter().map(|guard| self.guard(guard)).collect();
            format!("({})", said.join(with))
        };
        if let Some(name) = self.condition(guard) {
            return name.to_owned();
        }
        match guard {
            Guard::AppropriateEndTag(_) => "appropriate end tag token".to_owned(),
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let texts: Vec<String> = any_of.iter().map(|text| quoted(text)).collect();
                let case = ["", " ASCII case-insensitively"][usize::from(*ignore_case)];
                let register = self.register(*register);
                format!("{register} is {}{case}", texts.join(" or "))
            }
            Guard::FiniteIs(id, values) => {
                let values: Vec<&str> = values
                    .iter()
                    .map(|&value| self.finite(*id, value))
                    .collect();
                format!("{} is {}", self.register(*id), values.join(" or "))
            }
            Guard::StateIs(id, states) => {
                let states: Vec<&str> = states.iter().map(|state| self.state(state.0)).collect();
                format!("{} is {}", self.register(*id), states.join(" or "))
            }
            Guard::NumberIn(id, ranges) => {
                let is_named = noncharacters()
                    .ranges()
                    .iter()
                    .all(|it| ranges.contains(it));
                let others = ranges
                    .iter()
                    .filter(|it| !is_named || !noncharacters().ranges().contains(it));
                let ranges = others.map(|&(first, last)| match first == last {
                    true => format!("{first:#X}"),
                    false => format!("{first:#X} to {last:#X}"),
                });
                let name = is_named.then(|| "noncharacter".to_owned());
                let ranges: Vec<String> = ranges.chain(name).collect();
                format!("{} is {}", self.register(*id), ranges.join(" or "))
            }
            Guard::HasReplacement(id) => format!("{} has a replacement", self.register(*id)),
            Guard::CurrentIn(set) => format!("the current input character is {}", characters(set)),
            Guard::CurrentIsCharacter(id) => {
                format!("the current input character is {}", self.register(*id))
            }
            Guard::LastMatchedIn(set) => {
                format!("the last character matched is {}", characters(set))
            }
            Guard::NextIn { set, eof } => format!(
                "the next input character is {}{}",
                characters(set),
                if *eof { ", EOF" } else { "" }
            ),
            Guard::NextAre { run, then } => format!(
                "the next input characters are one or more {} then {}",
                characters(run),
                characters(then)
            ),
            Guard::NextIsLastStartTag { followed_by, eof } => format!(
                "the next input characters are the last start tag name then {}{}",
                characters(followed_by),
                if *eof { ", EOF" } else { "" }
            ),
            Guard::StartTagEmitted => "a start tag token has been emitted".to_owned(),
            Guard::LastConsumed(text) => {
                format!("the last characters consumed are {}", quoted(text))
            }
            Guard::Question(id) => {
                let questions = &self.machine.vocabulary.questions;
                questions.get(*id as usize).cloned().unwrap_or_default()
            }
            Guard::DuplicateAttribute(_) => "the attribute name is already in the token".to_owned(),
            Guard::HasAttributes(id) => format!("the {} token has attributes", self.token(*id)),
            Guard::FlagIs(id) => format!("{} is set", self.field(*id)),
            Guard::KindIs(id, kind) => {
                let kind = with_article(self.kind(*id, *kind));
                format!("the {} token is {kind} token", self.token(*id))
            }
            Guard::Not(guard) => self.negated(guard),
            Guard::All(guards) => list(guards, " and "),
            Guard::Any(guards) => list(guards, " or "),
        }
    }
}

fn part_name(part: AttributePart) -> &'static str {
    match part {
        AttributePart::Name => "name",
        AttributePart::Value => "value",
    }
}

/// A word as one of several, as “an XML declaration”.
pub(crate) fn with_article(word: &str) -> String {
    match word.starts_with(['a', 'e', 'i', 'o', 'u', 'X']) {
        true => format!("an {word}"),
        false => format!("a {word}"),
    }
}

/// A text as it is said: one character by its code point.
pub(crate) fn quoted(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (None, _) => "the empty string".to_owned(),
        (Some(c), None) => display_char(c),
        _ => format!("{text:?}"),
    }
}

/// Sets with a name in specifications, the larger first.
fn named() -> [(&'static str, CharSet); 6] {
    let set = |ranges: &[(char, char)]| {
        let ranges = ranges.iter();
        CharSet::from_ranges(ranges.map(|&(first, last)| (first as u32, last as u32)))
    };
    let (digit, upper, lower) = (('0', '9'), ('A', 'Z'), ('a', 'z'));
    [
        ("noncharacter", noncharacters()),
        ("ASCII alphanumeric", set(&[digit, upper, lower])),
        ("ASCII alpha", set(&[upper, lower])),
        ("ASCII digit", set(&[digit])),
        ("ASCII upper alpha", set(&[upper])),
        ("ASCII lower alpha", set(&[lower])),
    ]
}

/// The code points that no character has or will ever have.
fn noncharacters() -> CharSet {
    let ends = (0..=0x10).map(|plane: u32| (plane << 16 | 0xFFFE, plane << 16 | 0xFFFF));
    CharSet::from_ranges(ends.chain([(0xFDD0, 0xFDEF)]))
}

/// A set of characters: by name, one by one, or by what is not in it.
pub(crate) fn characters(set: &CharSet) -> String {
    if set.is_empty() {
        return "no character".to_owned();
    }
    let one = |&(first, last): &(u32, u32)| {
        let show =
            |code: u32| char::from_u32(code).map_or_else(|| format!("U+{code:04X}"), display_char);
        match last - first {
            0 => show(first),
            1 => format!("{}, {}", show(first), show(last)),
            _ => format!("{} to {}", show(first), show(last)),
        }
    };
    let list = |set: &CharSet| {
        let mut others = set.clone();
        let mut names = Vec::new();
        for (name, all) in named() {
            let mut ranges = all.ranges().iter();
            if ranges.all(|range| others.ranges().contains(range)) {
                others = others.difference(&all);
                names.push(name.to_owned());
            }
        }
        let ranges: Vec<String> = others.ranges().iter().map(one).chain(names).collect();
        ranges.join(", ")
    };
    let rest = set.complement();
    if set.len() > MAX / 2 && !rest.is_empty() {
        return format!("anything but {}", list(&rest));
    }
    if rest.is_empty() {
        return "any character".to_owned();
    }
    list(set)
}
