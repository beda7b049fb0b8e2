//! What a machine asks, on terms.

use speclex_codegen::machine::{Guard, RegisterId};

use super::known::{Known, Question};
use super::output::Out;
use super::run::{Refusal, Run, Step};
use super::set::{self, YES};
use super::term::{Function, Term, concat};

impl Run<'_, '_> {
    /// Whether a guard holds.
    pub(super) fn holds(
        &mut self,
        known: &mut Known,
        guard: &Guard,
        step: &Step<'_>,
    ) -> Result<bool, Refusal> {
        let side = self.side;
        let places = &side.places;
        let register = |id: &RegisterId| self.store[id.0 as usize].clone();
        Ok(match guard {
            Guard::Not(guard) => !self.holds(known, guard, step)?,
            Guard::All(guards) => return self.all_are(known, guards, true, step),
            Guard::Any(guards) => !self.all_are(known, guards, false, step)?,
            Guard::AppropriateEndTag(token) => match self.name(*token)? {
                Some(name) if self.has_last_start_tag(known) => {
                    let last = self.store[places.last_start_tag].clone();
                    let are_constant = name.is_constant() && last.is_constant();
                    name == last
                        || !are_constant && known.holds(Question::AreEqual, vec![last, name])
                }
                _ => false,
            },
            Guard::TextIs {
                register: id,
                any_of,
                ignore_case,
            } => {
                let text = register(id);
                for word in any_of {
                    if self.is_word(known, &text, word, *ignore_case)? {
                        return Ok(true);
                    }
                }
                false
            }
            Guard::FiniteIs(id, values) => known.is_in(
                &register(id),
                &set::merged(values.iter().map(|it| (*it, *it))),
            ),
            Guard::StateIs(id, states) => known.is_in(
                &register(id),
                &set::merged(states.iter().map(|it| (it.0, it.0))),
            ),
            Guard::NumberIn(id, ranges) => {
                known.is_in(&register(id), &set::merged(ranges.iter().copied()))
            }
            Guard::HasReplacement(id) => known.is_in(&register(id), &side.replaced),
            Guard::CurrentIn(set) => match step.current {
                Some(at) => self.reads(known, (at, at), set.ranges())?,
                None => false,
            },
            Guard::CurrentIsCharacter(id) => match (step.current, register(id)) {
                (None, _) | (_, Term::Number(0)) => false,
                (Some(at), Term::Number(c)) => self.reads(known, (at, at), &set::single(c - 1))?,
                (Some(at), other) => {
                    known.is_in(&other, &[(1, 0x11_0000)])
                        && known.holds(Question::HoldsItem, vec![other, Term::Character(at)])
                }
            },
            Guard::LastMatchedIn(set) => {
                let matched = self.store[places.matched].clone();
                let last = Term::of(Function::LastOf, vec![matched]);
                known.is_in(&last, set.ranges())
            }
            Guard::NextIn { set, eof } => {
                self.looks_around()?;
                let from = step.letters_from.min(self.at);
                self.reads(known, (from, self.at), &set::of_characters(set, *eof))?
            }
            Guard::NextAre { run, then } => {
                self.looks_around()?;
                self.passes(known, step)?;
                let from = step.letters_from.min(self.at);
                let question = Question::AreNext(run.clone(), then.clone());
                self.reads(known, (from, self.at), run.ranges())?
                    && known.holds(question, vec![self.here()])
            }
            Guard::NextIsLastStartTag { followed_by, eof } => {
                self.looks_around()?;
                self.passes(known, step)?;
                let last = self.store[places.last_start_tag].clone();
                let question = Question::IsNameNext(followed_by.clone(), *eof);
                self.has_last_start_tag(known) && known.holds(question, vec![self.here(), last])
            }
            Guard::StartTagEmitted => self.has_last_start_tag(known),
            Guard::LastConsumed(text) => {
                self.looks_around()?;
                self.passes(known, step)?;
                return self.last_consumed(known, text);
            }
            Guard::Question(question) => {
                let name = side.machine.vocabulary.questions[*question as usize].clone();
                // What came out since may have changed the answer.
                let texts = self.outs.iter().rev().map_while(|out| match out {
                    Out::Text { text, .. } => Some(text),
                    Out::Token { .. } => None,
                });
                let texts: Vec<&Term> = texts.collect();
                let since = texts.into_iter().rev();
                let since = since.fold(Term::text(""), |all, it| concat(&all, it));
                let since = known.normal(&since);
                known.holds(Question::Sink(name), vec![Term::Number(self.tokens), since])
            }
            Guard::DuplicateAttribute(token) => {
                let at = self.attributes(*token)?;
                let (all, name) = (self.store[at].clone(), self.store[at + 2].clone());
                known.is_in(&self.store[at + 1], YES)
                    && all != Term::Number(0)
                    && known.holds(Question::HasName, vec![all, name])
            }
            Guard::HasAttributes(token) => {
                let at = self.attributes(*token)?;
                known.is_in(&self.store[at + 1], YES)
                    || match self.store[at].clone() {
                        Term::Number(_) => false,
                        Term::Of(Function::WithAttribute, _) => true,
                        all => known.holds(Question::HasAny, vec![all]),
                    }
            }
            Guard::FlagIs(field) => known.is_in(&self.store[self.field(*field).0], YES),
            Guard::KindIs(token, kind) => {
                let kind = side.kinds[token.0 as usize][*kind as usize];
                let place = places.tokens[token.0 as usize].kind;
                known.is_in(&self.store[place], &set::single(kind))
            }
        })
    }

    /// Whether all guards have this answer; asked in order until one has not.
    fn all_are(
        &mut self,
        known: &mut Known,
        guards: &[Guard],
        answer: bool,
        step: &Step<'_>,
    ) -> Result<bool, Refusal> {
        for guard in guards {
            if self.holds(known, guard, step)? != answer {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is around a place is known where the place is an item of this move.
    fn looks_around(&self) -> Result<(), Refusal> {
        match self.back {
            None => Ok(()),
            Some(_) => Err("it looks around where it has put back what was read before".to_owned()),
        }
    }

    fn has_last_start_tag(&self, known: &mut Known) -> bool {
        known.is_in(&self.store[self.side.places.has_last_start_tag], YES)
    }

    fn last_consumed(&self, known: &mut Known, text: &str) -> Result<bool, Refusal> {
        let mut rest = text;
        let mut at = self.at;
        while let Some(c) = rest.chars().next_back() {
            at -= 1;
            if at < 0 || known.names.contains(&at) {
                let question = Question::StandsBefore(rest.to_owned());
                return Ok(known.holds(question, vec![Term::Before(at + 1)]));
            }
            if !self.reads(known, (at, at), &set::single(c as u32))? {
                return Ok(false);
            }
            rest = &rest[..rest.len() - c.len_utf8()];
        }
        Ok(true)
    }

    fn is_word(
        &self,
        known: &mut Known,
        text: &Term,
        word: &str,
        ignore_case: bool,
    ) -> Result<bool, Refusal> {
        known.resolve(text);
        let text = known.normal(text);
        let Term::Text(pieces) = &text else {
            return Err("a text register holds no text".to_owned());
        };
        let values = self.common.words.values(known, &text);
        if values.is_some_and(|values| values.words.is_empty()) {
            return Ok(false);
        }
        // Texts of known length are compared letter by letter.
        let has_length = |it: &Term| {
            matches!(
                it,
                Term::Literal(_) | Term::Character(_) | Term::Lowercase(_)
            )
        };
        if !pieces.iter().all(has_length) {
            let question = Question::IsWord(word.to_owned(), ignore_case);
            return Ok(known.holds(question, vec![text]));
        }
        let folded = |c: char| match ignore_case {
            true => c.to_ascii_lowercase(),
            false => c,
        };
        let mut rest = word.chars();
        for piece in pieces.iter() {
            match piece {
                Term::Literal(literal) => {
                    for c in literal.chars() {
                        if rest.next().map(folded) != Some(folded(c)) {
                            return Ok(false);
                        }
                    }
                }
                Term::Character(at) | Term::Lowercase(at) => {
                    let Some(c) = rest.next() else {
                        return Ok(false);
                    };
                    let is_lowered = matches!(piece, Term::Lowercase(_));
                    let lowered = |it: char| match is_lowered {
                        true => it.to_ascii_lowercase(),
                        false => it,
                    };
                    let cases = [c, c.to_ascii_lowercase(), c.to_ascii_uppercase()];
                    let fitting = cases.into_iter();
                    let fitting = fitting.filter(|it| folded(lowered(*it)) == folded(c));
                    let set = set::merged(fitting.map(|it| (it as u32, it as u32)));
                    if !self.reads(known, (*at, *at), &set)? {
                        return Ok(false);
                    }
                }
                _ => {}
            }
        }
        Ok(rest.next().is_none())
    }
}
