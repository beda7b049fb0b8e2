//! Running one machine step by step, on input that may not have come yet.
//!
//! This is the interpreter's meaning in the shape that a search needs: a step either runs whole or, where
//! it depends on characters that are not there yet, not at all.

mod actions;
pub(in crate::diff) mod configuration;
mod guards;
pub(in crate::diff) mod steps;

use configuration::{Configuration, LITERAL, Register, Symbol, Text, Value};
use speclex_codegen::analyse::{FIRST, bodies, next_number};
use speclex_codegen::machine::{
    Action, Body, Consume, Guard, LiteralArm, Machine, Next, StateId, StateKind, Target,
};
use speclex_codegen::uses::Variable;
use steps::{InputAt, Item, KnownInput, Reported, StepOutcome, StepOutput, StepTaken, TakenPath};

use crate::character_classes::SetIndex;
use crate::paths::ArmIndex;

/// A step under way.
pub(in crate::diff) struct Step<'m> {
    pub(in crate::diff) start: u32,
    pub(in crate::diff) current: Option<Symbol>,
    pub(in crate::diff) error_place: u32,
    pub(in crate::diff) literal: bool,
    pub(in crate::diff) body: &'m Body,
    pub(in crate::diff) path: u32,
    /// Whether more was changed than texts.
    pub(in crate::diff) remembers: bool,
}

/// A machine made ready to run.
#[derive(Debug)]
pub(in crate::diff) struct Runner<'m> {
    pub(in crate::diff) machine: &'m Machine,
    /// The references that are told apart: those of the machine, or one for each outcome.
    pub(in crate::diff) references: Vec<(String, String)>,
    /// For each consuming state the arm of each character.
    arms: Vec<Option<SetIndex>>,
    is_entry: Vec<bool>,
    /// Whether a body of the state asks what comes next.
    looks_ahead: Vec<bool>,
    pub(in crate::diff) name_fields: Vec<Option<usize>>,
}

fn looks_ahead(guard: &Guard) -> bool {
    matches!(
        guard,
        Guard::NextIn { .. } | Guard::NextAre { .. } | Guard::NextIsLastStartTag { .. }
    )
}

impl<'m> Runner<'m> {
    pub(in crate::diff) fn new(machine: &'m Machine, references: Vec<(String, String)>) -> Self {
        let arms = machine.states.iter().map(|state| match &state.kind {
            StateKind::Consume(consume) => {
                Some(SetIndex::new(consume.arms.iter().map(|arm| &arm.set)))
            }
            _ => None,
        });
        let mut is_entry = vec![false; machine.states.len()];
        for entry in &machine.entries {
            if let Some(is_entry) = is_entry.get_mut(entry.state.0 as usize) {
                *is_entry = true;
            }
        }
        let tokens = machine.vocabulary.tokens.iter();
        let looks_ahead = machine.states.iter().map(|state| {
            let mut questions = bodies(state).into_iter().flat_map(Body::all_questions);
            questions.any(looks_ahead)
        });
        Self {
            machine,
            references,
            arms: arms.collect(),
            is_entry,
            looks_ahead: looks_ahead.collect(),
            name_fields: tokens
                .map(|token| token.fields.iter().position(|field| field.name == "name"))
                .collect(),
        }
    }

    /// Whether a state asks for the last start tag's name.
    pub(in crate::diff) fn looks_for_tag(&self, state: u32) -> bool {
        let is_known = self.looks_ahead.get(state as usize) == Some(&true);
        let state = self.machine.states.get(state as usize).filter(|_| is_known);
        let mut questions = state
            .into_iter()
            .flat_map(bodies)
            .flat_map(Body::all_questions);
        questions.any(|it| matches!(it, Guard::NextIsLastStartTag { .. }))
    }

    /// Runs steps as far as the input decides.
    pub(in crate::diff) fn run(
        &self,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> StepOutcome {
        loop {
            match self.step(side, known, out) {
                StepOutcome::Ran => {}
                stopped => return stopped,
            }
        }
    }

    /// Tries to take a step.
    pub(in crate::diff) fn step(
        &self,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> StepOutcome {
        let Some(state) = side.state else {
            return StepOutcome::Finished;
        };
        let looks_ahead = self.looks_ahead.get(state as usize).copied();
        if looks_ahead != Some(true) {
            return self.step_at_once(state, side, known, out);
        }
        let before = side.clone();
        let counts = (out.items.len(), out.errors.len(), out.steps.len());
        let flags = (out.asked.len(), out.answerable, out.not_uniform);
        let tried = self.step_at_once(state, side, known, out);
        if tried == StepOutcome::Waits {
            *side = before;
            out.items.truncate(counts.0);
            out.errors.truncate(counts.1);
            out.steps.truncate(counts.2);
            out.asked.truncate(flags.0);
            (_, out.answerable, out.not_uniform) = flags;
        }
        tried
    }

    fn step_at_once(
        &self,
        state: u32,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> StepOutcome {
        let Some(declared) = self.machine.states.get(state as usize) else {
            return StepOutcome::Stuck;
        };
        if !known.ended && known.characters.is_empty() {
            return StepOutcome::Waits;
        }
        let (start, delivered) = (side.place, side.delivered);
        let (arm, mut step) = match &declared.kind {
            StateKind::Steps(body) => (ArmIndex::Steps, Step::new(start, None, body)),
            StateKind::Match { matched, unmatched } => match self.find(known, start) {
                None => return StepOutcome::Waits,
                Some(None) => (ArmIndex::Unmatched, Step::new(start, None, unmatched)),
                Some(Some((index, length))) => {
                    side.matched = Some((index, start));
                    side.place += length;
                    self.deliver(side, known, out);
                    let step = Step::new(start, None, matched);
                    let error_place = side.place;
                    (
                        ArmIndex::Matched,
                        Step {
                            error_place,
                            ..step
                        },
                    )
                }
            },
            StateKind::Consume(consume) => match self.consume(state, consume, side, known, out) {
                Ok(begun) => begun,
                Err(stopped) => return stopped,
            },
        };
        if self.is_entry.get(state as usize) == Some(&true) {
            side.token_start = start.max(side.emitted);
        }
        side.steps += 1;
        loop {
            for action in &step.body.actions {
                step.remembers |= changes_more_than_text(action);
                let done = self.run_action(action, &mut step, side, known, out);
                if done.is_none() {
                    return StepOutcome::Stuck;
                }
            }
            match &step.body.next {
                Next::Go { target, reconsume } => {
                    let taken = TakenPath {
                        state,
                        arm,
                        path: step.path,
                    };
                    let went = self.follow_target(taken, &step, *target, *reconsume, side, out);
                    return self.check_progress(delivered, side, went);
                }
                Next::If {
                    guard,
                    then,
                    otherwise,
                } => match self.guard_holds(guard, &step, side, known, out) {
                    None => return StepOutcome::Waits,
                    Some(holds) => {
                        step.body = if holds { then } else { otherwise };
                        step.path = next_number(step.path, holds);
                    }
                },
            }
        }
    }

    fn consume(
        &self,
        state: u32,
        consume: &'m Consume,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> Result<(ArmIndex, Step<'m>), StepOutcome> {
        let start = side.place;
        for (index, literal) in (0..).zip(&consume.literals) {
            match continues_with(known, start, literal) {
                None => return Err(StepOutcome::Waits),
                Some(false) => {}
                Some(true) => {
                    side.place += literal.text.chars().count() as u32;
                    self.deliver(side, known, out);
                    let last = side.place - 1;
                    let current = symbol_at(known, last);
                    let step = Step {
                        error_place: last,
                        literal: true,
                        ..Step::new(start, current, &literal.body)
                    };
                    return Ok((ArmIndex::Literal(index), step));
                }
            }
        }
        let c = match known.at(start) {
            InputAt::Character(c) => c,
            InputAt::End => return Ok((ArmIndex::Eof, Step::new(start, None, &consume.eof))),
            InputAt::Unknown => return Err(StepOutcome::Waits),
        };
        let index = self.arm_of(state, c).ok_or(StepOutcome::Stuck)?;
        let arm = consume.arms.get(index).ok_or(StepOutcome::Stuck)?;
        side.place += 1;
        self.deliver(side, known, out);
        if arm.peeked {
            side.place = start;
        }
        let current = symbol_at(known, start);
        let arm_index = ArmIndex::Set(index as u32);
        Ok((arm_index, Step::new(start, current, &arm.body)))
    }

    /// Which arm of a state a character takes.
    fn arm_of(&self, state: u32, c: char) -> Option<usize> {
        self.arms.get(state as usize)?.as_ref()?.find(c)
    }

    /// Characters consumed for the first time may be errors of the input stream.
    fn deliver(&self, side: &mut Configuration, known: &KnownInput<'_>, out: &mut StepOutput) {
        while side.delivered < side.place {
            if let InputAt::Character(c) = known.at(side.delivered) {
                let errors = &self.machine.preprocessing.errors;
                if let Some((_, error)) = errors.iter().find(|(set, _)| set.contains(c)) {
                    out.errors.push(Reported {
                        code: error.0,
                        place: side.delivered,
                        step: side.steps,
                    });
                }
            }
            side.delivered += 1;
        }
    }

    /// The longest reference that the input continues with: its index and length.
    fn find(&self, known: &KnownInput<'_>, start: u32) -> Option<Option<(u32, u32)>> {
        let first = |(name, _): &(String, String)| name.chars().next();
        let all = &self.references;
        let candidates = match known.at(start) {
            // They are sorted by name.
            InputAt::Character(c) => {
                let from = all.partition_point(|reference| first(reference) < Some(c));
                from..all.partition_point(|reference| first(reference) <= Some(c))
            }
            InputAt::End => 0..0,
            InputAt::Unknown => 0..all.len(),
        };
        let mut found = None;
        for (index, (name, _)) in (candidates.start as u32..).zip(&all[candidates]) {
            let mut length = 0;
            let matches = name.chars().all(|c| {
                let fits = known.at(start + length) == InputAt::Character(c);
                length += u32::from(fits);
                fits
            });
            if !matches {
                if known.at(start + length) == InputAt::Unknown {
                    return None;
                }
            } else if found.is_none_or(|(_, longest)| length > longest) {
                found = Some((index, length));
            }
        }
        Some(found)
    }

    fn follow_target(
        &self,
        taken: TakenPath,
        step: &Step<'m>,
        target: Target,
        reconsume: bool,
        side: &mut Configuration,
        out: &mut StepOutput,
    ) -> StepOutcome {
        if reconsume {
            side.place = step.start;
        }
        out.steps.push(StepTaken {
            taken,
            start: step.start,
            end: side.place,
            remembers: step.remembers,
        });
        match target {
            Target::State(StateId(state)) => side.state = Some(state),
            Target::Register(register) => match side.registers().get(register.0 as usize) {
                Some(Register::State(state)) => side.state = Some(*state),
                _ => return StepOutcome::Stuck,
            },
            Target::End => {
                side.state = None;
                close_run(side, out);
            }
        }
        StepOutcome::Ran
    }

    /// Whether it still gets on: to characters that it has not had before.
    fn check_progress(
        &self,
        delivered: u32,
        side: &mut Configuration,
        went: StepOutcome,
    ) -> StepOutcome {
        if side.delivered > delivered {
            side.idle = 0;
        } else {
            side.idle += 1;
        }
        let patience = self.machine.states.len() as u32 + 64;
        match side.idle > patience {
            true => StepOutcome::Stuck,
            false => went,
        }
    }
}

impl<'m> Step<'m> {
    fn new(start: u32, current: Option<Symbol>, body: &'m Body) -> Self {
        Self {
            start,
            current,
            error_place: start,
            literal: false,
            body,
            path: FIRST,
            remembers: false,
        }
    }
}

/// Whether an action changes a register that is no text, or a flag or the kind of a token under construction.
pub(in crate::diff) fn changes_more_than_text(action: &Action) -> bool {
    match action {
        Action::AppendRegister(..) | Action::SetText(..) => false,
        other => is_flag(other) || matches!(other.changes(), Some(Variable::Register(_))),
    }
}

/// Whether an action changes a flag or the kind of a token under construction.
pub(in crate::diff) fn is_flag(action: &Action) -> bool {
    matches!(action, Action::SetFlag(..) | Action::SetKind(..))
}

/// A run of character tokens ends where another token comes.
pub(in crate::diff) fn close_run(side: &mut Configuration, out: &mut StepOutput) {
    if let Some((start, end)) = side.run.take() {
        out.items.push(Item::RunEnd(start, end));
    }
}

fn symbol_at(known: &KnownInput<'_>, place: u32) -> Option<Symbol> {
    let &c = known.characters.get(place as usize)?;
    let out_of = 0;
    Some(Symbol { c, place, out_of })
}

/// Whether the input continues with a literal; `None` when more is needed to know.
fn continues_with(known: &KnownInput<'_>, start: u32, literal: &LiteralArm) -> Option<bool> {
    for (place, expected) in (start..).zip(literal.text.chars()) {
        match known.at(place) {
            InputAt::Character(c) if c == expected => {}
            InputAt::Character(c) if literal.ignore_case && c.eq_ignore_ascii_case(&expected) => {}
            InputAt::Character(_) | InputAt::End => return Some(false),
            InputAt::Unknown => return None,
        }
    }
    Some(!literal.text.is_empty())
}

/// A text as symbols that are not from the input.
pub(in crate::diff) fn literal_text(text: &str) -> Text {
    let (place, out_of) = (LITERAL, 0);
    text.chars().map(|c| Symbol { c, place, out_of }).collect()
}

/// The text of a field.
pub(in crate::diff) fn field_text(value: &Value) -> &[Symbol] {
    match value {
        Value::Text(text) => text,
        _ => &[],
    }
}
