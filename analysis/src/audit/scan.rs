//! Sentences that consume more than a character: "Consume every character up to …".

use speclex_codegen::charset::CharSet;

use super::cursor::Cursor;
use super::document::{Item, Section, Text};
use super::facts::{Act, Arm, Body, Consume, Literal, Piece, State, Step, Target, To};
use super::flow::Reading;
use super::words::{Sentence, sentences};

/// What such a state collects.
#[derive(Debug, Default)]
struct Scan {
    until: Option<Until>,
    /// A comment token with the characters as its data; else they are emitted.
    comment: bool,
    includes: bool,
    replaced: Vec<(char, char)>,
    /// The other sentences, before and after.
    rest: Vec<Item>,
}

#[derive(Debug)]
enum Until {
    Character(char),
    Text(String),
}

/// Reads a state that has such a sentence; whether it has.
pub(crate) fn state(section: &Section, reading: &mut Reading<'_>, state: &mut State) -> bool {
    let (mut scan, mut taken) = (Scan::default(), Vec::new());
    for item in &section.items {
        let Item::Paragraph(text) = item else {
            return false;
        };
        for sentence in sentences(text.line, &text.text) {
            if scan.take(&sentence, reading) {
                taken.push(sentence);
            } else {
                scan.rest.push(Item::Paragraph(Text {
                    line: text.line,
                    text: sentence.text,
                }));
            }
        }
    }
    let Some(until) = scan.until.take() else {
        return false;
    };
    reading.sentences += taken.len();
    taken.iter().for_each(|sentence| reading.note(sentence));
    let data = Target::Field("comment".to_owned(), "data".to_owned());
    let collect = |value: Vec<Piece>| {
        let act = match scan.comment {
            true => Act::Write {
                target: data.clone(),
                set: false,
                value,
            },
            false => Act::EmitText(value),
        };
        vec![Step::Do(act), Step::Go(To::Stay)]
    };
    let mut end = Vec::new();
    if scan.comment {
        state.entry = vec![Step::Do(Act::Create("comment".to_owned()))];
        end.push(Step::Do(Act::Emit(Some("comment".to_owned()))));
    }
    end.extend(reading.steps(&scan.rest));
    let arm = |label: &str, steps: Vec<Step>| Arm {
        label: label.to_owned(),
        line: section.line,
        steps,
        ..Arm::default()
    };
    let mut arms = vec![Arm {
        eof: true,
        ..arm("EOF", end.clone())
    }];
    match until {
        Until::Character(c) => arms.push(Arm {
            set: CharSet::single(c),
            ..arm(&CharSet::single(c).to_string(), end)
        }),
        Until::Text(text) => {
            let mut steps = vec![Step::ConsumeAll];
            steps.extend(end);
            arms.push(Arm {
                literal: Some(Literal {
                    text: text.clone(),
                    ignore_case: false,
                }),
                ..arm(&format!("\"{text}\""), steps)
            });
        }
    }
    for (from, to) in &scan.replaced {
        arms.push(Arm {
            set: CharSet::single(*from),
            ..arm(
                &CharSet::single(*from).to_string(),
                collect(vec![Piece::Lit(to.to_string())]),
            )
        });
    }
    state.includes = scan.includes;
    state.body = Body::Consume(Consume {
        looks: false,
        arms,
        anything_else: Some(arm("anything else", collect(vec![Piece::Current]))),
    });
    true
}

impl Scan {
    /// Takes a sentence on what is collected.
    fn take(&mut self, sentence: &Sentence, reading: &Reading<'_>) -> bool {
        let mut cursor = Cursor::new(&sentence.words, reading.names);
        if cursor.eat("consume every character up to") {
            self.until = until(&mut cursor);
            return self.until.is_some();
        }
        if cursor.eat("emit comment token whose data is concatenation of all") {
            self.comment = true;
            self.details(&mut cursor);
            return cursor.is_done();
        }
        if cursor.eat("emit series of character tokens consisting of all characters consumed") {
            return cursor.eat("except matching three character sequence at end");
        }
        if cursor.eat("then consume next input character and") {
            let rest = sentence
                .text
                .split_once("and ")
                .map_or("", |(_, rest)| rest);
            self.rest.push(Item::Paragraph(Text {
                line: sentence.line,
                text: rest.to_owned(),
            }));
            return true;
        }
        false
    }

    fn details(&mut self, cursor: &mut Cursor<'_>) {
        let _ = cursor.eat("those consumed characters") || cursor.eat("characters");
        if cursor
            .eat("starting from and including character that caused state machine to switch into")
        {
            self.includes = cursor.state().is_some();
        }
        cursor.eat(", up to and including character immediately before last consumed character");
        if cursor.eat(", but with any")
            && let Some(from) = cursor.character()
        {
            cursor.eat("characters");
            if cursor.eat("replaced by")
                && let Some(to) = cursor.character()
            {
                cursor.eat("characters");
                self.replaced.push((from, to));
            }
        }
    }
}

fn until(cursor: &mut Cursor<'_>) -> Option<Until> {
    cursor.eat("and including");
    let until = if cursor.eat("first") {
        let character = cursor.character()?;
        cursor.eat("character");
        Until::Character(character)
    } else if cursor.eat("next occurrence of three character sequence") {
        let mut text = String::new();
        while let Some(character) = cursor.character() {
            text.push(character);
        }
        Until::Text(text)
    } else {
        return None;
    };
    cursor.eat(",");
    let ends = cursor.eat("or end of file") || cursor.eat("or eof");
    (ends && cursor.eat(", whichever comes first")).then_some(until)
}
