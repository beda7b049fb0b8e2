//! Big steps: a machine runs on the items of the input until it needs a new one.
//!
//! An item is a character, the whole name of a reference, or the end. Both sides see the same items.

use speclex_codegen::machine::{
    Body, Consume, Entry, LiteralArm, Next, StateId, StateKind, Target, TokenId,
};

use super::known::{Known, Question};
use super::output::Out;
use super::set::{self, END};
use super::side::{Common, Side};
use super::term::{Term, later};
use crate::body::reconsumes;

/// A move of more steps than this is taken for a circle.
const STEPS: usize = 400;

/// Why a way is not followed, in words.
pub(super) type Refusal = String;

const SPELLED: &str = "one side reads the name of a reference letter by letter";

/// A machine in the midst of a move.
#[derive(Debug)]
pub(super) struct Run<'s, 'm> {
    pub(super) side: &'s Side<'m>,
    pub(super) common: &'s Common,
    pub(super) state: StateId,
    pub(super) store: Vec<Term>,
    /// The item that is next.
    pub(super) at: i32,
    pub(super) is_finished: bool,
    /// Whether the sink has been asked: it may insert text, so that the input that follows is not known any more.
    pub(super) is_cut: bool,
    /// Where the input was put back to, if that is no item of this move.
    pub(super) back: Option<Term>,
    pub(super) outs: Vec<Out>,
    pub(super) errors: Vec<(&'m str, Term)>,
    /// Whether the token emitted last did not end behind the place where the move starts.
    pub(super) is_behind: bool,
    /// How many tokens the sink was told of.
    pub(super) tokens: u32,
    steps: usize,
    /// The names that this side has matched in this move.
    own_names: Vec<i32>,
}

/// A state being run.
pub(super) struct Step<'m> {
    pub(super) start: i32,
    /// From which item on the step reads letter by letter.
    pub(super) letters_from: i32,
    pub(super) current: Option<i32>,
    pub(super) error: i32,
    pub(super) is_literal: bool,
    pub(super) body: &'m Body,
    /// Whether the sink is asked about a token.
    pub(super) is_asked: bool,
}

impl<'m> Step<'m> {
    fn new(start: i32, body: &'m Body) -> Self {
        Self {
            start,
            letters_from: start,
            current: None,
            error: start,
            is_literal: false,
            body,
            is_asked: false,
        }
    }
}

impl<'s, 'm> Run<'s, 'm> {
    pub(super) fn new(
        side: &'s Side<'m>,
        common: &'s Common,
        state: u32,
        store: Vec<Term>,
        is_behind: bool,
    ) -> Self {
        Self {
            side,
            common,
            state: StateId(state),
            store,
            at: 0,
            is_finished: false,
            is_cut: false,
            back: None,
            outs: Vec::new(),
            errors: Vec::new(),
            is_behind,
            tokens: 0,
            steps: 0,
            own_names: Vec::new(),
        }
    }

    /// Whether the move ends here, whatever comes next.
    pub(super) fn is_over(&self) -> bool {
        self.is_finished || self.is_cut || self.back.is_some()
    }

    /// The place of the next item.
    pub(super) fn here(&self) -> Term {
        self.back.clone().unwrap_or(Term::Before(self.at))
    }

    /// Runs until an item at `target` or behind it is to be read.
    pub(super) fn advance(&mut self, known: &mut Known, target: i32) -> Result<(), Refusal> {
        let machine = self.side.machine;
        while !self.is_over() {
            let state = machine.states.get(self.state.0 as usize);
            let state = state.ok_or("a successor is no state")?;
            if !matches!(state.kind, StateKind::Steps(_)) && self.at >= target {
                return Ok(());
            }
            if matches!(state.kind, StateKind::Consume(_)) && self.own_names.contains(&self.at) {
                // It has put back a name, and reads it letter by letter now.
                self.back = Some(Term::Before(self.at));
                return Ok(());
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err(format!("`{}` does not get on", state.name));
            }
            if self.side.is_entry[self.state.0 as usize] {
                self.begin_token();
            }
            let mut step = match &state.kind {
                StateKind::Steps(body) => Step::new(self.at, body),
                StateKind::Match { matched, unmatched } => {
                    let start = self.at;
                    if self.matches(known, start)? {
                        self.own_names.push(start);
                        self.consume(1);
                        self.store[self.side.places.matched] = Term::Name(start);
                        Step {
                            error: self.at,
                            letters_from: self.at,
                            ..Step::new(start, matched)
                        }
                    } else {
                        Step::new(start, unmatched)
                    }
                }
                StateKind::Consume(consume) => self.begin_consuming(known, consume)?,
            };
            self.run_body(known, &mut step)?;
        }
        Ok(())
    }

    /// A token begins here, or where the one before it ended if that is later.
    fn begin_token(&mut self) {
        let here = Term::Before(self.at);
        let places = &self.side.places;
        self.store[places.token_start] = match &self.store[places.emitted] {
            Term::Held(_) if self.is_behind => here,
            emitted => later(&here, emitted),
        };
    }

    fn consume(&mut self, count: i32) {
        self.at += count;
        let delivered = &mut self.store[self.side.places.delivered];
        *delivered = later(delivered, &Term::Before(self.at));
    }

    /// Whether the character at an item is in a set, for a step that reads letter by letter from another item on. It may look
    /// at the first letter of a name.
    pub(super) fn reads(
        &self,
        known: &mut Known,
        (from, at): (i32, i32),
        set: &[(u32, u32)],
    ) -> Result<bool, Refusal> {
        if known.names.iter().any(|name| (from..at).contains(name)) {
            return Err(SPELLED.to_owned());
        }
        known.characters.insert(at);
        Ok(known.is_in(&Term::Character(at), set))
    }

    /// The step leaves the characters that it read behind as such: none of them is the first letter of a name.
    pub(super) fn passes(&self, known: &mut Known, step: &Step<'_>) -> Result<(), Refusal> {
        for at in step.letters_from..self.at {
            if known.names.contains(&at) {
                return Err(SPELLED.to_owned());
            }
            known.passed.insert(at);
        }
        Ok(())
    }

    /// Whether the item is the name of a reference.
    fn matches(&self, known: &mut Known, at: i32) -> Result<bool, Refusal> {
        let first = Term::Character(at);
        if self.side.first_letters.is_empty() || known.only(&first) == Some(END) {
            return Ok(false);
        }
        if known.names.contains(&at) {
            return Ok(true);
        }
        if known.is_never(&first, &self.side.first_letters)
            || !known.holds(Question::BeginsReference, vec![Term::Before(at)])
        {
            return Ok(false);
        }
        let mut characters = known.characters.iter();
        if characters.any(|it| *it > at) || known.passed.iter().any(|it| *it >= at) {
            let what = "one side looks for a reference where the other reads letters";
            return Err(what.to_owned());
        }
        known.names.insert(at);
        // What was known of the letters behind the first is not of the items behind the name.
        let is_later = |term: &Term| matches!(term, Term::Character(it) if *it > at);
        known.sets.retain(|term, _| !is_later(term));
        Ok(true)
    }

    fn begin_consuming(
        &mut self,
        known: &mut Known,
        consume: &'m Consume,
    ) -> Result<Step<'m>, Refusal> {
        let start = self.at;
        for literal in &consume.literals {
            if self.continues_with(known, literal)? {
                self.consume(literal.text.chars().count() as i32);
                return Ok(Step {
                    current: Some(self.at - 1),
                    error: self.at - 1,
                    is_literal: true,
                    ..Step::new(start, &literal.body)
                });
            }
        }
        for arm in &consume.arms {
            if self.reads(known, (start, start), arm.set.ranges())? {
                self.consume(1);
                if arm.peeked {
                    self.at = start;
                }
                return Ok(Step {
                    current: Some(start),
                    ..Step::new(start, &arm.body)
                });
            }
        }
        match known.only(&Term::Character(start)) {
            Some(END) => Ok(Step::new(start, &consume.eof)),
            _ => Err("a character has no arm".to_owned()),
        }
    }

    fn continues_with(&self, known: &mut Known, literal: &LiteralArm) -> Result<bool, Refusal> {
        for (at, c) in (self.at..).zip(literal.text.chars()) {
            let set = match literal.ignore_case {
                true => set::both_cases(c),
                false => set::single(c as u32),
            };
            if !self.reads(known, (self.at, at), &set)? {
                return Ok(false);
            }
        }
        Ok(!literal.text.is_empty())
    }

    fn run_body(&mut self, known: &mut Known, step: &mut Step<'m>) -> Result<(), Refusal> {
        loop {
            let body = step.body;
            for action in &body.actions {
                self.act(known, action, step)?;
            }
            match &body.next {
                Next::Go { target, reconsume } => {
                    if !reconsume && self.at > step.start {
                        self.passes(known, step)?;
                    }
                    return self.go(step, *target, *reconsume);
                }
                Next::If {
                    guard,
                    then,
                    otherwise,
                } => {
                    let holds = self.holds(known, guard, step)?;
                    step.body = if holds { then } else { otherwise };
                }
            }
        }
    }

    fn go(&mut self, step: &Step<'m>, target: Target, reconsume: bool) -> Result<(), Refusal> {
        if reconsume {
            self.at = step.start;
            // Also where the body has put back more: what the step consumed decides.
            self.back = None;
        }
        if step.is_asked {
            let here = self.here();
            for out in &mut self.outs {
                if let Out::Token { resume, .. } = out {
                    resume.get_or_insert_with(|| here.clone());
                }
            }
        }
        match target {
            Target::End => {
                self.is_finished = true;
                return Ok(());
            }
            Target::State(state) => self.state = state,
            Target::Register(register) => match &self.store[register.0 as usize] {
                Term::Number(state) => self.state = StateId(*state),
                _ => return Err("a state register may hold several states".to_owned()),
            },
        }
        if step.is_asked {
            // A pause: another name may be set, other input may be inserted.
            self.is_cut = true;
            let places = &self.side.places;
            for at in [places.last_start_tag, places.has_last_start_tag] {
                self.store[at] = self.store[at].clone().outside();
            }
        }
        Ok(())
    }

    /// What is emitted ends behind the characters read, if the step puts none of them back.
    pub(super) fn passes_to_end(&self, known: &mut Known, step: &Step<'_>) -> Result<(), Refusal> {
        match reconsumes(step.body) {
            true => Ok(()),
            false => self.passes(known, step),
        }
    }

    /// Sets what an entry sets.
    pub(super) fn enter(store: &mut [Term], entry: &Entry) {
        for (register, value) in &entry.sets {
            store[register.0 as usize] = Term::Number(*value);
        }
    }

    /// The kind, among those of its token, of the token under construction.
    pub(super) fn kind(&self, known: &mut Known, token: TokenId) -> usize {
        let kinds = &self.side.kinds[token.0 as usize];
        let term = &self.store[self.side.places.tokens[token.0 as usize].kind];
        let mut kinds = kinds.iter();
        let found = kinds.position(|kind| known.is_in(term, &set::single(*kind)));
        found.unwrap_or(0)
    }
}
