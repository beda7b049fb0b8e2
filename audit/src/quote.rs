//! The sentence of a text that an arm of its table is made from, as it is written: for those who compare two tables.

use std::slice;

use speclex_analysis::diff::{ArmIndex, ArmRow};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::StateKind;

use crate::Audit;
use crate::document::{Item, Text, texts};
use crate::facts::{Action, Arm, Body, Consume, Guard, State, Step, Successor, UNNAMED};
use crate::sentences::Reading;
use crate::words::{Sentence, Word, sentences};

/// Longer sentences are not quoted.
const LONGEST: usize = 240;

/// A step, and the guards that must hold for it.
type GuardedStep = (Vec<Guard>, Step);

/// What a text says of an arm.
#[derive(Debug)]
struct Said {
    /// None in the arm notation.
    sentences: Vec<Written>,
    guarded_steps: Vec<GuardedStep>,
}

#[derive(Debug)]
struct Written {
    /// Without the words that only name a character more fully.
    sentence: Sentence,
    /// What it says, if it can be read by itself.
    guarded_steps: Option<Vec<GuardedStep>>,
}

/// For the arms of a row, the sentence of each text that the other text's arm does not have: if there is one such
/// sentence, or if all of the arm is one sentence. What may not be quoted is left out.
pub fn quotations(audits: [Option<&Audit<'_>>; 2], row: &ArmRow) -> [Option<String>; 2] {
    let said = [0, 1].map(|side| audits[side].and_then(|audit| audit.said(row, side)));
    [0, 1].map(|side| {
        let (own, theirs) = (&said[side].as_ref()?.sentences, said[1 - side].as_ref());
        let is_new = |it: &&Written| theirs.is_none_or(|theirs| !theirs.has(it));
        let says_more = |it: &&Written| theirs.is_none_or(|theirs| !theirs.says(it));
        let sentence = if let [only] = &own[..] {
            Some(only).filter(is_new)
        } else {
            let mut new = own.iter().filter(is_new).filter(says_more);
            let first = new.next().filter(|it| it.guarded_steps.is_some());
            first.filter(|_| new.next().is_none())
        };
        let Written { sentence, .. } = sentence?;
        let may = audits[side]?.may_quote(sentence, &row.sections[side]);
        may.then(|| sentence.text.clone())
    })
}

impl Written {
    /// The strings with which the input must continue for what it says.
    fn strings(&self) -> impl Iterator<Item = &str> {
        let guards = self
            .guarded_steps
            .iter()
            .flatten()
            .flat_map(|(when, _)| when);
        guards.filter_map(|guard| match guard {
            Guard::NextIs(literal) => Some(&*literal.text),
            _ => None,
        })
    }
}

impl Said {
    /// Whether it has a sentence.
    fn has(&self, sentence: &Written) -> bool {
        let mut own = self.sentences.iter();
        own.any(|own| own.sentence.words == sentence.sentence.words)
    }

    /// Whether it says the same, in whatever words.
    fn says(&self, sentence: &Written) -> bool {
        let is_done = |(when, step): &GuardedStep| {
            let mut own = self.guarded_steps.iter();
            own.any(|(own, other)| own == when && is_same(step, other))
        };
        let guarded_steps = sentence.guarded_steps.as_ref();
        guarded_steps.is_some_and(|guarded_steps| guarded_steps.iter().all(is_done))
    }
}

/// Whether two steps are the same; an error without a name is any error.
fn is_same(one: &Step, other: &Step) -> bool {
    match (one, other) {
        (Step::Do(Action::Error(a)), Step::Do(Action::Error(b))) => {
            a == b || a == UNNAMED || b == UNNAMED
        }
        (Step::Go(Successor::State(a)), Step::Go(Successor::State(b))) => a.eq_ignore_ascii_case(b),
        _ => one == other,
    }
}

/// An arm of a text: the line of its condition or of its state, and what is done.
#[derive(Clone, Copy, Debug)]
struct Place<'t> {
    state: &'t State,
    line: usize,
    steps: &'t [Step],
    anything_else: Option<&'t Arm>,
}

impl<'t> Place<'t> {
    /// The arm of a state that takes what an arm of a table takes, if it is one.
    fn find(
        state: &'t State,
        index: ArmIndex,
        set: &CharSet,
        literal: Option<&str>,
    ) -> Option<Self> {
        let arm_of = |body: &'t Body| match (body, index) {
            (Body::Consume(consume), _) => arm_for(consume, index, set, literal),
            (Body::Match { matched: arm, .. }, ArmIndex::Matched)
            | (Body::Match { unmatched: arm, .. }, ArmIndex::Unmatched) => Some(arm),
            _ => None,
        };
        let bodies = state.body.branches().into_iter();
        let mut found = bodies.filter_map(|body| {
            let (line, steps) = match (body, index) {
                (Body::Steps(steps), ArmIndex::Steps | ArmIndex::Literal(_)) => (state.line, steps),
                _ => arm_of(body).map(|arm| (arm.line, &arm.steps))?,
            };
            let anything_else = match body {
                Body::Consume(consume) => consume.anything_else.as_ref(),
                _ => None,
            };
            Some(Self {
                state,
                line,
                steps,
                anything_else,
            })
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// What steps do: each with what must hold for it. What must not hold is not told apart.
    fn guarded_steps(self, steps: &[Step], when: &[Guard]) -> Vec<GuardedStep> {
        let mut found = Vec::new();
        for step in steps {
            match step {
                Step::If(guard, then, otherwise) => {
                    found
                        .extend(self.guarded_steps(then, &[when, slice::from_ref(guard)].concat()));
                    found.extend(self.guarded_steps(otherwise, when));
                }
                Step::AsAnythingElse => {
                    let steps = self.anything_else.map_or(&[][..], |arm| &arm.steps);
                    let own = Self {
                        anything_else: None,
                        ..self
                    };
                    found.extend(own.guarded_steps(steps, when));
                }
                Step::Go(Successor::Stay) => {}
                Step::Go(Successor::State(to)) if to.eq_ignore_ascii_case(&self.state.name) => {}
                step => found.push((when.to_vec(), step.clone())),
            }
        }
        found
    }
}

fn arm_for<'b>(
    consume: &'b Consume,
    index: ArmIndex,
    set: &CharSet,
    literal: Option<&str>,
) -> Option<&'b Arm> {
    let takes = |arm: &&Arm| match (index, &arm.literal) {
        (ArmIndex::Eof, _) => arm.eof,
        (ArmIndex::Literal(_), own) => own.as_ref().is_some_and(|it| Some(&*it.text) == literal),
        _ => !set.intersection(&arm.set).is_empty(),
    };
    let mut arms: Vec<&Arm> = consume.arms.iter().filter(takes).collect();
    let rest = |left: CharSet, arm: &&Arm| left.difference(&arm.set);
    if arms.is_empty() || !arms.iter().fold(set.clone(), rest).is_empty() {
        arms.extend(&consume.anything_else);
    }
    arms.pop().filter(|_| arms.is_empty())
}

impl Audit<'_> {
    /// Whether the table lets a sentence of a section be quoted, and the text has it as it is.
    fn may_quote(&self, sentence: &Sentence, section: &str) -> bool {
        let number = |section: &str| -> Option<Vec<u32>> {
            section.split('.').map(|part| part.parse().ok()).collect()
        };
        let may = self.loaded.terms.as_ref().is_some_and(|terms| {
            let from = terms.from.as_deref();
            from.is_none_or(|from| number(from).is_some_and(|from| number(section) >= Some(from)))
        });
        let line = self.written.lines().nth(sentence.line.saturating_sub(1));
        may && sentence.text.len() <= LONGEST
            && line.is_some_and(|line| line.contains(&sentence.text))
    }

    /// What the text says of an arm of a row.
    fn said(&self, row: &ArmRow, side: usize) -> Option<Said> {
        let index = [row.arms.0, row.arms.1][side]?;
        let state = self.loaded.machine.states.get(row.ids[side] as usize)?;
        let literal = match (&state.kind, index) {
            (StateKind::Consume(consume), ArmIndex::Literal(at)) => {
                consume.literals.get(at as usize)
            }
            _ => None,
        };
        let literal = literal.map(|literal| literal.text.as_str());
        let set = row.set.clone().unwrap_or_default();
        let place = Place::find(self.text_state(&state.name)?, index, &set, literal)?;
        let mut sections = self.text.sections.iter();
        let items = sections.find_map(|section| match section.line == place.line {
            true => Some(&section.items[..]),
            false => body_at(&section.items, place.line),
        });
        let written = |mut sentence: Sentence| {
            let steps = self.read_alone(&sentence);
            let guarded_steps = steps.map(|steps| place.guarded_steps(&steps, &[]));
            let filler = Word::Plain("character".to_owned());
            sentence.words.retain(|word| *word != filler);
            Written {
                sentence,
                guarded_steps,
            }
        };
        let texts = items.into_iter().flat_map(texts);
        let all = texts.flat_map(|text| sentences(text.line, &text.text));
        let mut sentences: Vec<Written> = all.map(written).collect();
        // Sentences on a string are for it alone.
        let is_named = |it: &Written| it.strings().any(|string| Some(string) == literal);
        let any = sentences.iter().any(is_named);
        sentences.retain(|it| is_named(it) || !any && it.strings().next().is_none());
        let guarded_steps = place.guarded_steps(place.steps, &[]);
        Some(Said {
            sentences,
            guarded_steps,
        })
    }

    /// The state of the text that was found to be one of the table's.
    fn text_state(&self, name: &str) -> Option<&State> {
        let cache = self.cache.borrow();
        let mut pairs = cache.names().filter(|(_, its)| its == name);
        let (own, _) = pairs.next().filter(|_| pairs.next().is_none())?;
        let mut states = self.text.facts.states.iter();
        states.find(|state| state.name == *own)
    }

    /// The steps that a sentence says by itself.
    fn read_alone(&self, sentence: &Sentence) -> Option<Vec<Step>> {
        let mut reading = Reading {
            names: &self.text.names,
            sentences: 0,
            not_understood: Vec::new(),
            slips: Vec::new(),
            rows: Vec::new(),
            remarks: &|_| false,
        };
        let steps = reading.steps(&[Item::Paragraph(Text::new(0, &sentence.text))]);
        reading.not_understood.is_empty().then_some(steps)
    }
}

/// What is done under the condition in a line.
fn body_at(items: &[Item], line: usize) -> Option<&[Item]> {
    items.iter().find_map(|item| {
        let Item::Arms(arms) = item else { return None };
        arms.iter().find_map(|arm| match arm.conditions.first() {
            Some(condition) if condition.line == line => Some(&arm.body[..]),
            _ => body_at(&arm.body, line),
        })
    })
}
