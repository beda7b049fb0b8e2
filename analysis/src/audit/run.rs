//! Runs the steps of a state for one input, on either side, and says what was done in a form in which equal
//! behaviour is equal.

use std::collections::BTreeMap;

use super::facts::{
    Act, Arm, Body, Cond, Consume, Literal, Piece, Returned, State, Step, To, literal,
};
use super::side::Side;
use super::trace::{Consumed, Trace};
use super::variables::{Assignment, Val, Var, next_are, yes};

/// What a state is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    /// The state is entered.
    Enter,
    Char(char),
    /// The input continues with this.
    Text(String),
    Eof,
    /// A state that consumes nothing runs.
    Run,
    Match,
    NoMatch,
}

/// What was done, and which arm did it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    pub(crate) trace: Trace,
    /// The arm's label and line.
    pub(crate) arm: Option<(String, usize)>,
}

/// Runs a state of a side.
pub(crate) fn run(side: &Side<'_>, state: &State, event: &Event, values: &Assignment) -> Ran {
    let mut runner = Runner {
        side,
        state,
        event,
        values,
        numbers: BTreeMap::new(),
        trace: Trace::default(),
        anything_else: None,
        returned: None,
        looks: false,
        stopped: false,
    };
    for (var, value) in values {
        if let (Var::Number(register), Val::Number(number)) = (var, value) {
            runner.numbers.insert(register.clone(), *number);
        }
    }
    let arm = match event {
        Event::Enter => {
            runner.steps(&state.entry);
            None
        }
        _ => runner.body(&state.body),
    };
    Ran {
        trace: runner.trace.normal(side),
        arm,
    }
}

struct Runner<'r> {
    side: &'r Side<'r>,
    state: &'r State,
    event: &'r Event,
    values: &'r Assignment,
    numbers: BTreeMap<String, u32>,
    trace: Trace,
    anything_else: Option<&'r [Step]>,
    returned: Option<Returned>,
    looks: bool,
    stopped: bool,
}

impl<'r> Runner<'r> {
    fn body(&mut self, body: &'r Body) -> Option<(String, usize)> {
        match body {
            Body::Steps(steps) => {
                self.list(steps);
                None
            }
            Body::Branch(cond, then, otherwise) => match self.holds(cond) {
                true => self.body(then),
                false => self.body(otherwise),
            },
            Body::Match { matched, unmatched } => {
                let arm = match self.event {
                    Event::Match => matched,
                    _ => unmatched,
                };
                self.list(&arm.steps);
                Some((arm.label.clone(), arm.line))
            }
            Body::Consume(consume) => {
                let arm = self.choose(consume)?;
                self.looks = consume.looks || arm.peeked;
                self.trace.consumed = match self.event {
                    _ if self.looks => Consumed::Nothing,
                    _ => Consumed::One,
                };
                self.anything_else = consume.anything_else.as_ref().map(|a| a.steps.as_slice());
                self.list(&arm.steps);
                Some((arm.label.clone(), arm.line))
            }
        }
    }

    /// The arm that takes the input.
    fn choose(&self, consume: &'r Consume) -> Option<&'r Arm> {
        let taken = |arm: &&Arm| match self.event {
            Event::Eof => arm.eof,
            Event::Text(text) => match &arm.literal {
                Some(literal) => matches(literal, text),
                None => text.chars().next().is_some_and(|c| self.takes(arm, c)),
            },
            Event::Char(c) => arm.literal.is_none() && self.takes(arm, *c),
            _ => false,
        };
        let own = consume.arms.iter().find(taken);
        own.or(consume.anything_else.as_ref())
    }

    fn takes(&self, arm: &Arm, c: char) -> bool {
        let seen = self.side.seen(c);
        arm.set.contains(seen) || (arm.allowed && self.value(&Var::Allowed) == Some(&Val::Char(c)))
    }

    /// Runs a list; steps for leaving the state go in front if it is left.
    fn list(&mut self, steps: &'r [Step]) {
        self.steps(steps);
        if !self.state.leaving.is_empty()
            && self.trace.to.as_ref().is_some_and(|to| *to != To::Stay)
        {
            let after = std::mem::take(&mut self.trace.acts);
            self.stopped = false;
            self.steps(&self.state.leaving);
            self.trace.acts.extend(after);
        }
    }

    fn steps(&mut self, steps: &'r [Step]) {
        for (index, step) in steps.iter().enumerate() {
            if self.stopped {
                return;
            }
            match step {
                Step::Do(act) => self.act(act),
                Step::If(cond, then, otherwise) => match self.holds(cond) {
                    true => self.steps(then),
                    false => self.steps(otherwise),
                },
                Step::Go(to) => self.go(to),
                Step::Reconsume => {
                    self.trace.consumed = Consumed::Nothing;
                }
                Step::ConsumeAll => {
                    self.trace.consumed = match self.event {
                        Event::Text(_) => Consumed::All,
                        _ => Consumed::One,
                    };
                }
                Step::AsAnythingElse => {
                    if let Some(steps) = self.anything_else {
                        self.steps(steps);
                    }
                }
                Step::Attempt(allowed) => {
                    self.attempt(*allowed);
                    return;
                }
                Step::Return(returned) => {
                    self.returns(returned);
                    return;
                }
            }
            let _ = index;
        }
    }

    fn go(&mut self, to: &To) {
        let to = match to {
            To::State(name) if *name == self.state.name && !self.side.has_entry(name) => To::Stay,
            To::Back => To::Register(back_register(&self.caller_or_self())),
            to => to.clone(),
        };
        self.trace.to = Some(to.clone());
        if let To::State(name) = &to {
            if self.side.switches_back(name) {
                let act = Act::Back(name.clone(), self.state.name.clone());
                self.trace.acts.push(act);
            }
            if self.side.includes(name) && self.trace.consumed == Consumed::One {
                self.trace.consumed = Consumed::Nothing;
            }
            if let Some(inner) = self.side.inner_entry(name) {
                self.steps(inner);
            }
        }
    }

    /// Whose "switch back" it is: that of the state that attempts the procedure.
    fn caller_or_self(&self) -> String {
        match self.value(&Var::Caller) {
            Some(Val::Word(caller)) if self.state.inner => caller.clone(),
            _ => self.state.name.clone(),
        }
    }

    fn attempt(&mut self, allowed: Option<Option<char>>) {
        let passes_on = self.side.gets_allowed(&self.state.name);
        match allowed {
            Some(character) => self.trace.acts.push(Act::SetAllowed(character)),
            None if passes_on || !self.side.knows_allowed() => {}
            None => self.trace.acts.push(Act::SetAllowed(None)),
        }
        if self.side.callers.len() > 1 {
            self.trace.acts.push(Act::Call(self.state.name.clone()));
        }
        self.trace.acts.push(Act::Mark);
        self.trace.to = self.side.procedure.clone().map(To::State);
        self.stopped = true;
    }

    /// Goes on as the caller does.
    fn returns(&mut self, returned: &Returned) {
        if self.returned.is_some() {
            return;
        }
        let caller = match self.value(&Var::Caller) {
            Some(Val::Word(name)) => self.side.callers.iter().find(|c| c.name == *name),
            _ => self.side.callers.first(),
        };
        let Some(caller) = caller else {
            self.stopped = true;
            return;
        };
        self.returned = Some(returned.clone());
        if let Some(to) = &caller.to {
            self.trace.to = Some(to.clone());
        }
        self.steps(caller.steps);
        self.stopped = true;
        if *returned == Returned::Nothing {
            self.trace.acts.push(Act::Rewind);
        }
    }

    fn act(&mut self, act: &Act) {
        let mut act = act.clone();
        match &mut act {
            Act::EmitText(value) | Act::Write { value, .. } => {
                *value = value.iter().flat_map(|piece| self.piece(piece)).collect();
            }
            Act::SetNumber(register, number) if self.numbers.contains_key(register) => {
                self.numbers.insert(register.clone(), *number);
                if !self.side.tracks(register) {
                    return;
                }
            }
            Act::Replace(register) => {
                if let Some(number) = self.numbers.get_mut(register) {
                    if let Some(to) = self.side.replacement(*number) {
                        *number = to;
                    }
                    return;
                }
            }
            Act::Emit(token @ None) => *token = self.side.current_token(&self.state.name),
            _ => {}
        }
        self.trace.acts.push(act);
    }

    fn piece(&self, piece: &Piece) -> Vec<Piece> {
        let current = match (piece, self.event) {
            (Piece::Current | Piece::LowerCurrent, Event::Char(c)) => self.side.seen(*c),
            (Piece::Returned, _) => {
                return match &self.returned {
                    Some(Returned::Text(pieces)) => {
                        pieces.iter().flat_map(|p| self.piece(p)).collect()
                    }
                    _ => vec![Piece::Returned],
                };
            }
            (Piece::Code(register), _) => match self.numbers.get(register) {
                Some(number) => char::from_u32(*number).unwrap_or('\u{FFFD}'),
                None => return vec![piece.clone()],
            },
            _ => return vec![piece.clone()],
        };
        let current = match piece {
            Piece::LowerCurrent => current.to_ascii_lowercase(),
            _ => current,
        };
        literal(&current.to_string())
    }

    fn value(&self, var: &Var) -> Option<&'r Val> {
        self.values.get(var)
    }

    fn is(&self, name: &str) -> bool {
        self.value(&yes(name)) == Some(&Val::Bool(true))
    }

    fn word_in(&self, var: &Var, words: &[String]) -> bool {
        matches!(self.value(var), Some(Val::Word(word)) if words.contains(word))
    }

    fn holds(&self, cond: &Cond) -> bool {
        match cond {
            Cond::True => true,
            Cond::Appropriate => self.is("appropriate"),
            Cond::TextIs {
                register,
                any_of,
                ignore_case,
            } => match self.value(&Var::Text(register.clone())) {
                Some(Val::Word(word)) => any_of
                    .iter()
                    .any(|one| one == word || (*ignore_case && one.eq_ignore_ascii_case(word))),
                _ => false,
            },
            Cond::WordIs(register, words) => self.word_in(&Var::Word(register.clone()), words),
            Cond::StateIs(register, names) => self.word_in(&Var::State(register.clone()), names),
            Cond::KindIs(token, kind) => {
                self.word_in(&Var::Kind(token.clone()), std::slice::from_ref(kind))
            }
            Cond::Caller(callers) => self.word_in(&Var::Caller, callers),
            Cond::InAttribute => false,
            Cond::NumberIn(register, ranges) => self
                .numbers
                .get(register)
                .is_some_and(|number| ranges.iter().any(|(a, b)| (a..=b).contains(&number))),
            Cond::HasReplacement(register) => self
                .numbers
                .get(register)
                .is_some_and(|number| self.side.replacement(*number).is_some()),
            Cond::CurrentIn(set) => matches!(self.event, Event::Char(c) if set.contains(*c)),
            Cond::CurrentIsAllowed => match (self.event, self.value(&Var::Allowed)) {
                (Event::Char(c), Some(Val::Char(allowed))) => c == allowed,
                _ => false,
            },
            Cond::LastMatched(set) => match self.value(&Var::LastMatched) {
                Some(Val::Char(c)) => set.contains(*c),
                _ => false,
            },
            Cond::Next(set, eof) => match self.value(&Var::Next) {
                Some(Val::Char(c)) => set.contains(*c),
                _ => *eof,
            },
            Cond::NextAre(run, then) => self.value(&next_are(run, then)) == Some(&Val::Bool(true)),
            Cond::NextIsName => self.value(&Var::Name) != Some(&Val::Mismatch),
            Cond::NextIsNameThen(set, eof) => match self.value(&Var::Name) {
                Some(Val::Char(c)) => set.contains(*c),
                Some(Val::None) => *eof,
                _ => false,
            },
            Cond::NextIs(literal) => match self.event {
                Event::Text(text) => matches(literal, text),
                _ => false,
            },
            Cond::StartTagEmitted => self.is("emitted"),
            Cond::LastConsumed(text) => self.is(&format!("last {text}")),
            Cond::Question(question) => self.is(&format!("question {question}")),
            Cond::Duplicate => self.is("duplicate"),
            Cond::HasAttributes => self.is("attributes"),
            Cond::FlagIs(flag) => self.is(&format!("flag {flag}")),
            Cond::Matched => *self.event == Event::Match,
            Cond::AtEof => *self.event == Event::Eof,
            Cond::ReturnedNothing => self.returned == Some(Returned::Nothing),
            Cond::ReturnedToken => matches!(self.returned, Some(Returned::Token(_))),
            Cond::Not(inner) => !self.holds(inner),
            Cond::All(all) => all.iter().all(|cond| self.holds(cond)),
            Cond::Any(any) => any.iter().any(|cond| self.holds(cond)),
        }
    }
}

/// The register of a state that switches back.
pub(crate) fn back_register(state: &str) -> String {
    format!("state that switched to {state}")
}

fn matches(literal: &Literal, text: &str) -> bool {
    literal.text == text || (literal.ignore_case && literal.text.eq_ignore_ascii_case(text))
}
