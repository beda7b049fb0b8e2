//! Runs the steps of a state for one input, of either model, and says what was done in a form in which equal
//! behaviour is equal.

use std::collections::{BTreeMap, HashSet};

use crate::facts::{
    Action, Arm, Body, Consume, Guard, Literal, Piece, Place, Returned, SWITCHED_TO, State, Step,
    Successor, literal,
};
use crate::inputs::{Assignment, Event, Val, Var, boolean, next_are};
use crate::model::Model;

/// What was done, and which arm did it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) trace: Trace,
    /// The arm's label and line.
    pub(crate) arm: Option<(String, usize)>,
}

/// Runs a state of a model.
pub(crate) fn evaluate(
    model: &Model<'_>,
    state: &State,
    event: &Event,
    values: &Assignment,
) -> Outcome {
    let mut evaluator = Evaluator {
        model,
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
            evaluator.numbers.insert(register.clone(), *number);
        }
    }
    let arm = match event {
        Event::Enter => {
            evaluator.steps(&state.entry);
            None
        }
        _ => evaluator.body(&state.body),
    };
    Outcome {
        trace: evaluator.trace.normalized(model),
        arm,
    }
}

struct Evaluator<'r> {
    model: &'r Model<'r>,
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

impl<'r> Evaluator<'r> {
    fn body(&mut self, body: &'r Body) -> Option<(String, usize)> {
        match body {
            Body::Steps(steps) => {
                self.run_arm(steps);
                None
            }
            Body::Branch(guard, then, otherwise) => match self.is_true(guard) {
                true => self.body(then),
                false => self.body(otherwise),
            },
            Body::Match { matched, unmatched } => {
                let arm = match self.event {
                    Event::Match => matched,
                    _ => unmatched,
                };
                self.run_arm(&arm.steps);
                Some((arm.label.clone(), arm.line))
            }
            Body::Consume(consume) => {
                let arm = self.matching_arm(consume)?;
                self.looks = consume.looks || arm.peeked;
                self.trace.consumed = match self.event {
                    _ if self.looks => Consumed::Nothing,
                    _ => Consumed::One,
                };
                self.anything_else = consume.anything_else.as_ref().map(|a| a.steps.as_slice());
                self.run_arm(&arm.steps);
                Some((arm.label.clone(), arm.line))
            }
        }
    }

    /// The arm that takes the input.
    fn matching_arm(&self, consume: &'r Consume) -> Option<&'r Arm> {
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
        let seen = self.model.preprocessed(c);
        arm.set.contains(seen) || (arm.allowed && self.value(&Var::Allowed) == Some(&Val::Char(c)))
    }

    /// Runs a list; steps for leaving the state go in front if it is left.
    fn run_arm(&mut self, steps: &'r [Step]) {
        self.steps(steps);
        if !self.state.leaving.is_empty()
            && self
                .trace
                .to
                .as_ref()
                .is_some_and(|to| *to != Successor::Stay)
        {
            let after = std::mem::take(&mut self.trace.actions);
            self.stopped = false;
            self.steps(&self.state.leaving);
            self.trace.actions.extend(after);
        }
    }

    fn steps(&mut self, steps: &'r [Step]) {
        for step in steps {
            if self.stopped {
                return;
            }
            match step {
                Step::Do(action) => self.action(action),
                Step::If(guard, then, otherwise) => match self.is_true(guard) {
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
                    self.return_to_caller(returned);
                    return;
                }
            }
        }
    }

    fn go(&mut self, to: &Successor) {
        let to = match to {
            Successor::State(name)
                if *name == self.state.name && !self.model.has_entry_steps(name) =>
            {
                Successor::Stay
            }
            Successor::Back => {
                Successor::Register(format!("{SWITCHED_TO}{}", self.caller_or_self()))
            }
            to => to.clone(),
        };
        self.trace.to = Some(to.clone());
        if let Successor::State(name) = &to {
            if self.model.switches_back(name) {
                let action = Action::Back(name.clone(), self.state.name.clone());
                self.trace.actions.push(action);
            }
            if self.model.includes(name) && self.trace.consumed == Consumed::One {
                self.trace.consumed = Consumed::Nothing;
            }
            if let Some(inner) = self.model.inner_entry_steps(name) {
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
        let passes_on = self.model.gets_allowed(&self.state.name);
        match allowed {
            Some(character) => self.trace.actions.push(Action::SetAllowed(character)),
            None if passes_on || !self.model.has_allowed() => {}
            None => self.trace.actions.push(Action::SetAllowed(None)),
        }
        if self.model.callers.len() > 1 {
            self.trace
                .actions
                .push(Action::Call(self.state.name.clone()));
        }
        self.trace.actions.push(Action::Mark);
        self.trace.to = self.model.procedure.clone().map(Successor::State);
        self.stopped = true;
    }

    /// Goes on as the caller does.
    fn return_to_caller(&mut self, returned: &Returned) {
        if self.returned.is_some() {
            return;
        }
        let caller = match self.value(&Var::Caller) {
            Some(Val::Word(name)) => self.model.callers.iter().find(|c| c.name == *name),
            _ => self.model.callers.first(),
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
            self.trace.actions.push(Action::Rewind);
        }
    }

    fn action(&mut self, action: &Action) {
        let mut action = action.clone();
        match &mut action {
            Action::EmitText(value) | Action::Write { value, .. } => {
                *value = value.iter().flat_map(|piece| self.piece(piece)).collect();
            }
            Action::SetNumber(register, number) if self.numbers.contains_key(register) => {
                self.numbers.insert(register.clone(), *number);
                if !self.model.tracks(register) {
                    return;
                }
            }
            Action::Replace(register) => {
                if let Some(number) = self.numbers.get_mut(register) {
                    if let Some(to) = self.model.replacement(*number) {
                        *number = to;
                    }
                    return;
                }
            }
            Action::Emit(token @ None) => *token = self.model.current_token(&self.state.name),
            _ => {}
        }
        self.trace.actions.push(action);
    }

    fn piece(&self, piece: &Piece) -> Vec<Piece> {
        let current = match (piece, self.event) {
            (Piece::Current | Piece::LowerCurrent, Event::Char(c)) => self.model.preprocessed(*c),
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

    fn is_set(&self, name: &str) -> bool {
        self.value(&boolean(name)) == Some(&Val::Bool(true))
    }

    fn word_in(&self, var: &Var, words: &[String]) -> bool {
        matches!(self.value(var), Some(Val::Word(word)) if words.contains(word))
    }

    fn is_true(&self, guard: &Guard) -> bool {
        match guard {
            Guard::True => true,
            Guard::Appropriate => self.is_set("appropriate"),
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => match self.value(&Var::Text(register.clone())) {
                Some(Val::Word(word)) => any_of
                    .iter()
                    .any(|one| one == word || (*ignore_case && one.eq_ignore_ascii_case(word))),
                _ => false,
            },
            Guard::WordIs(register, words) => self.word_in(&Var::Word(register.clone()), words),
            Guard::StateIs(register, names) => self.word_in(&Var::State(register.clone()), names),
            Guard::KindIs(token, kind) => {
                self.word_in(&Var::Kind(token.clone()), std::slice::from_ref(kind))
            }
            Guard::Caller(callers) => self.word_in(&Var::Caller, callers),
            Guard::InAttribute => false,
            Guard::NumberIn(register, ranges) => self
                .numbers
                .get(register)
                .is_some_and(|number| ranges.iter().any(|(a, b)| (a..=b).contains(&number))),
            Guard::HasReplacement(register) => self
                .numbers
                .get(register)
                .is_some_and(|number| self.model.replacement(*number).is_some()),
            Guard::CurrentIn(set) => matches!(self.event, Event::Char(c) if set.contains(*c)),
            Guard::CurrentIsAllowed => match (self.event, self.value(&Var::Allowed)) {
                (Event::Char(c), Some(Val::Char(allowed))) => c == allowed,
                _ => false,
            },
            Guard::LastMatched(set) => match self.value(&Var::LastMatched) {
                Some(Val::Char(c)) => set.contains(*c),
                _ => false,
            },
            Guard::Next(set, eof) => match self.value(&Var::Next) {
                Some(Val::Char(c)) => set.contains(*c),
                _ => *eof,
            },
            Guard::NextAre(run, then) => self.value(&next_are(run, then)) == Some(&Val::Bool(true)),
            Guard::NextIsName => self.value(&Var::Name) != Some(&Val::Mismatch),
            Guard::NextIsNameThen(set, eof) => match self.value(&Var::Name) {
                Some(Val::Char(c)) => set.contains(*c),
                Some(Val::None) => *eof,
                _ => false,
            },
            Guard::NextIs(literal) => match self.event {
                Event::Text(text) => matches(literal, text),
                _ => false,
            },
            Guard::StartTagEmitted => self.is_set("emitted"),
            Guard::LastConsumed(text) => self.is_set(&format!("last {text}")),
            Guard::Question(question) => self.is_set(&format!("question {question}")),
            Guard::Duplicate => self.is_set("duplicate"),
            Guard::HasAttributes => self.is_set("attributes"),
            Guard::FlagIs(flag) => self.is_set(&format!("flag {flag}")),
            Guard::Matched => *self.event == Event::Match,
            Guard::AtEof => *self.event == Event::Eof,
            Guard::ReturnedNothing => self.returned == Some(Returned::Nothing),
            Guard::ReturnedToken => matches!(self.returned, Some(Returned::Token(_))),
            Guard::Not(inner) => !self.is_true(inner),
            Guard::All(all) => all.iter().all(|guard| self.is_true(guard)),
            Guard::Any(any) => any.iter().any(|guard| self.is_true(guard)),
        }
    }
}

fn matches(literal: &Literal, text: &str) -> bool {
    literal.text == text || (literal.ignore_case && literal.text.eq_ignore_ascii_case(text))
}

/// How much of the input a state has consumed when it is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Consumed {
    #[default]
    Nothing,
    One,
    /// All of the string that was looked for.
    All,
}

/// Actions in order, and where they lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) actions: Vec<Action>,
    pub(crate) to: Option<Successor>,
    pub(crate) consumed: Consumed,
}

impl Trace {
    /// The form in which equal behaviour is equal: writes to the same place are joined, and a new token's
    /// text is not made empty again.
    fn normalized(self, model: &Model<'_>) -> Self {
        let mut fresh: HashSet<Place> = HashSet::new();
        let mut created: Option<String> = None;
        let mut actions: Vec<Action> = Vec::with_capacity(self.actions.len());
        for action in self.actions {
            match action {
                Action::Create(kind) => {
                    created = model.token_of(&kind);
                    fresh.clear();
                    actions.push(Action::Create(kind));
                }
                Action::StartAttribute => {
                    fresh.remove(&Place::AttributeName);
                    fresh.remove(&Place::AttributeValue);
                    created = Some("attribute".to_owned());
                    actions.push(Action::StartAttribute);
                }
                Action::Write { target, set, value } => {
                    let new = belongs(&target, created.as_deref()) && fresh.insert(target.clone());
                    let optional = model.is_optional(&target);
                    if new && value.is_empty() && !optional {
                        fresh.remove(&target);
                        continue;
                    }
                    let set = set && !new;
                    write(&mut actions, target, set, value, optional);
                }
                Action::EmitText(value) => match actions.last_mut() {
                    Some(Action::EmitText(before)) => join(before, value),
                    _ if value.is_empty() => {}
                    _ => {
                        let mut joined = Vec::new();
                        join(&mut joined, value);
                        actions.push(Action::EmitText(joined));
                    }
                },
                action => actions.push(action),
            }
        }
        Self { actions, ..self }
    }
}

/// Whether a place is part of what was created last.
fn belongs(target: &Place, created: Option<&str>) -> bool {
    match (target, created) {
        (Place::Field(token, _), Some(created)) => token == created,
        (Place::AttributeName | Place::AttributeValue, Some(created)) => created == "attribute",
        _ => false,
    }
}

fn write(actions: &mut Vec<Action>, target: Place, set: bool, value: Vec<Piece>, optional: bool) {
    if let Some(Action::Write {
        target: before,
        set: before_set,
        value: text,
    }) = actions.last_mut()
        && *before == target
    {
        if set {
            text.clear();
            *before_set = true;
        }
        join(text, value);
        return;
    }
    if !set && value.is_empty() && !optional {
        return;
    }
    let mut joined = Vec::new();
    join(&mut joined, value);
    actions.push(Action::Write {
        target,
        set,
        value: joined,
    });
}

/// Appends pieces; fixed texts that meet become one.
fn join(before: &mut Vec<Piece>, after: Vec<Piece>) {
    for piece in after {
        match (before.last_mut(), piece) {
            (Some(Piece::Lit(text)), Piece::Lit(more)) => text.push_str(&more),
            (_, piece) => before.push(piece),
        }
    }
}
