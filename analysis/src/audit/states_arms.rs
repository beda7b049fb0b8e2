//! Lists of conditions with what is done, as arms.

use super::conditions::words_match;
use super::cursor::Cursor;
use super::document::{ArmText, Text};
use super::facts::{Arm, Consume, Literal};
use super::flow::Reading;
use super::words::sentences;

/// The arms of a list of conditions.
pub(crate) fn consume(arms: &[ArmText], looks: bool, reading: &mut Reading<'_>) -> Consume {
    let mut consume = Consume {
        looks,
        ..Consume::default()
    };
    for one in arms {
        let line = one.conditions.first().map_or(0, |text| text.line);
        let steps = reading.steps(&one.body);
        let mut arm = Arm {
            line,
            steps,
            ..Arm::default()
        };
        let mut literals = Vec::new();
        let mut other = false;
        let mut labels = Vec::new();
        for text in &one.conditions {
            reading.sentences += 1;
            labels.push(text.text.trim_end_matches([':', '.']).to_owned());
            match key(text, reading) {
                Some(Key::Set(set, eof)) => {
                    arm.set = arm.set.union(&set);
                    arm.eof |= eof;
                }
                Some(Key::Literal(literal)) => literals.push(literal),
                Some(Key::Allowed) => arm.allowed = true,
                Some(Key::Other) => other = true,
                None => reading.puzzles.push(text.clone()),
            }
        }
        arm.label = labels.join(", ");
        for literal in literals {
            let arm = Arm {
                literal: Some(literal),
                ..arm.clone()
            };
            consume.arms.push(arm);
        }
        if other {
            let arm = Arm {
                label: "anything else".to_owned(),
                ..arm
            };
            match consume.anything_else {
                None => consume.anything_else = Some(arm),
                Some(_) => consume.arms.push(arm),
            }
        } else if !arm.set.is_empty() || arm.eof || arm.allowed {
            consume.arms.push(arm);
        }
    }
    consume
}

/// What a condition in front of an action is.
enum Key {
    Set(speclex_codegen::charset::CharSet, bool),
    Literal(Literal),
    Allowed,
    Other,
}

fn key(text: &Text, reading: &mut Reading<'_>) -> Option<Key> {
    let all = sentences(text.line, &text.text);
    let sentence = all.first()?;
    for slip in &sentence.slips {
        reading.slips.push(Text {
            line: text.line,
            text: slip.clone(),
        });
    }
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    if cursor.eat("anything else") {
        return Some(Key::Other);
    }
    if cursor.eat("additional allowed character ,? if there is one") {
        return Some(Key::Allowed);
    }
    if cursor.eat("two") {
        let character = cursor.character()?;
        return Some(Key::Literal(Literal {
            text: character.to_string().repeat(2),
            ignore_case: false,
        }));
    }
    cursor.eat("string|word");
    let before = cursor.at;
    if let Some(text) = cursor.quoted() {
        return Some(Key::Literal(Literal {
            text: text.to_owned(),
            ignore_case: false,
        }));
    }
    cursor.at = before;
    if let Some(literal) = words_match(&mut cursor) {
        return Some(Key::Literal(literal));
    }
    let (set, eof) = cursor.set()?;
    cursor.eat("character");
    cursor.eat(":");
    cursor.is_done().then_some(Key::Set(set, eof))
}
