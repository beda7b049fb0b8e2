//! The arm notation: headings, notes, definitions, and one line for each arm.

use speclex_codegen::charset::CharSet;

use crate::arm_line::{Input, actions, input, successor};
use crate::conditions::{controls, noncharacters};
use crate::document::Text;
use crate::facts::{
    Action, Arm, BUFFER, Body, CODE, Consume, Facts, Guard, Located, OnEmit, Piece, Place, State,
    Step, Stream, Successor, TokenFact,
};

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Notation {
    pub(crate) facts: Facts,
    pub(crate) sentences: usize,
    pub(crate) not_understood: Vec<Text>,
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

/// Reads a text. What the table lists as saying nothing is passed over.
pub(crate) fn read(text: &str, is_remark: &dyn Fn(&str) -> bool) -> Notation {
    let mut notation = Notation::default();
    let mut heading = String::new();
    let mut state: Option<Reader> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some((section, title)) = line.strip_prefix('[').and_then(|l| l.split_once("] ")) {
            end(&mut state, &mut notation);
            state = Some(Reader::new(number, section, title));
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
                notation.facts.stream.replacements.push(Located {
                    line: number,
                    value: row,
                });
                true
            }
            (Some(state), None) => state.arm(number, line),
            (None, None) => definition_line(&heading, number, line, &mut notation.facts.stream),
        };
        if !understood {
            notation.not_understood.push(Text::new(number, line));
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
    matched: Vec<(Option<Guard>, Arm)>,
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
            let buffer = Place::Register(BUFFER.to_owned());
            for part in finally.split(" ; ").flat_map(|part| part.split("; ")) {
                if part == "temp := the code point" {
                    self.finally.push(Step::Do(Action::Write {
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
            let mut steps = vec![Step::Do(Action::Error(code.to_owned()))];
            if rest.starts_with("the new attribute is removed from the token") {
                steps.push(Step::Do(Action::DropAttribute));
            }
            self.state.leaving = vec![Step::If(Guard::Duplicate, steps, Vec::new())];
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
        let Some(input) = input(left).filter(|input| has_right_digit_value(input, right)) else {
            return false;
        };
        let arm = Arm {
            label: left.to_owned(),
            line,
            ..Arm::default()
        };
        self.add_arm(input, arm, steps);
        true
    }

    fn add_arm(&mut self, input: Input, mut arm: Arm, steps: Vec<Step>) {
        match input {
            Input::Set { set, eof, guard } => {
                // "…, otherwise": the other case of the arm before.
                if guard == Some(Guard::True)
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
            Input::Number(guard) => self.checks.push(Step::If(guard, steps, Vec::new())),
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
                    Some(guard) => vec![Step::If(guard, arm.steps, chain)],
                    None => arm.steps,
                };
            }
            if self.keeps_name {
                let name = Action::Write {
                    target: Place::Register(BUFFER.to_owned()),
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
fn has_right_digit_value(input: &Input, says: &str) -> bool {
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
fn guarded(guard: Option<Guard>, steps: Vec<Step>) -> Vec<Step> {
    match guard {
        None | Some(Guard::True) => steps,
        Some(guard) => vec![Step::If(guard, steps, Vec::new())],
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
        steps.push(Step::Do(Action::Error((*error).to_owned())));
    }
    match rest {
        [what] => steps.extend(actions(what)?),
        [condition, "otherwise as \"other\""] => {
            let (guard, then) = condition.strip_prefix("if ")?.split_once(": ")?;
            let guard = (guard == "appropriate end tag").then_some(Guard::Appropriate)?;
            let mut then_steps = Vec::new();
            for part in then.split(", ") {
                match actions(part) {
                    Some(more) => then_steps.extend(more),
                    None => then_steps.extend(successor(part)?),
                }
            }
            steps.push(Step::If(guard, then_steps, vec![Step::AsAnythingElse]));
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
        steps.push(Step::Go(Successor::Stay));
    }
    Some(steps)
}

/// Reads a line below a heading; whether it was understood.
fn definition_line(heading: &str, line: usize, text: &str, out: &mut Stream) -> bool {
    let Some((term, says)) = text.split_once(": ") else {
        return match text.split_once(" -> ") {
            Some((what, says)) => occurrence(what, says, line, out),
            None if text == "end-of-file" => true,
            None if text.starts_with("A token that was created but not emitted") => true,
            None => bytes(text, line, out),
        };
    };
    if heading.contains("Parse error codes") {
        let is_code = term.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if is_code {
            out.codes.push(Located {
                line,
                value: term.to_owned(),
            });
        }
        return is_code;
    }
    match heading {
        "Tokens" => token(term, says, line, out),
        _ => definition(term, says, line, out),
    }
}

fn token(term: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    if term == "character" {
        return true;
    }
    let token = if term.starts_with("start tag") {
        "tag"
    } else {
        term
    };
    let missing = says.contains("missing on creation");
    // What is in parentheses, or follows as a sentence, is on one field or a remark.
    let first = says.split(". ").next().unwrap_or(says);
    for part in without_parentheses(first)
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
    {
        let field = part.strip_prefix("tag ").unwrap_or(part).to_owned();
        if missing && !field.ends_with("flag") {
            out.tokens.push(Located {
                line,
                value: TokenFact::Missing(token.to_owned(), field.clone()),
            });
        }
        out.tokens.push(Located {
            line,
            value: TokenFact::Has(token.to_owned(), field),
        });
    }
    true
}

/// Without what is in parentheses.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_i32;
    let keep = |c: &char| {
        depth += i32::from(*c == '(');
        let outside = depth == 0;
        depth -= i32::from(*c == ')');
        outside
    };
    text.chars().filter(keep).collect()
}

fn definition(term: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    if term == "start state" {
        let state = says
            .split('.')
            .next()
            .and_then(|s| s.strip_suffix(" state"));
        out.initial = state.map(|state| Located {
            line,
            value: state.to_owned(),
        });
        return state.is_some();
    }
    if let Some(with) = term.strip_prefix("On emitting an end tag ") {
        return emission(with, says, line, out);
    }
    if term == "newlines" {
        out.newlines = Some(Located {
            line,
            value: says.contains("CR LF pair -> LF") && says.contains("remaining CR -> LF"),
        });
        return true;
    }
    if term.starts_with("On emitting a start tag with the self-closing flag set") {
        // For tree construction to report; the codes are listed at the end.
        return says
            .trim_end_matches('.')
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '-');
    }
    // Terms that the states use, and what they come to.
    if [
        "adjusted current node",
        "next input character",
        "Processing instruction targets",
    ]
    .contains(&term)
    {
        return true;
    }
    // What the notation's own words mean.
    let meant = [
        (
            "appropriate end tag",
            "the last start tag emitted by this tokenizer",
        ),
        (
            "in attribute",
            "attribute value (double-quoted), (single-quoted) or (unquoted) state",
        ),
        (
            "flush temp",
            "append it to the current attribute's value if in attribute, else emit it",
        ),
        (
            "convert temp to comment",
            "create a comment token whose data is \"?\" followed by temp",
        ),
    ];
    meant
        .iter()
        .any(|(name, meaning)| term.starts_with(name) && says.contains(meaning))
}

/// `with attributes: CODE. With the self-closing flag set: CODE.`
fn emission(with: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    let mut push = |with: &str, code: &str| {
        let guard = match with.to_lowercase().as_str() {
            "with attributes" => Guard::HasAttributes,
            "with the self-closing flag set" => Guard::FlagIs("self-closing flag".to_owned()),
            _ => return false,
        };
        out.on_emit.push(Located {
            line,
            value: OnEmit {
                kind: "end tag".to_owned(),
                guard: Some(guard),
                action: Action::Error(code.to_owned()),
            },
        });
        true
    };
    let mut parts = without_parentheses(says)
        .trim()
        .trim_end_matches('.')
        .to_owned();
    parts = parts.trim().trim_end_matches('.').to_owned();
    let mut with = with.to_owned();
    for part in parts.split(". ") {
        let code = match part.split_once(": ") {
            Some((next, code)) => {
                with = next.to_owned();
                code
            }
            None => part,
        };
        if !push(&with, code) {
            return false;
        }
    }
    true
}

/// `noncharacter (…) -> CODE ; kept`
fn occurrence(what: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    let Some((code, kept)) = says.split_once(" ; ") else {
        return what == "NULL" && says.starts_with("no error here");
    };
    let set = if what.starts_with("surrogate ") {
        CharSet::new()
    } else if what.starts_with("noncharacter ") {
        CharSet::from_ranges(noncharacters())
    } else if without_parentheses(what)
        .trim()
        .starts_with("control  other than ASCII whitespace")
    {
        CharSet::from_ranges(controls()).difference(&CharSet::single('\0'))
    } else {
        return false;
    };
    out.errors.push(Located {
        line,
        value: (set, code.to_owned()),
    });
    kept.starts_with("kept")
}

fn bytes(text: &str, line: usize, out: &mut Stream) -> bool {
    let decoder =
        text.starts_with("Decode bytes") && text.contains("BOM is handled by the decoder");
    if decoder {
        out.drop_bom = Some(Located { line, value: false });
    }
    decoder
}
