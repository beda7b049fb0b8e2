//! A section on a state, read.

use super::conditions::condition;
use super::cursor::Cursor;
use super::document::{ArmText, Item, Section, Text};
use super::facts::{Act, Arm, Body, Cond, Consume, Piece, State, Step, Target};
use super::flow::Reading;
use super::scan;
use super::states_arms::consume;
use super::values::BUFFER;
use super::words::{Sentence, sentences};

/// Reads a state.
pub(crate) fn state(section: &Section, reading: &mut Reading<'_>) -> State {
    let mut state = State {
        name: section.state_name().to_owned(),
        section: section.number.clone(),
        line: section.line,
        ..State::default()
    };
    if scan::state(section, reading, &mut state) {
        return state;
    }
    let (items, leaving) = split_leaving(&section.items, reading);
    state.leaving = leaving;
    let (entry, body) = body(&items, reading);
    state.entry = entry;
    state.body = body;
    state
}

/// What introduces a list of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Intro {
    Consume,
    Look,
    Match { kept: bool },
    None,
}

/// Steps on entering, and what the state does.
fn body(items: &[Item], reading: &mut Reading<'_>) -> (Vec<Step>, Body) {
    let Some(at) = items.iter().position(|item| matches!(item, Item::Arms(_))) else {
        return (Vec::new(), without_arms(items, reading));
    };
    let Item::Arms(arms) = &items[at] else {
        return (Vec::new(), Body::default());
    };
    let before = &items[..at];
    if let Some((steps, cond)) = alternative(before, reading) {
        let consume = Body::Consume(consume(arms, false, reading));
        let inner = Body::Branch(cond, Box::new(consume), Box::default());
        return (Vec::new(), with_alternative(steps, inner));
    }
    let (before, intro) = introduction(before, reading);
    if arms
        .iter()
        .any(|arm| branch_condition(arm, reading).is_some())
        && intro == Intro::None
    {
        return (Vec::new(), branches(arms, reading));
    }
    if intro == Intro::None {
        // Arms of what is not said.
        let first = arms.first().and_then(|arm| arm.conditions.first());
        reading.puzzles.extend(first.cloned());
    }
    let entry = reading.steps(&before);
    let body = match intro {
        Intro::Match { kept } => matching(arms, kept, reading),
        intro => Body::Consume(consume(arms, intro == Intro::Look, reading)),
    };
    for item in &items[at + 1..] {
        reading.puzzles.extend(texts_of(item));
    }
    (entry, body)
}

fn texts_of(item: &Item) -> Vec<Text> {
    match item {
        Item::Paragraph(text) | Item::Row(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// A state without a list of conditions.
fn without_arms(items: &[Item], reading: &mut Reading<'_>) -> Body {
    // "Consume the next input character. If it is a …, …. Otherwise, …."
    if let [Item::Paragraph(text)] = items {
        let all = sentences(text.line, &text.text);
        if let [consume, first, second] = all.as_slice()
            && is(consume, "consume next input character", reading)
            && let Some(body) = one_arm(text, first, second, reading)
        {
            return body;
        }
    }
    Body::Steps(reading.steps(items))
}

fn one_arm(
    text: &Text,
    first: &Sentence,
    second: &Sentence,
    reading: &mut Reading<'_>,
) -> Option<Body> {
    let mut cursor = Cursor::new(&first.words, reading.names);
    if !cursor.eat("if it is") {
        return None;
    }
    let (set, eof) = cursor.set()?;
    cursor.eat("character");
    let then = rest_of(first, cursor.at);
    reading.note(first);
    reading.note(second);
    let mut cursor = Cursor::new(&second.words, reading.names);
    if !cursor.eat("otherwise") {
        return None;
    }
    let otherwise = rest_of(second, cursor.at);
    reading.sentences += 1;
    let mut steps = |sentence: Sentence| {
        reading.sentences += 1;
        let mut cursor = Cursor::new(&sentence.words, reading.names);
        let steps = super::steps::clauses(&mut cursor, &mut super::steps::Spoken::default());
        if steps.is_none() {
            reading.puzzles.push(text.clone());
        }
        steps.unwrap_or_default()
    };
    let arm = Arm {
        label: set.to_string(),
        line: text.line,
        set,
        eof,
        steps: steps(then),
        ..Arm::default()
    };
    let anything_else = Arm {
        label: "anything else".to_owned(),
        line: text.line,
        steps: steps(otherwise),
        ..Arm::default()
    };
    Some(Body::Consume(Consume {
        looks: false,
        arms: vec![arm],
        anything_else: Some(anything_else),
    }))
}

fn rest_of(sentence: &Sentence, from: usize) -> Sentence {
    Sentence {
        words: sentence.words[from..].to_vec(),
        ..sentence.clone()
    }
}

/// Whether a sentence is a phrase and nothing more.
fn is(sentence: &Sentence, phrase: &str, reading: &Reading<'_>) -> bool {
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    let fits = cursor.eat(phrase);
    cursor.eat(":");
    fits && cursor.is_done()
}

/// Whether a sentence takes the longest name in the table of named character references.
pub(crate) fn is_longest(sentence: &Sentence, reading: &Reading<'_>) -> bool {
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    cursor.eat("consume maximum number of characters possible ,")
        && (cursor.eat("with consumed characters matching")
            || cursor.eat("where consumed characters are"))
        && cursor.eat("one of identifiers in first column of named character references table")
        && cursor.is_done()
}

/// "If …, then …. Otherwise, if …, consume the next input character:"
fn alternative(before: &[Item], reading: &mut Reading<'_>) -> Option<(Vec<Step>, Cond)> {
    let [rest @ .., Item::Paragraph(last)] = before else {
        return None;
    };
    let all = sentences(last.line, &last.text);
    let [sentence] = all.as_slice() else {
        return None;
    };
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    if !cursor.eat("otherwise ,? if") {
        return None;
    }
    let cond = condition(&mut cursor)?;
    cursor.eat(",");
    if !cursor.eat("consume next input character") {
        return None;
    }
    reading.sentences += 1;
    reading.note(sentence);
    Some((reading.steps(rest), cond))
}

fn with_alternative(steps: Vec<Step>, body: Body) -> Body {
    match steps.as_slice() {
        [Step::If(cond, then, otherwise)] if otherwise.is_empty() => Body::Branch(
            cond.clone(),
            Box::new(Body::Steps(then.clone())),
            Box::new(body),
        ),
        _ => body,
    }
}

/// Takes the sentence that introduces the conditions from the paragraphs before them.
fn introduction(before: &[Item], reading: &mut Reading<'_>) -> (Vec<Item>, Intro) {
    let mut items = before.to_vec();
    let mut intro = Intro::None;
    let Some(Item::Paragraph(last)) = items.pop() else {
        return (before.to_vec(), intro);
    };
    let mut kept = Vec::new();
    for sentence in sentences(last.line, &last.text) {
        let starts = |phrase: &str| Cursor::new(&sentence.words, reading.names).sees(phrase);
        let found = if is(&sentence, "consume next input character", reading) {
            Intro::Consume
        } else if is(&sentence, "if next few characters are", reading) {
            Intro::Look
        } else if is_longest(&sentence, reading) {
            Intro::Match { kept: false }
        } else if starts("append each character to temporary buffer when it's consumed") {
            Intro::Match { kept: true }
        } else if starts("behavior|behaviour of this state depends on content model flag") {
            Intro::None
        } else {
            kept.push(sentence.text.clone());
            continue;
        };
        reading.sentences += 1;
        reading.note(&sentence);
        if found != Intro::None {
            intro = found;
        }
    }
    if !kept.is_empty() {
        items.push(Item::Paragraph(Text {
            line: last.line,
            text: kept.join(" "),
        }));
    }
    (items, intro)
}

/// "If the content model flag is set to …" in front of a body.
fn branch_condition(arm: &ArmText, reading: &Reading<'_>) -> Option<Cond> {
    let [text] = arm.conditions.as_slice() else {
        return None;
    };
    let all = sentences(text.line, &text.text);
    let mut cursor = Cursor::new(&all.first()?.words, reading.names);
    let cond = cursor.eat("if|when").then(|| condition(&mut cursor))??;
    cursor.is_done().then_some(cond)
}

fn branches(arms: &[ArmText], reading: &mut Reading<'_>) -> Body {
    let Some((arm, rest)) = arms.split_first() else {
        return Body::default();
    };
    let cond = branch_condition(arm, reading);
    reading.sentences += 1;
    if cond.is_none() {
        reading.puzzles.extend(arm.conditions.first().cloned());
    }
    let (_, then) = body(&arm.body, reading);
    let otherwise = branches(rest, reading);
    Body::Branch(
        cond.unwrap_or(Cond::True),
        Box::new(then),
        Box::new(otherwise),
    )
}

/// "If there is a match" and "Otherwise".
fn matching(arms: &[ArmText], kept: bool, reading: &mut Reading<'_>) -> Body {
    let (mut matched, mut unmatched) = (Arm::default(), Arm::default());
    for one in arms {
        let text = one.conditions.first().cloned().unwrap_or_default();
        reading.sentences += 1;
        let yes = text.text.trim_end_matches(['.', ':']) == "If there is a match";
        let arm = Arm {
            label: if yes { "match" } else { "no match" }.to_owned(),
            line: text.line,
            steps: reading.steps(&one.body),
            ..Arm::default()
        };
        *(if yes { &mut matched } else { &mut unmatched }) = arm;
    }
    if kept {
        let name = Act::Write {
            target: Target::Register(BUFFER.to_owned()),
            set: false,
            value: vec![Piece::MatchedName],
        };
        matched.steps.insert(0, Step::Do(name));
    }
    Body::Match { matched, unmatched }
}

/// Takes what happens on leaving the state from the paragraphs.
fn split_leaving(items: &[Item], reading: &mut Reading<'_>) -> (Vec<Item>, Vec<Step>) {
    let mut kept = Vec::new();
    let mut leaving = Vec::new();
    for item in items {
        let steps = match item {
            Item::Paragraph(text) => leaving_steps(text, reading),
            _ => None,
        };
        match steps {
            Some(steps) => leaving.extend(steps),
            None => kept.push(item.clone()),
        }
    }
    // What is only a remark needs no place.
    kept.retain(|item| match item {
        Item::Paragraph(text) => {
            let all = sentences(text.line, &text.text);
            let remarks = all.iter().all(|s| (reading.remarks)(&s.text));
            if remarks {
                reading.sentences += all.len();
            }
            !remarks
        }
        _ => true,
    });
    (kept, leaving)
}

fn leaving_steps(text: &Text, reading: &mut Reading<'_>) -> Option<Vec<Step>> {
    let all = sentences(text.line, &text.text);
    let sentence = all.first()?;
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    if !cursor.eat("when user agent leaves") {
        return None;
    }
    if !cursor.eat("this state") {
        cursor.state()?;
    }
    let compares = cursor
        .eat(", complete attribute's name must be compared to other attributes on same token ;");
    if !compares || !cursor.eat("if") {
        return None;
    }
    let cond = condition(&mut cursor)?;
    let steps = super::steps::clauses(&mut cursor, &mut super::steps::Spoken::default());
    let said = all.len();
    reading.sentences += said;
    all.iter().for_each(|sentence| reading.note(sentence));
    if steps.is_none() {
        reading.puzzles.push(text.clone());
    }
    Some(vec![Step::If(cond, steps.unwrap_or_default(), Vec::new())])
}
