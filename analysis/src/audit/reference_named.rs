//! The part of "Tokenizing character references" on named references.

use speclex_codegen::charset::CharSet;

use super::cursor::Cursor;
use super::document::{ArmText, Item, Section};
use super::facts::{Act, Arm, Body, Consume, Piece, Returned, State, Step, Target, To};
use super::flow::{Reading, puzzle};
use super::reference::inner;
use super::states::is_longest;
use super::steps::{Spoken, clauses};
use super::words::sentences;

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
pub(crate) fn named(arm: &ArmText, section: &Section, reading: &mut Reading<'_>) -> State {
    let mut rest: Vec<Item> = Vec::new();
    let mut matches = false;
    let mut until = None;
    for item in &arm.body {
        if let Item::Paragraph(text) = item {
            let all = sentences(text.line, &text.text);
            if let [sentence] = all.as_slice() {
                if is_longest(sentence, reading) {
                    matches = true;
                    reading.sentences += 1;
                    reading.note(sentence);
                    continue;
                }
                let mut cursor = Cursor::new(&sentence.words, reading.names);
                if cursor.eat("consume") {
                    let name = cursor.eat("name");
                    if cursor.eat("characters until you reach") {
                        until = cursor.character().map(|end| (end, name));
                        if !(cursor.eat("character?") && cursor.is_done()) {
                            reading.puzzles.push(puzzle(sentence));
                        }
                        reading.sentences += 1;
                        reading.note(sentence);
                        continue;
                    }
                }
            }
        }
        rest.push(item.clone());
    }
    if let Some((end, name)) = until {
        return until_end(end, name, &rest, section, reading);
    }
    if !matches {
        reading.puzzles.extend(arm.conditions.first().cloned());
    }
    let steps = reading.steps(&rest);
    let one = |label: &str| Arm {
        label: label.to_owned(),
        line: arm.conditions.first().map_or(0, |c| c.line),
        steps: steps.clone(),
        ..Arm::default()
    };
    let body = Body::Match {
        matched: one("match"),
        unmatched: one("no match"),
    };
    inner("named", section, body)
}

/// References that are returned by name: all characters up to a semicolon.
fn until_end(
    end: char,
    name: bool,
    rest: &[Item],
    section: &Section,
    reading: &mut Reading<'_>,
) -> State {
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
            match clauses(&mut cursor, &mut Spoken::default()) {
                Some(steps) => into.extend(steps),
                None => reading.puzzles.push(puzzle(&sentence)),
            }
        }
    }
    let token = ended.iter().find_map(|step| match step {
        Step::Return(Returned::Token(token)) => Some(token.clone()),
        _ => None,
    });
    let arm = |label: &str, set: CharSet, steps: Vec<Step>| Arm {
        label: label.to_owned(),
        line: section.line,
        set,
        steps,
        ..Arm::default()
    };
    let collected = match name {
        true => CharSet::from_ranges(NAME.iter().copied()),
        false => CharSet::single(end).complement(),
    };
    let target = Target::Field(token.clone().unwrap_or_default(), "name".to_owned());
    let collect = vec![
        Step::Do(Act::Write {
            target,
            set: false,
            value: vec![Piece::Current],
        }),
        Step::Go(To::Stay),
    ];
    let body = Body::Consume(Consume {
        looks: false,
        arms: vec![
            arm(
                &CharSet::single(end).to_string(),
                CharSet::single(end),
                ended,
            ),
            arm("the characters consumed", collected, collect),
        ],
        anything_else: Some(arm("anything else", CharSet::new(), unended)),
    });
    State {
        entry: token
            .map(|token| Step::Do(Act::Create(token)))
            .into_iter()
            .collect(),
        ..inner("named", section, body)
    }
}
