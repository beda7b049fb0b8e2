//! The arm notation: `input -> error ; actions ; next`, one line for each arm.

use super::arms_actions::{actions, successor};
use super::arms_input::{Input, input};
use super::arms_terms::term;
use super::document::Text;
use super::facts::{Act, Piece, Target, To};
use super::facts::{Arm, Body, Cond, Consume, Facts, Said, State, Step};
use super::machine::CODE;
use super::values::BUFFER;

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Notation {
    pub(crate) facts: Facts,
    pub(crate) sentences: usize,
    pub(crate) puzzles: Vec<Text>,
}

/// Whether a text is in this notation: its states have their numbers in brackets.
pub(crate) fn is_notation(text: &str) -> bool {
    let heading = |line: &str| {
        line.strip_prefix('[')
            .and_then(|rest| rest.split_once("] "))
            .is_some_and(|(number, _)| number.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.lines().any(heading) && text.lines().any(|line| line.contains(" -> "))
}

/// Reads lines. What the table lists as saying nothing is passed over.
pub(crate) fn read(lines: &[(usize, String)], is_remark: &dyn Fn(&str) -> bool) -> Notation {
    let mut notation = Notation::default();
    let mut heading = String::new();
    let mut state: Option<Reader> = None;
    for (number, line) in lines {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some((section, title)) = line.strip_prefix('[').and_then(|l| l.split_once("] ")) {
            end(&mut state, &mut notation);
            state = Some(Reader::new(*number, section, title));
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            end(&mut state, &mut notation);
            heading = title.trim_end_matches(" ==").to_owned();
            continue;
        }
        if line.starts_with("table for ") {
            end(&mut state, &mut notation);
            continue;
        }
        if line == "#" {
            continue;
        }
        if let Some(note) = line.strip_prefix("# ") {
            if let Some(state) = &mut state
                && state.note(note)
            {
                notation.sentences += 1;
            }
            continue;
        }
        notation.sentences += 1;
        if is_remark(line) {
            continue;
        }
        let understood = match (&mut state, row(line)) {
            (_, Some(row)) => {
                notation.facts.stream.replacements.push(Said {
                    line: *number,
                    what: row,
                });
                true
            }
            (Some(state), None) => state.arm(*number, line),
            (None, None) => term(&heading, *number, line, &mut notation.facts.stream),
        };
        if !understood {
            notation.puzzles.push(Text::new(*number, line));
        }
    }
    end(&mut state, &mut notation);
    notation
}

fn end(state: &mut Option<Reader>, notation: &mut Notation) {
    if let Some(reader) = state.take() {
        notation.facts.states.push(reader.finish());
    }
}

/// `0x80 0x20AC EURO SIGN`
fn row(line: &str) -> Option<(u32, u32)> {
    let mut words = line.split(' ');
    let mut number = || u32::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    Some((number()?, number()?))
}

/// One state.
#[derive(Debug)]
struct Reader {
    state: State,
    consume: Consume,
    /// The cases of a match, the last first.
    matched: Vec<(Option<Cond>, Arm)>,
    unmatched: Option<Arm>,
    keeps_name: bool,
    /// The checks of a number, in order.
    checks: Vec<Step>,
    finally: Vec<Step>,
}

impl Reader {
    fn new(line: usize, section: &str, title: &str) -> Self {
        Self {
            state: State {
                name: title.strip_suffix(" state").unwrap_or(title).to_owned(),
                section: section.to_owned(),
                line,
                ..State::default()
            },
            consume: Consume::default(),
            matched: Vec::new(),
            unmatched: None,
            keeps_name: false,
            checks: Vec::new(),
            finally: Vec::new(),
        }
    }

    /// A note that says something; other notes are notes.
    fn note(&mut self, note: &str) -> bool {
        if let Some(entry) = note.strip_prefix("on entry: ") {
            if entry.starts_with("consume the longest run of characters") {
                self.keeps_name = entry.contains("appending each to temp");
            } else {
                let what = entry.split("; then").next().unwrap_or(entry);
                self.state.entry = actions(what).unwrap_or_default();
            }
            return true;
        }
        if note.starts_with("looks ahead") {
            self.consume.looks = true;
            return true;
        }
        if let Some(finally) = note.strip_prefix("finally (always): ") {
            let buffer = Target::Register(BUFFER.to_owned());
            for part in finally.split(" ; ").flat_map(|part| part.split("; ")) {
                if part == "temp := the code point" {
                    self.finally.push(Step::Do(Act::Write {
                        target: buffer.clone(),
                        set: true,
                        value: vec![Piece::Code(CODE.to_owned())],
                    }));
                } else if let Some(steps) = actions(part) {
                    self.finally.extend(steps);
                } else {
                    self.finally.extend(successor(part).unwrap_or_default());
                }
            }
            return true;
        }
        if note.starts_with("On leaving this state")
            && let Some((_, says)) = note.split_once(" -> ")
            && let Some((code, rest)) = says.split_once(" ; ")
            && note.contains("another attribute of the same token already has exactly this name")
        {
            let mut steps = vec![Step::Do(Act::Error(code.to_owned()))];
            if rest.starts_with("the new attribute is removed from the token") {
                steps.push(Step::Do(Act::DropAttribute));
            }
            self.state.leaving = vec![Step::If(Cond::Duplicate, steps, Vec::new())];
            return true;
        }
        false
    }

    /// An arm; whether it was understood.
    fn arm(&mut self, line: usize, text: &str) -> bool {
        let Some((left, right)) = text.split_once(" -> ") else {
            return false;
        };
        let parts: Vec<&str> = right.split(" ; ").collect();
        let Some(steps) = steps(&parts) else {
            return false;
        };
        let Some(input) = input(left).filter(|input| is_worth(input, right)) else {
            return false;
        };
        let arm = Arm {
            label: left.to_owned(),
            line,
            ..Arm::default()
        };
        self.place(input, arm, steps);
        true
    }

    fn place(&mut self, input: Input, mut arm: Arm, steps: Vec<Step>) {
        match input {
            Input::Set { set, eof, guard } => {
                // "…, otherwise": the other case of the arm before.
                if guard == Some(Cond::True)
                    && let Some(Arm { steps: before, .. }) = self
                        .consume
                        .arms
                        .iter_mut()
                        .find(|a| a.set == set && a.eof == eof)
                    && let Some(Step::If(_, _, otherwise)) = before.last_mut()
                {
                    *otherwise = steps;
                    return;
                }
                arm.set = set;
                arm.eof = eof;
                arm.steps = guarded(guard, steps);
                self.consume.arms.push(arm);
            }
            Input::Literal { literal, guard } => {
                let mut all = vec![Step::ConsumeAll];
                all.extend(steps);
                let before = self
                    .consume
                    .arms
                    .iter_mut()
                    .find(|a| a.literal.as_ref() == Some(&literal));
                if let Some(before) = before
                    && let Some(Step::If(_, _, otherwise)) = before.steps.last_mut()
                {
                    *otherwise = all;
                    return;
                }
                arm.literal = Some(literal);
                arm.steps = guarded(guard, all);
                self.consume.arms.push(arm);
            }
            Input::Other => {
                arm.label = "anything else".to_owned();
                arm.steps = steps;
                match self.consume.anything_else {
                    None => self.consume.anything_else = Some(arm),
                    Some(_) => self.consume.arms.push(arm),
                }
            }
            Input::Match(guard) => {
                arm.steps = steps;
                self.matched.push((guard, arm));
            }
            Input::NoMatch => {
                arm.steps = steps;
                self.unmatched = Some(arm);
            }
            Input::Number(cond) => self.checks.push(Step::If(cond, steps, Vec::new())),
        }
    }

    fn finish(self) -> State {
        let mut state = self.state;
        state.body = if let Some(unmatched) = self.unmatched {
            let mut chain: Vec<Step> = Vec::new();
            let label = self
                .matched
                .first()
                .map(|(_, arm)| (arm.label.clone(), arm.line));
            for (guard, arm) in self.matched.into_iter().rev() {
                chain = match guard {
                    Some(cond) => vec![Step::If(cond, arm.steps, chain)],
                    None => arm.steps,
                };
            }
            if self.keeps_name {
                let name = Act::Write {
                    target: Target::Register(BUFFER.to_owned()),
                    set: false,
                    value: vec![Piece::MatchedName],
                };
                chain.insert(0, Step::Do(name));
            }
            let (label, line) = label.unwrap_or_default();
            Body::Match {
                matched: Arm {
                    label,
                    line,
                    steps: chain,
                    ..Arm::default()
                },
                unmatched,
            }
        } else if !self.checks.is_empty() {
            let mut steps = self.checks;
            steps.extend(self.finally);
            Body::Steps(steps)
        } else {
            Body::Consume(self.consume)
        };
        state
    }
}

/// Whether what is subtracted from a digit is right for the digits of the arm; "ASCII upper hex digit" and
/// its like have the decimal ones too, which have their own arm before.
fn is_worth(input: &Input, says: &str) -> bool {
    let Some((_, offset)) = says.split_once("(current - 0x") else {
        return true;
    };
    let Input::Set { set, .. } = input else {
        return false;
    };
    match (set.contains('A'), set.contains('a')) {
        (false, false) => offset.starts_with("30)"),
        (true, false) => offset.starts_with("37)"),
        (false, true) => offset.starts_with("57)"),
        (true, true) => false,
    }
}

/// Steps that are for a case; the rest comes in another line.
fn guarded(guard: Option<Cond>, steps: Vec<Step>) -> Vec<Step> {
    match guard {
        None | Some(Cond::True) => steps,
        Some(cond) => vec![Step::If(cond, steps, Vec::new())],
    }
}

/// Error, actions and successor.
fn steps(parts: &[&str]) -> Option<Vec<Step>> {
    let (error, rest) = parts.split_first()?;
    let mut steps = Vec::new();
    if *error != "-" {
        let is_code = error.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if !is_code {
            return None;
        }
        steps.push(Step::Do(Act::Error((*error).to_owned())));
    }
    match rest {
        [what] => steps.extend(actions(what)?),
        [condition, "otherwise as \"other\""] => {
            let (cond, then) = condition.strip_prefix("if ")?.split_once(": ")?;
            let cond = (cond == "appropriate end tag").then_some(Cond::Appropriate)?;
            let mut then_steps = Vec::new();
            for part in then.split(", ") {
                match actions(part) {
                    Some(more) => then_steps.extend(more),
                    None => then_steps.extend(successor(part)?),
                }
            }
            steps.push(Step::If(cond, then_steps, vec![Step::AsAnythingElse]));
        }
        [what, next] => {
            steps.extend(actions(what)?);
            steps.extend(successor(next)?);
        }
        _ => return None,
    }
    if !steps
        .iter()
        .any(|s| matches!(s, Step::Go(_) | Step::If(..)))
        && rest.len() == 2
    {
        steps.push(Step::Go(To::Stay));
    }
    Some(steps)
}
