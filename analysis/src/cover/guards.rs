//! Guards in the words of the table language.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{FieldId, Guard, Machine, RegisterId, RegisterType, TokenId};

/// More ranges than this are counted, not listed.
const RANGES: usize = 6;

/// A guard for people.
pub(super) fn describe(machine: &Machine, guard: &Guard) -> String {
    Describe(machine).guard(guard)
}

struct Describe<'m>(&'m Machine);

impl Describe<'_> {
    fn guard(&self, guard: &Guard) -> String {
        match guard {
            Guard::AppropriateEndTag(_) => "appropriate end tag token".to_owned(),
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let any_of: Vec<_> = any_of.iter().map(|one| format!("{one:?}")).collect();
                let case = if *ignore_case {
                    " ASCII case-insensitively"
                } else {
                    ""
                };
                format!("{} is {}{case}", self.register(*register), or(any_of))
            }
            Guard::FiniteIs(register, values) => {
                let words = values.iter().map(|&value| self.word(*register, value));
                format!("{} is {}", self.register(*register), or(words.collect()))
            }
            Guard::StateIs(register, states) => {
                let names = states.iter().map(|state| {
                    let state = self.0.states.get(state.0 as usize);
                    state.map_or_else(String::new, |state| state.name.clone())
                });
                format!("{} is {}", self.register(*register), or(names.collect()))
            }
            Guard::NumberIn(register, ranges) => {
                let shown = |&(first, last): &(u32, u32)| match first == last {
                    true => format!("0x{first:X}"),
                    false => format!("0x{first:X} to 0x{last:X}"),
                };
                let numbers = listed(ranges, shown, "ranges");
                format!("{} is {numbers}", self.register(*register))
            }
            Guard::HasReplacement(register) => {
                format!("{} has a replacement", self.register(*register))
            }
            Guard::CurrentIn(set) => format!("the current input character is {}", shown(set)),
            Guard::CurrentIsCharacter(register) => {
                format!(
                    "the current input character is the {}",
                    self.register(*register)
                )
            }
            Guard::LastMatchedIn(set) => format!("the last character matched is {}", shown(set)),
            Guard::NextIn { set, eof } => {
                format!("the next input character is {}", followed(set, *eof))
            }
            Guard::NextAre { run, then } => format!(
                "the next input characters are one or more {} then {}",
                shown(run),
                shown(then)
            ),
            Guard::NextIsLastStartTag { followed_by, eof } => format!(
                "the next input characters are the last start tag name then {}",
                followed(followed_by, *eof)
            ),
            Guard::StartTagEmitted => "a start tag token has been emitted".to_owned(),
            Guard::LastConsumed(text) => format!("the last characters consumed are {text:?}"),
            Guard::Question(question) => {
                let question = self.0.vocabulary.questions.get(*question as usize);
                question.cloned().unwrap_or_default()
            }
            Guard::DuplicateAttribute(_) => "the attribute name is already in the token".to_owned(),
            Guard::HasAttributes(token) => {
                format!("the {} token has attributes", self.token(*token))
            }
            Guard::FlagIs(field) => format!("the {} is set", self.field(*field)),
            Guard::KindIs(token, kind) => {
                let declared = self.0.vocabulary.tokens.get(token.0 as usize);
                let kind = declared.and_then(|token| token.kinds.get(*kind as usize));
                let kind = kind.map_or("", |kind| &kind.name);
                format!("the {} token is a {kind} token", self.token(*token))
            }
            Guard::Not(guard) => format!("not ({})", self.guard(guard)),
            Guard::All(guards) => self.joined(guards, " and "),
            Guard::Any(guards) => self.joined(guards, " or "),
        }
    }

    fn joined(&self, guards: &[Guard], word: &str) -> String {
        let parts: Vec<_> = guards.iter().map(|guard| self.guard(guard)).collect();
        parts.join(word)
    }

    fn register(&self, id: RegisterId) -> &str {
        let register = self.0.registers.get(id.0 as usize);
        register.map_or("", |register| &register.name)
    }

    fn word(&self, id: RegisterId, value: u32) -> String {
        let register = self.0.registers.get(id.0 as usize);
        match register.map(|register| &register.ty) {
            Some(RegisterType::Finite(words)) => {
                words.get(value as usize).cloned().unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    fn token(&self, id: TokenId) -> &str {
        let token = self.0.vocabulary.tokens.get(id.0 as usize);
        token.map_or("", |token| &token.name)
    }

    fn field(&self, id: FieldId) -> &str {
        let token = self.0.vocabulary.tokens.get(id.token.0 as usize);
        let field = token.and_then(|token| token.fields.get(id.field as usize));
        field.map_or("", |field| &field.name)
    }
}

fn or(words: Vec<String>) -> String {
    words.join(" or ")
}

fn listed<T>(all: &[T], shown: impl Fn(&T) -> String, what: &str) -> String {
    let mut words: Vec<_> = all.iter().take(RANGES).map(shown).collect();
    if all.len() > RANGES {
        words.push(format!("{} more {what}", all.len() - RANGES));
    }
    or(words)
}

fn shown(set: &CharSet) -> String {
    // Whichever is shorter to say.
    let others = set.complement();
    if others.ranges().len() < set.ranges().len() {
        return format!("anything but {}", shown_ranges(&others));
    }
    shown_ranges(set)
}

fn shown_ranges(set: &CharSet) -> String {
    listed(
        set.ranges(),
        |&range| CharSet::from_ranges([range]).to_string(),
        "ranges",
    )
}

fn followed(set: &CharSet, eof: bool) -> String {
    match eof {
        true => format!("{} or EOF", shown(set)),
        false => shown(set),
    }
}
