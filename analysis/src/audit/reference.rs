//! The section "Tokenizing character references" of older texts: a procedure in nested conditions, read into
//! states.

use speclex_codegen::charset::CharSet;

use super::cursor::Cursor;
use super::document::{ArmText, Item, Section, Text};
use super::facts::{Act, Arm, Body, Consume, State, Step, To};
use super::flow::{Reading, puzzle};
use super::machine::CODE;
use super::reference_named::named;
use super::side::PROCEDURE;
use super::states_arms::consume;
use super::steps::{Spoken, clauses};
use super::words::sentences;

/// What the sentences on numbers say.
#[derive(Debug, Default)]
struct Numbers {
    none: Vec<Step>,
    end: Option<char>,
    unended: Vec<Step>,
    rest: Vec<Item>,
    /// Which of the sentences in [`TOLD`] stand there.
    told: [bool; TOLD.len()],
}

/// Sentences that tell how digits are read, all at once where a table does it one by one; `*` is a
/// character.
const TOLD: [&str; 4] = [
    "consume *",
    "behavior|behaviour further depends on character after *",
    "consume as many characters as match range of characters given above",
    "if one or more characters match range , then? take them all and interpret string of characters as number",
];

fn name(part: &str) -> String {
    format!("{PROCEDURE}, {part}")
}

fn to(part: &str) -> Step {
    Step::Go(To::State(name(part)))
}

pub(crate) fn inner(part: &str, section: &Section, body: Body) -> State {
    State {
        name: name(part),
        section: section.number.clone(),
        line: section.line,
        inner: true,
        body,
        ..State::default()
    }
}

/// Reads the section.
pub(crate) fn states(section: &Section, reading: &mut Reading<'_>) -> Vec<State> {
    let mut start = Consume::default();
    let mut others = Vec::new();
    let mut introduced = false;
    for item in &section.items {
        match item {
            Item::Paragraph(text) => introduced |= definitions(text, reading),
            Item::Arms(arms) => {
                if !introduced {
                    let first = arms.first().and_then(|arm| arm.conditions.first());
                    reading.puzzles.extend(first.cloned());
                }
                for arm in arms {
                    let condition = arm.conditions.first().map_or("", |c| c.text.as_str());
                    if condition == "Anything else" {
                        others.push(named(arm, section, reading));
                        let mut arm = keys(arm, reading);
                        arm.steps = vec![to("named"), Step::Reconsume];
                        start.anything_else = Some(arm);
                    } else if arm.body.iter().any(|item| matches!(item, Item::Arms(_))) {
                        others.extend(numbers(arm, section, reading));
                        let mut arm = keys(arm, reading);
                        arm.steps = vec![
                            Step::Do(Act::SetNumber(CODE.to_owned(), 0)),
                            to("after number sign"),
                        ];
                        start.arms.push(arm);
                    } else {
                        start
                            .arms
                            .extend(consume(std::slice::from_ref(arm), false, reading).arms);
                    }
                }
            }
            Item::List(_) | Item::Row(_) => {}
        }
    }
    let mut states = vec![inner("start", section, Body::Consume(start))];
    states.extend(others);
    states
}

/// An arm with its conditions, and without what it does.
fn keys(arm: &ArmText, reading: &mut Reading<'_>) -> Arm {
    let bare = ArmText {
        conditions: arm.conditions.clone(),
        body: Vec::new(),
    };
    let mut consume = consume(&[bare], false, reading);
    let own = consume.arms.pop();
    own.or(consume.anything_else).unwrap_or_default()
}

/// What is said before the conditions; whether it introduces them.
fn definitions(text: &Text, reading: &mut Reading<'_>) -> bool {
    const SAID: &[&str] = &[
        "this section defines how to consume character reference",
        "this definition is used when parsing character",
        "behavior|behaviour depends on identity of next character",
    ];
    let mut introduces = false;
    for sentence in reading.sentences_of(text) {
        let cursor = Cursor::new(&sentence.words, reading.names);
        introduces |= cursor.sees(SAID[2]);
        if !SAID.iter().any(|said| cursor.sees(said)) {
            reading.puzzles.push(Text {
                line: sentence.line,
                text: sentence.text,
            });
        }
    }
    introduces
}

/// The arm for U+0023 NUMBER SIGN.
fn numbers(arm: &ArmText, section: &Section, reading: &mut Reading<'_>) -> Vec<State> {
    let mut numbers = Numbers::default();
    let mut after = Consume::default();
    let mut digits: Vec<(CharSet, u32)> = Vec::new();
    for item in &arm.body {
        match item {
            Item::Arms(arms) => {
                for arm in arms {
                    let (set, base) = range(arm, reading);
                    let part = if base == 16 { "hexadecimal" } else { "decimal" };
                    digits.push((set, base));
                    let mut arm = keys(arm, reading);
                    arm.steps = vec![to(&format!("{part} start"))];
                    if arm.set.is_empty() {
                        arm.steps.push(Step::Reconsume);
                        after.anything_else = Some(arm);
                    } else {
                        after.arms.push(arm);
                    }
                }
            }
            Item::Paragraph(text) => numbers.take(text, reading),
            Item::Row(_) | Item::List(_) => numbers.rest.push(item.clone()),
        }
    }
    if numbers.told.contains(&false) {
        reading.puzzles.extend(arm.conditions.first().cloned());
    }
    let mut states = vec![inner("after number sign", section, Body::Consume(after))];
    for (set, base) in digits {
        states.extend(numbers.loops(&set, base, section));
    }
    let end = reading.steps(&numbers.rest);
    states.push(inner("end", section, Body::Steps(end)));
    states
}

/// The digits of an arm and what they are digits of.
fn range(arm: &ArmText, reading: &mut Reading<'_>) -> (CharSet, u32) {
    let (mut set, mut base, mut is_told) = (CharSet::new(), 10, false);
    for item in &arm.body {
        let Item::Paragraph(text) = item else {
            continue;
        };
        for sentence in reading.sentences_of(text) {
            let mut cursor = Cursor::new(&sentence.words, reading.names);
            let understood = if cursor.eat("follow steps below , but using") {
                cursor.eat("range of characters");
                cursor.set().map(|(found, _)| set = found).is_some()
            } else if cursor.eat("when it comes to interpreting number , interpret it as") {
                let hexadecimal = cursor.eat("hexadecimal number");
                base = if hexadecimal { 16 } else { 10 };
                is_told = hexadecimal || cursor.eat("decimal number");
                is_told
            } else {
                cursor.eat("consume x")
            };
            if !understood || !cursor.is_done() {
                reading.puzzles.push(puzzle(&sentence));
            }
        }
    }
    if set.is_empty() || !is_told {
        reading.puzzles.extend(arm.conditions.first().cloned());
    }
    (set, base)
}

impl Numbers {
    /// Takes a paragraph on the digits; one on the number is for later.
    fn take(&mut self, text: &Text, reading: &mut Reading<'_>) {
        let all = sentences(text.line, &text.text);
        let Some(first) = all.first() else { return };
        let mut cursor = Cursor::new(&first.words, reading.names);
        let mut spoken = Spoken::default();
        for (told, words) in self.told.iter_mut().zip(TOLD) {
            let mut cursor = cursor;
            let fits = match words.strip_suffix(" *") {
                Some(words) => {
                    cursor.eat(words) && cursor.character().is_some() && {
                        cursor.eat(":");
                        cursor.is_done()
                    }
                }
                None => cursor.eat(words) && cursor.is_done(),
            };
            if fits && all.len() == 1 {
                *told = true;
                reading.sentences_of(text);
                return;
            }
        }
        if cursor.eat("if no characters match range , then?") {
            reading.sentences += all.len();
            all.iter().for_each(|sentence| reading.note(sentence));
            let mut steps = clauses(&mut cursor, &mut spoken);
            for sentence in &all[1..] {
                let mut cursor = Cursor::new(&sentence.words, reading.names);
                let more = clauses(&mut cursor, &mut spoken);
                steps = steps.zip(more).map(|(mut a, b)| {
                    a.extend(b);
                    a
                });
            }
            match steps {
                Some(steps) => self.none = steps,
                None => reading.puzzles.push(text.clone()),
            }
            return;
        }
        if cursor.eat("otherwise , if next character is") {
            reading.sentences += all.len();
            all.iter().for_each(|sentence| reading.note(sentence));
            self.end = cursor.character();
            let consumed = cursor.eat(", consume that too") && cursor.is_done();
            let steps = all.get(1).and_then(|second| {
                let mut cursor = Cursor::new(&second.words, reading.names);
                cursor
                    .eat("if it isn't ,")
                    .then(|| clauses(&mut cursor, &mut spoken))?
            });
            if !consumed || steps.is_none() || all.len() > 2 {
                reading.puzzles.push(text.clone());
            }
            self.unended = steps.unwrap_or_default();
            return;
        }
        self.rest.push(Item::Paragraph(text.clone()));
    }

    /// The states that read digits.
    fn loops(&self, set: &CharSet, base: u32, section: &Section) -> Vec<State> {
        let part = if base == 16 { "hexadecimal" } else { "decimal" };
        let arm = |label: &str, set: CharSet, steps: Vec<Step>| Arm {
            label: label.to_owned(),
            line: section.line,
            set,
            steps,
            ..Arm::default()
        };
        let digit = "a digit";
        let other = "anything else";
        let first = Consume {
            looks: false,
            arms: vec![arm(digit, set.clone(), vec![to(part), Step::Reconsume])],
            anything_else: Some(arm(other, CharSet::new(), self.none.clone())),
        };
        let read = vec![
            Step::Do(Act::Multiply(CODE.to_owned(), base)),
            Step::Do(Act::AddDigit(CODE.to_owned())),
            Step::Go(To::Stay),
        ];
        let mut arms = vec![arm(digit, set.clone(), read)];
        if let Some(end) = self.end {
            let set = CharSet::single(end);
            arms.push(arm(&set.to_string(), set.clone(), vec![to("end")]));
        }
        let mut unended = self.unended.clone();
        unended.extend([to("end"), Step::Reconsume]);
        let more = Consume {
            looks: false,
            arms,
            anything_else: Some(arm(other, CharSet::new(), unended)),
        };
        vec![
            inner(&format!("{part} start"), section, Body::Consume(first)),
            inner(part, section, Body::Consume(more)),
        ]
    }
}
