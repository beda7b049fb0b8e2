//! How a machine answers its questions on input that may not have come yet.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Guard, TokenId};

use super::configuration::{Configuration, Register, Symbol, Value, characters};
use super::steps::{InputAt, KnownInput, StepOutput};
use super::{Runner, Step, field_text};

impl Runner<'_> {
    /// Whether a guard holds; `None` while that depends on input that has not come yet.
    pub(in crate::diff) fn guard_holds(
        &self,
        guard: &Guard,
        step: &Step<'_>,
        side: &Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> Option<bool> {
        let building = |token: &TokenId| side.tokens.get(token.0 as usize);
        Some(match guard {
            Guard::Not(guard) => !self.guard_holds(guard, step, side, known, out)?,
            Guard::All(guards) | Guard::Any(guards) => {
                let decisive = matches!(guard, Guard::Any(_));
                for guard in guards {
                    if self.guard_holds(guard, step, side, known, out)? == decisive {
                        return Some(decisive);
                    }
                }
                !decisive
            }
            Guard::NextIn { set, eof } => next_in(known, side.place, set, *eof)?,
            Guard::NextAre { run, then } => {
                let mut place = side.place;
                loop {
                    match known.at(place) {
                        InputAt::Character(c) if place > side.place && then.contains(c) => {
                            break true;
                        }
                        InputAt::Character(c) if run.contains(c) => place += 1,
                        InputAt::Character(_) | InputAt::End => break false,
                        InputAt::Unknown => return None,
                    }
                }
            }
            Guard::NextIsLastStartTag { followed_by, eof } => {
                let Some(name) = &side.last_start_tag else {
                    return Some(false);
                };
                let mut place = side.place;
                for expected in characters(name) {
                    match known.at(place) {
                        InputAt::Character(c) if c.eq_ignore_ascii_case(&expected) => place += 1,
                        InputAt::Character(_) | InputAt::End => return Some(false),
                        InputAt::Unknown => return None,
                    }
                }
                next_in(known, place, followed_by, *eof)?
            }
            Guard::AppropriateEndTag(token) => {
                let field = self.name_fields.get(token.0 as usize).copied().flatten();
                let name = building(token).and_then(|b| b.fields.get(field?));
                match (&side.last_start_tag, name) {
                    (Some(last), Some(name)) => {
                        let name = field_text(name);
                        out.not_uniform |= [last, name].into_iter().any(has_code);
                        characters(last).eq(characters(name))
                    }
                    _ => false,
                }
            }
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let text = side.text_register(register.0);
                out.not_uniform |= has_code(text);
                any_of.iter().any(|one| {
                    text.len() == one.chars().count()
                        && characters(text)
                            .zip(one.chars())
                            .all(|(a, b)| a == b || *ignore_case && a.eq_ignore_ascii_case(&b))
                })
            }
            Guard::FiniteIs(register, values) => matches!(
                side.registers().get(register.0 as usize),
                Some(Register::Finite(value)) if values.contains(value)
            ),
            Guard::StateIs(register, states) => matches!(
                side.registers().get(register.0 as usize),
                Some(Register::State(state)) if states.iter().any(|s| s.0 == *state)
            ),
            Guard::NumberIn(register, ranges) => {
                let number = side.number(register.0);
                let inside = |n: u32| ranges.iter().position(|&(a, b)| (a..=b).contains(&n));
                let gap = |n: u32| ranges.iter().filter(|&&(a, _)| a <= n).count();
                let (low, high) = (inside(number.low), inside(number.high));
                let split = low.is_none() && gap(number.low) != gap(number.high);
                out.not_uniform |= low != high || split;
                inside(number.value).is_some()
            }
            Guard::HasReplacement(register) => {
                let number = side.number(register.0);
                out.not_uniform |= self.may_be_replaced(number);
                self.replacement(number.value).is_some()
            }
            Guard::CurrentIn(set) => step.current.is_some_and(|symbol| set.contains(symbol.c)),
            Guard::CurrentIsCharacter(register) => matches!(
                (side.registers().get(register.0 as usize), step.current),
                (Some(Register::Character(Some(c))), Some(symbol)) if *c == symbol.c
            ),
            Guard::LastMatchedIn(set) => {
                let name = side
                    .matched
                    .and_then(|(i, _)| self.references.get(i as usize));
                name.and_then(|(name, _)| name.chars().next_back())
                    .is_some_and(|c| set.contains(c))
            }
            Guard::StartTagEmitted => side.last_start_tag.is_some(),
            Guard::LastConsumed(text) => {
                let consumed = known.characters.get(..side.place as usize);
                let consumed = consumed.unwrap_or_default().iter().rev();
                let last: Vec<char> = consumed.take(text.chars().count()).copied().collect();
                last.into_iter().eq(text.chars().rev())
            }
            Guard::Question(_) => {
                out.asked.push(out.items.len());
                known.answer
            }
            Guard::DuplicateAttribute(token) => {
                let attributes = building(token).map_or(&[][..], |b| b.attributes());
                out.not_uniform |= attributes.iter().any(|(name, _)| has_code(name));
                building(token).is_some_and(|b| b.has_duplicate())
            }
            Guard::HasAttributes(token) => {
                building(token).is_some_and(|b| !b.attributes().is_empty())
            }
            Guard::FlagIs(field) => {
                let value = building(&field.token).and_then(|b| b.fields.get(field.field as usize));
                matches!(value, Some(Value::Flag(true)))
            }
            Guard::KindIs(token, kind) => building(token).is_some_and(|b| b.kind == *kind),
        })
    }
}

/// Whether a text has a character that is not known.
fn has_code(text: &[Symbol]) -> bool {
    text.iter().any(|symbol| symbol.is_code())
}

fn next_in(known: &KnownInput<'_>, place: u32, set: &CharSet, eof: bool) -> Option<bool> {
    match known.at(place) {
        InputAt::Character(c) => Some(set.contains(c)),
        InputAt::End => Some(eof),
        InputAt::Unknown => None,
    }
}
