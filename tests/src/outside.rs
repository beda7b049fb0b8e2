//! An input, with what the outside says and does while it is read.

use std::collections::VecDeque;
use std::ops::Range;

use speclex_analysis::interpreter::{Answer, Fault, Host, Interpreter, Status};
use speclex_analysis::testing::state_of;
use speclex_analysis::token::{Output, StreamErrors, Token};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Guard, Machine, StateKind};

use crate::random::Random;

/// What is done while a machine pauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Text is put in, in front of what was not read yet.
    Insert(String),
    /// A content begins.
    Switch(String),
    /// The last start tag has another name.
    Name(String),
}

/// To which questions the outside says yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yes {
    /// To those after one of these texts, which came out since the last token.
    After(Vec<String>),
    /// To some, which depend on all that came out before.
    Some(u64),
}

/// An input, with what the outside says and does while it is read. It knows of a machine only what comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The input.
    pub input: String,
    /// The contents that are switched to before any input.
    pub contents: Vec<String>,
    /// The name of the last start tag at the start.
    pub last_start_tag: Option<String>,
    /// The answers to questions.
    pub yes: Yes,
    /// What is done after each token about which the machine asks: nothing, or acts during a pause.
    pub answers: Vec<Vec<Act>>,
}

impl Script {
    /// A random one, whose input goes where a machine goes.
    pub fn random(machine: &Machine, random: &mut Random) -> Self {
        let contents: Vec<&str> = machine.contents().map(|(_, name)| name).collect();
        let pieces = Pieces::of(machine);
        let act = |random: &mut Random| match random.below(5) {
            0..3 => Act::Switch((*random.one(&contents)).to_owned()),
            3 => Act::Insert(pieces.any(random) + &pieces.any(random)),
            _ => Act::Name(pieces.any(random)),
        };
        let answers = (0..random.below(5)).map(|_| match random.below(2) {
            0 => Vec::new(),
            _ => (0..1 + random.below(2)).map(|_| act(random)).collect(),
        });
        let answers = answers.collect();
        let starts = random.below(4).saturating_sub(1);
        let mut script = Self {
            contents: (0..starts)
                .map(|_| (*random.one(&contents)).to_owned())
                .collect(),
            last_start_tag: (random.below(3) == 0).then(|| pieces.any(random)),
            yes: Yes::Some(random.number()),
            answers,
            input: String::new(),
        };
        let mut interpreter = Interpreter::with_host(machine, script.host());
        // A machine that cannot go on has no more input.
        let _ = script.lengthen(&mut interpreter, &pieces, random);
        script
    }

    fn lengthen(
        &mut self,
        interpreter: &mut Interpreter<'_, Outside>,
        pieces: &Pieces<'_>,
        random: &mut Random,
    ) -> Result<(), Fault> {
        self.begin(interpreter)?;
        for _ in 0..2 + random.below(14) {
            let state = state_of(interpreter).map(|state| state.0 as usize);
            let piece = match state.and_then(|state| pieces.machine.states.get(state)) {
                Some(state) if random.below(6) > 0 => pieces.at(&state.kind, random),
                _ => pieces.any(random),
            };
            self.input += &piece;
            let mut status = interpreter.feed(&piece)?;
            while status == Status::Paused {
                for act in interpreter.host().take_acts() {
                    act.perform(interpreter)?;
                }
                status = interpreter.resume()?;
            }
        }
        Ok(())
    }

    /// What a machine makes of it.
    ///
    /// # Errors
    /// When the machine is malformed, or has no such content.
    pub fn output(&self, machine: &Machine) -> Result<Output, Fault> {
        let mut interpreter = Interpreter::with_host(machine, self.host());
        self.begin(&mut interpreter)?;
        let mut status = interpreter.feed(&self.input)?;
        let mut has_ended = false;
        loop {
            status = match status {
                Status::Paused => {
                    for act in interpreter.host().take_acts() {
                        act.perform(&mut interpreter)?;
                    }
                    interpreter.resume()?
                }
                Status::Ready if !has_ended => {
                    has_ended = true;
                    interpreter.end()?
                }
                Status::Ready | Status::Finished => break,
            }
        }
        let output = interpreter.take_output().coalesced();
        Ok(output.with_sorted_errors(&StreamErrors::of(machine)))
    }

    /// Does what is done before any input.
    ///
    /// # Errors
    /// When the machine has no such content.
    pub fn begin<H: Host>(&self, interpreter: &mut Interpreter<'_, H>) -> Result<(), Fault> {
        for content in &self.contents {
            interpreter.start(content)?;
        }
        if let Some(name) = &self.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        Ok(())
    }

    /// The outside, before anything is read.
    pub fn host(&self) -> Outside {
        Outside {
            yes: self.yes.clone(),
            answers: self.answers.iter().cloned().collect(),
            acts: Vec::new(),
            text: String::new(),
            tokens: 0,
        }
    }
}

impl Act {
    /// Does it.
    ///
    /// # Errors
    /// When the machine has no such content.
    pub fn perform<H: Host>(&self, interpreter: &mut Interpreter<'_, H>) -> Result<(), Fault> {
        match self {
            Self::Insert(text) => interpreter.insert(text),
            Self::Switch(content) => interpreter.start(content)?,
            Self::Name(name) => interpreter.set_last_start_tag(name),
        }
        Ok(())
    }
}

/// The outside, under way.
#[derive(Clone, Debug)]
pub struct Outside {
    yes: Yes,
    answers: VecDeque<Vec<Act>>,
    /// What is to be done in the pause.
    acts: Vec<Act>,
    /// What came out as text since the last token.
    text: String,
    tokens: u64,
}

impl Outside {
    /// What is to be done in this pause.
    pub fn take_acts(&mut self) -> Vec<Act> {
        std::mem::take(&mut self.acts)
    }
}

impl Host for Outside {
    fn emitted(&mut self, _: &Token) -> Answer {
        self.text.clear();
        self.tokens += 1;
        self.acts
            .extend(self.answers.pop_front().unwrap_or_default());
        match self.acts.as_slice() {
            [] => Answer::Nothing,
            [Act::Switch(content)] => {
                let content = content.clone();
                self.acts.clear();
                Answer::Content(content)
            }
            _ => Answer::Pause,
        }
    }

    fn text(&mut self, text: &str, _: &Range<u64>) {
        self.text.push_str(text);
    }

    fn question(&mut self, question: &str) -> bool {
        match &self.yes {
            Yes::After(texts) => texts.contains(&self.text),
            Yes::Some(seed) => {
                let seen = format!("{seed} {} {question} {}", self.tokens, self.text);
                Random::named(&seen).below(2) == 0
            }
        }
    }
}

/// What random inputs of a machine are made of.
struct Pieces<'m> {
    machine: &'m Machine,
    /// What texts are compared with.
    words: Vec<&'m str>,
    /// All sets of characters.
    sets: Vec<&'m CharSet>,
}

impl<'m> Pieces<'m> {
    fn of(machine: &'m Machine) -> Self {
        let mut words = vec!["a", "b", "é", "\r\n", "\0"];
        let mut sets = Vec::new();
        for guard in machine.all_questions() {
            match guard {
                Guard::TextIs { any_of, .. } => words.extend(any_of.iter().map(String::as_str)),
                Guard::LastConsumed(text) => words.push(text),
                Guard::NextAre { run, then } => sets.extend([run, then]),
                Guard::NextIn { set, .. } => sets.push(set),
                _ => {}
            }
        }
        for state in &machine.states {
            if let StateKind::Consume(consume) = &state.kind {
                words.extend(consume.literals.iter().map(|literal| literal.text.as_str()));
                sets.extend(consume.arms.iter().map(|arm| &arm.set));
            }
        }
        Self {
            machine,
            words,
            sets,
        }
    }

    /// Any of them.
    fn any(&self, random: &mut Random) -> String {
        match random.below(4) {
            0 if !self.machine.references.is_empty() => self.name(random),
            0 | 1 => (*random.one(&self.words)).to_owned(),
            _ => match self.sets.as_slice() {
                [] => String::new(),
                sets => one_of(random.one::<&CharSet>(sets), random),
            },
        }
    }

    /// The name of a reference, or the beginning of one.
    fn name(&self, random: &mut Random) -> String {
        let (name, _) = random.one(&self.machine.references);
        let length = match random.below(3) {
            0 => 1 + random.below(name.chars().count()),
            _ => name.len(),
        };
        name.chars().take(length).collect()
    }

    /// What is looked for in a state.
    fn at(&self, kind: &StateKind, random: &mut Random) -> String {
        match kind {
            StateKind::Consume(consume) => {
                let count = consume.literals.len() + consume.arms.len();
                let at = random.below(count.max(1));
                match (
                    consume.literals.get(at),
                    consume.arms.get(at.wrapping_sub(consume.literals.len())),
                ) {
                    (Some(literal), _) => literal.text.clone(),
                    (None, Some(arm)) => one_of(&arm.set, random),
                    (None, None) => String::new(),
                }
            }
            StateKind::Match { .. } if !self.machine.references.is_empty() => self.name(random),
            StateKind::Match { .. } | StateKind::Steps(_) => self.any(random),
        }
    }
}

/// A character of a set: mostly one of those that people type.
fn one_of(set: &CharSet, random: &mut Random) -> String {
    let ranges = set.ranges();
    let typed: Vec<char> = (' '..='~').filter(|c| set.contains(*c)).collect();
    if ranges.is_empty() || !typed.is_empty() && random.below(8) > 0 {
        return typed
            .get(random.below(typed.len().max(1)))
            .map(char::to_string)
            .unwrap_or_default();
    }
    let (from, to) = random.one(ranges);
    let c = char::from_u32(*random.one(&[*from, *to]));
    // A byte order mark counts or not, by where it stands.
    c.filter(|c| *c != '\u{FEFF}')
        .map(String::from)
        .unwrap_or_default()
}
