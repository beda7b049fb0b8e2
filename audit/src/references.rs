//! The section "Tokenizing character references" of older texts: a procedure in nested conditions, read into
//! states.

use speclex_codegen::charset::CharSet;

use crate::clauses::{Antecedent, clauses};
use crate::cursor::Cursor;
use crate::document::{ArmText, Item, Section, Text};
use crate::facts::{
    Action, Arm, BUFFER, Body, CODE, Consume, PROCEDURE, Piece, Place, Returned, State, Step,
    Successor,
};
use crate::sentences::Reading;
use crate::states::{is_longest, read_arms};
use crate::words::sentences;

/// What the sentences on numbers say.
#[derive(Debug, Default)]
struct Numbers {
    none: Vec<Step>,
    end: Option<char>,
    unended: Vec<Step>,
    rest: Vec<Item>,
    /// Which of [`DIGIT_SENTENCES`] the text has.
    stated: [bool; DIGIT_SENTENCES.len()],
}

/// Sentences that tell how digits are read, all at once where a table does it one by one; `*` is a
/// character.
const DIGIT_SENTENCES: [&str; 4] = [
    "consume *",
    "behavior|behaviour further depends on character after *",
    "consume as many characters as match range of characters given above",
    "if one or more characters match range , then? take them all and interpret string of characters as number",
];

fn part_name(part: &str) -> String {
    format!("{PROCEDURE}, {part}")
}

fn go(part: &str) -> Step {
    Step::Go(Successor::State(part_name(part)))
}

fn procedure_state(part: &str, section: &Section, body: Body) -> State {
    State {
        name: part_name(part),
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
                if !introduced && let Some(arm) = arms.first() {
                    reading.refuse_arm(arm);
                }
                for arm in arms {
                    let condition = arm.conditions.first().map_or("", |c| c.text.as_str());
                    if condition == "Anything else" {
                        others.push(named_references(arm, section, reading));
                        let mut arm = without_body(arm, reading);
                        arm.steps = vec![go("named"), Step::Reconsume];
                        start.anything_else = Some(arm);
                    } else if arm.body.iter().any(|item| matches!(item, Item::Arms(_))) {
                        others.extend(numbers(arm, section, reading));
                        let mut arm = without_body(arm, reading);
                        arm.steps = vec![
                            Step::Do(Action::SetNumber(CODE.to_owned(), 0)),
                            go("after number sign"),
                        ];
                        start.arms.push(arm);
                    } else {
                        start
                            .arms
                            .extend(read_arms(std::slice::from_ref(arm), false, reading).arms);
                    }
                }
            }
            Item::List(_) | Item::Row(_) => {}
        }
    }
    let mut states = vec![procedure_state("start", section, Body::Consume(start))];
    states.extend(others);
    states
}

/// An arm with its conditions, and without what it does.
fn without_body(arm: &ArmText, reading: &mut Reading<'_>) -> Arm {
    let bare = ArmText {
        conditions: arm.conditions.clone(),
        body: Vec::new(),
    };
    let mut consume = read_arms(&[bare], false, reading);
    let own = consume.arms.pop();
    own.or(consume.anything_else).unwrap_or_default()
}

/// What is said before the conditions; whether it introduces them.
fn definitions(text: &Text, reading: &mut Reading<'_>) -> bool {
    const DEFINITIONS: &[&str] = &[
        "this section defines how to consume character reference",
        "this definition is used when parsing character",
        "behavior|behaviour depends on identity of next character",
    ];
    let mut introduces = false;
    for sentence in reading.sentences_of(text) {
        let cursor = Cursor::new(&sentence.words, reading.names);
        introduces |= cursor.sees(DEFINITIONS[2]);
        if !DEFINITIONS.iter().any(|said| cursor.sees(said)) {
            reading.refuse(&sentence);
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
                    let mut arm = without_body(arm, reading);
                    arm.steps = vec![go(&format!("{part} start"))];
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
    if numbers.stated.contains(&false) {
        reading.refuse_arm(arm);
    }
    let mut states = vec![procedure_state(
        "after number sign",
        section,
        Body::Consume(after),
    )];
    for (set, base) in digits {
        states.extend(numbers.loops(&set, base, section));
    }
    let end = reading.steps(&numbers.rest);
    states.push(procedure_state("end", section, Body::Steps(end)));
    states
}

/// The digits of an arm and what they are digits of.
fn range(arm: &ArmText, reading: &mut Reading<'_>) -> (CharSet, u32) {
    let (mut set, mut base, mut is_base_stated) = (CharSet::new(), 10, false);
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
                is_base_stated = hexadecimal || cursor.eat("decimal number");
                is_base_stated
            } else {
                cursor.eat("consume x")
            };
            if !understood || !cursor.is_done() {
                reading.refuse(&sentence);
            }
        }
    }
    if set.is_empty() || !is_base_stated {
        reading.refuse_arm(arm);
    }
    (set, base)
}

impl Numbers {
    /// Takes a paragraph on the digits; one on the number is for later.
    fn take(&mut self, text: &Text, reading: &mut Reading<'_>) {
        let all = sentences(text.line, &text.text);
        let Some(first) = all.first() else { return };
        let mut cursor = Cursor::new(&first.words, reading.names);
        let mut antecedent = Antecedent::default();
        for (stated, words) in self.stated.iter_mut().zip(DIGIT_SENTENCES) {
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
                *stated = true;
                reading.sentences_of(text);
                return;
            }
        }
        if cursor.eat("if no characters match range , then?") {
            reading.take(&all);
            let mut steps = clauses(&mut cursor, &mut antecedent);
            for sentence in &all[1..] {
                let mut cursor = Cursor::new(&sentence.words, reading.names);
                let more = clauses(&mut cursor, &mut antecedent);
                steps = steps.zip(more).map(|(mut a, b)| {
                    a.extend(b);
                    a
                });
            }
            match steps {
                Some(steps) => self.none = steps,
                None => reading.not_understood.push(text.clone()),
            }
            return;
        }
        if cursor.eat("otherwise , if next character is") {
            reading.take(&all);
            self.end = cursor.character();
            let consumed = cursor.eat(", consume that too") && cursor.is_done();
            let steps = all.get(1).and_then(|second| {
                let mut cursor = Cursor::new(&second.words, reading.names);
                cursor
                    .eat("if it isn't ,")
                    .then(|| clauses(&mut cursor, &mut antecedent))?
            });
            if !consumed || steps.is_none() || all.len() > 2 {
                reading.not_understood.push(text.clone());
            }
            self.unended = steps.unwrap_or_default();
            return;
        }
        self.rest.push(Item::Paragraph(text.clone()));
    }

    /// The states that read digits.
    fn loops(&self, set: &CharSet, base: u32, section: &Section) -> Vec<State> {
        let part = if base == 16 { "hexadecimal" } else { "decimal" };
        let line = section.line;
        let digit = "a digit";
        let other = "anything else";
        let first = Consume {
            looks: false,
            arms: vec![Arm::of(
                digit,
                line,
                set.clone(),
                vec![go(part), Step::Reconsume],
            )],
            anything_else: Some(Arm::labelled(other, line, self.none.clone())),
        };
        let read = vec![
            Step::Do(Action::Multiply(CODE.to_owned(), base)),
            Step::Do(Action::AddDigit(CODE.to_owned())),
            Step::Go(Successor::Stay),
        ];
        let mut arms = vec![Arm::of(digit, line, set.clone(), read)];
        if let Some(end) = self.end {
            let set = CharSet::single(end);
            arms.push(Arm::of(
                &set.to_string(),
                line,
                set.clone(),
                vec![go("end")],
            ));
        }
        let mut unended = self.unended.clone();
        unended.extend([go("end"), Step::Reconsume]);
        let more = Consume {
            looks: false,
            arms,
            anything_else: Some(Arm::labelled(other, line, unended)),
        };
        vec![
            procedure_state(&format!("{part} start"), section, Body::Consume(first)),
            procedure_state(part, section, Body::Consume(more)),
        ]
    }
}

/// Characters of names in XML 1.1: productions 4 and 4a.
const NAME: &[(u32, u32)] = &[
    (0x2D, 0x2E),
    (0x30, 0x3A),
    (0x41, 0x5A),
    (0x5F, 0x5F),
    (0x61, 0x7A),
    (0xB7, 0xB7),
    (0xC0, 0xD6),
    (0xD8, 0xF6),
    (0xF8, 0x37D),
    (0x37F, 0x1FFF),
    (0x200C, 0x200D),
    (0x203F, 0x2040),
    (0x2070, 0x218F),
    (0x2C00, 0x2FEF),
    (0x3001, 0xD7FF),
    (0xF900, 0xFDCF),
    (0xFDF0, 0xFFFD),
    (0x10000, 0xEFFFF),
];

/// The arm for anything else: named references.
fn named_references(arm: &ArmText, section: &Section, reading: &mut Reading<'_>) -> State {
    let mut rest: Vec<Item> = Vec::new();
    let mut matches = false;
    let mut until = None;
    for item in &arm.body {
        if let Item::Paragraph(text) = item {
            let all = sentences(text.line, &text.text);
            if let [sentence] = all.as_slice() {
                if is_longest(sentence, reading) {
                    matches = true;
                    reading.take([sentence]);
                    continue;
                }
                let mut cursor = Cursor::new(&sentence.words, reading.names);
                if cursor.eat("consume") {
                    let name = cursor.eat("name");
                    if cursor.eat("characters until you reach") {
                        let end = cursor.character();
                        let known = cursor.eat("character?");
                        let buffered = cursor.eat(", and set temporary buffer to them");
                        until = end.map(|end| Name {
                            end,
                            of_name_characters: name,
                            buffered,
                        });
                        if !(known && cursor.is_done()) {
                            reading.refuse(sentence);
                        }
                        reading.take([sentence]);
                        continue;
                    }
                }
            }
        }
        rest.push(item.clone());
    }
    if let Some(name) = until {
        return until_end(&name, &rest, section, reading);
    }
    if !matches {
        reading.refuse_arm(arm);
    }
    let steps = reading.steps(&rest);
    let line = arm.conditions.first().map_or(0, |condition| condition.line);
    let body = Body::Match {
        matched: Arm::labelled("match", line, steps.clone()),
        unmatched: Arm::labelled("no match", line, steps),
    };
    procedure_state("named", section, body)
}

/// How the name of a reference is read.
struct Name {
    /// The character after it.
    end: char,
    /// Whether it consists of the characters of [`NAME`] only.
    of_name_characters: bool,
    /// Whether the temporary buffer has it too.
    buffered: bool,
}

/// References that are returned by name: all characters up to a semicolon.
fn until_end(name: &Name, rest: &[Item], section: &Section, reading: &mut Reading<'_>) -> State {
    let (mut ended, mut unended) = (Vec::new(), Vec::new());
    for item in rest {
        let Item::Paragraph(text) = item else {
            continue;
        };
        for sentence in reading.sentences_of(text) {
            let mut cursor = Cursor::new(&sentence.words, reading.names);
            cursor.eat("otherwise ,");
            let into = if cursor.eat("if last character matched is not") {
                cursor.character();
                cursor.eat("character ,");
                &mut unended
            } else if cursor.eat("if there was parse error") {
                &mut unended
            } else {
                cursor.eat("if there wasn't parse error");
                &mut ended
            };
            match clauses(&mut cursor, &mut Antecedent::default()) {
                Some(steps) => into.extend(steps),
                None => reading.refuse(&sentence),
            }
        }
    }
    let token = ended.iter().find_map(|step| match step {
        Step::Return(Returned::Token(token)) => Some(token.clone()),
        _ => None,
    });
    let line = section.line;
    let end = name.end;
    let collected = match name.of_name_characters {
        true => CharSet::from_ranges(NAME.iter().copied()),
        false => CharSet::single(end).complement(),
    };
    let write = |target, set, value| Step::Do(Action::Write { target, set, value });
    let field = Place::Field(token.clone().unwrap_or_default(), "name".to_owned());
    let mut entry: Vec<Step> = token
        .map(|token| Step::Do(Action::Create(token)))
        .into_iter()
        .collect();
    let mut collect = vec![write(field, false, vec![Piece::Current])];
    if name.buffered {
        let buffer = Place::Register(BUFFER.to_owned());
        entry.push(write(buffer.clone(), true, Vec::new()));
        collect.push(write(buffer, false, vec![Piece::Current]));
    }
    collect.push(Step::Go(Successor::Stay));
    let body = Body::Consume(Consume {
        looks: false,
        arms: vec![
            Arm::of(
                &CharSet::single(end).to_string(),
                line,
                CharSet::single(end),
                ended,
            ),
            Arm::of("the characters consumed", line, collected, collect),
        ],
        anything_else: Some(Arm::labelled("anything else", line, unended)),
    });
    State {
        entry,
        ..procedure_state("named", section, body)
    }
}
