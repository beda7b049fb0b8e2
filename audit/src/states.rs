//! A section on a state: its introduction, its arms, and sentences that consume more than a character ("Consume
//! every character up to …").

use speclex_codegen::charset::CharSet;

use crate::conditions::{condition, words_match};
use crate::cursor::Cursor;
use crate::document::{ArmText, Item, Section, Text};
use crate::facts::{
    Action, Arm, BUFFER, Body, Consume, Guard, Literal, Piece, Place, State, Step, Successor,
};
use crate::sentences::Reading;
use crate::words::{Sentence, sentences};

/// Reads a state.
pub(crate) fn state(section: &Section, reading: &mut Reading<'_>) -> State {
    let mut state = State {
        name: section.state_name().to_owned(),
        section: section.number.clone(),
        line: section.line,
        ..State::default()
    };
    if character_run(section, reading, &mut state) {
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
enum Introduction {
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
    if let Some((steps, guard)) = alternative(before, reading) {
        let consume = Body::Consume(read_arms(arms, false, reading));
        let inner = Body::Branch(guard, Box::new(consume), Box::default());
        return (Vec::new(), with_alternative(steps, inner));
    }
    let (before, intro) = introduction(before, reading);
    if arms
        .iter()
        .any(|arm| branch_condition(arm, reading).is_some())
        && intro == Introduction::None
    {
        return (Vec::new(), branches(arms, reading));
    }
    if intro == Introduction::None {
        // Arms of what is not said.
        if let Some(arm) = arms.first() {
            reading.refuse_arm(arm);
        }
    }
    let entry = reading.steps(&before);
    let body = match intro {
        Introduction::Match { kept } => match_body(arms, kept, reading),
        intro => Body::Consume(read_arms(arms, intro == Introduction::Look, reading)),
    };
    for item in &items[at + 1..] {
        reading.not_understood.extend(texts_of(item));
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
            && is_phrase(consume, "consume next input character", reading)
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
        let steps =
            crate::clauses::clauses(&mut cursor, &mut crate::clauses::Antecedent::default());
        if steps.is_none() {
            reading.not_understood.push(text.clone());
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
    let anything_else = Arm::labelled("anything else", text.line, steps(otherwise));
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
fn is_phrase(sentence: &Sentence, phrase: &str, reading: &Reading<'_>) -> bool {
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
fn alternative(before: &[Item], reading: &mut Reading<'_>) -> Option<(Vec<Step>, Guard)> {
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
    let guard = condition(&mut cursor)?;
    cursor.eat(",");
    if !cursor.eat("consume next input character") {
        return None;
    }
    reading.take([sentence]);
    Some((reading.steps(rest), guard))
}

fn with_alternative(steps: Vec<Step>, body: Body) -> Body {
    match steps.as_slice() {
        [Step::If(guard, then, otherwise)] if otherwise.is_empty() => Body::Branch(
            guard.clone(),
            Box::new(Body::Steps(then.clone())),
            Box::new(body),
        ),
        _ => body,
    }
}

/// Takes the sentence that introduces the conditions from the paragraphs before them.
fn introduction(before: &[Item], reading: &mut Reading<'_>) -> (Vec<Item>, Introduction) {
    let mut items = before.to_vec();
    let mut intro = Introduction::None;
    let Some(Item::Paragraph(last)) = items.pop() else {
        return (before.to_vec(), intro);
    };
    let mut kept = Vec::new();
    for sentence in sentences(last.line, &last.text) {
        let starts = |phrase: &str| Cursor::new(&sentence.words, reading.names).sees(phrase);
        let found = if is_phrase(&sentence, "consume next input character", reading) {
            Introduction::Consume
        } else if is_phrase(&sentence, "if next few characters are", reading) {
            Introduction::Look
        } else if is_longest(&sentence, reading) {
            Introduction::Match { kept: false }
        } else if starts("append each character to temporary buffer when it's consumed") {
            Introduction::Match { kept: true }
        } else if starts("behavior|behaviour of this state depends on content model flag") {
            Introduction::None
        } else {
            kept.push(sentence.text.clone());
            continue;
        };
        reading.take([&sentence]);
        if found != Introduction::None {
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
fn branch_condition(arm: &ArmText, reading: &Reading<'_>) -> Option<Guard> {
    let [text] = arm.conditions.as_slice() else {
        return None;
    };
    let all = sentences(text.line, &text.text);
    let mut cursor = Cursor::new(&all.first()?.words, reading.names);
    let guard = cursor.eat("if|when").then(|| condition(&mut cursor))??;
    cursor.is_done().then_some(guard)
}

fn branches(arms: &[ArmText], reading: &mut Reading<'_>) -> Body {
    let Some((arm, rest)) = arms.split_first() else {
        return Body::default();
    };
    let guard = branch_condition(arm, reading);
    reading.sentences += 1;
    if guard.is_none() {
        reading.refuse_arm(arm);
    }
    let (_, then) = body(&arm.body, reading);
    let otherwise = branches(rest, reading);
    Body::Branch(
        guard.unwrap_or(Guard::True),
        Box::new(then),
        Box::new(otherwise),
    )
}

/// "If there is a match" and "Otherwise".
fn match_body(arms: &[ArmText], kept: bool, reading: &mut Reading<'_>) -> Body {
    let (mut matched, mut unmatched) = (Arm::default(), Arm::default());
    for one in arms {
        let text = one.conditions.first().cloned().unwrap_or_default();
        reading.sentences += 1;
        let yes = text.text.trim_end_matches(['.', ':']) == "If there is a match";
        let label = if yes { "match" } else { "no match" };
        let arm = Arm::labelled(label, text.line, reading.steps(&one.body));
        *(if yes { &mut matched } else { &mut unmatched }) = arm;
    }
    if kept {
        let name = Action::Write {
            target: Place::Register(BUFFER.to_owned()),
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
    let guard = condition(&mut cursor)?;
    let steps = crate::clauses::clauses(&mut cursor, &mut crate::clauses::Antecedent::default());
    reading.take(&all);
    if steps.is_none() {
        reading.not_understood.push(text.clone());
    }
    Some(vec![Step::If(guard, steps.unwrap_or_default(), Vec::new())])
}

/// The arms of a list of conditions.
pub(crate) fn read_arms(arms: &[ArmText], looks: bool, reading: &mut Reading<'_>) -> Consume {
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
            match arm_input(text, reading) {
                Some(ArmInput::Set(set, eof)) => {
                    arm.set = arm.set.union(&set);
                    arm.eof |= eof;
                }
                Some(ArmInput::Literal(literal)) => literals.push(literal),
                Some(ArmInput::Allowed) => arm.allowed = true,
                Some(ArmInput::Other) => other = true,
                None => reading.not_understood.push(text.clone()),
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
enum ArmInput {
    Set(speclex_codegen::charset::CharSet, bool),
    Literal(Literal),
    Allowed,
    Other,
}

fn arm_input(text: &Text, reading: &mut Reading<'_>) -> Option<ArmInput> {
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
        return Some(ArmInput::Other);
    }
    if cursor.eat("additional allowed character ,? if there is one") {
        return Some(ArmInput::Allowed);
    }
    if cursor.eat("two") {
        let character = cursor.character()?;
        return Some(ArmInput::Literal(Literal {
            text: character.to_string().repeat(2),
            ignore_case: false,
        }));
    }
    cursor.eat("string|word");
    let before = cursor.at;
    if let Some(text) = cursor.quoted() {
        return Some(ArmInput::Literal(Literal {
            text: text.to_owned(),
            ignore_case: false,
        }));
    }
    cursor.at = before;
    if let Some(literal) = words_match(&mut cursor) {
        return Some(ArmInput::Literal(literal));
    }
    let (set, eof) = cursor.set()?;
    cursor.eat("character");
    cursor.eat(":");
    cursor.is_done().then_some(ArmInput::Set(set, eof))
}

/// What such a state collects.
#[derive(Debug, Default)]
struct CharacterRun {
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
fn character_run(section: &Section, reading: &mut Reading<'_>, state: &mut State) -> bool {
    let (mut run, mut taken) = (CharacterRun::default(), Vec::new());
    for item in &section.items {
        let Item::Paragraph(text) = item else {
            return false;
        };
        for sentence in sentences(text.line, &text.text) {
            if run.take(&sentence, reading) {
                taken.push(sentence);
            } else {
                run.rest.push(Item::Paragraph(Text {
                    line: text.line,
                    text: sentence.text,
                }));
            }
        }
    }
    let Some(until) = run.until.take() else {
        return false;
    };
    reading.take(&taken);
    let data = Place::Field("comment".to_owned(), "data".to_owned());
    let collect = |value: Vec<Piece>| {
        let action = match run.comment {
            true => Action::Write {
                target: data.clone(),
                set: false,
                value,
            },
            false => Action::EmitText(value),
        };
        vec![Step::Do(action), Step::Go(Successor::Stay)]
    };
    let mut end = Vec::new();
    if run.comment {
        state.entry = vec![Step::Do(Action::Create("comment".to_owned()))];
        end.push(Step::Do(Action::Emit(Some("comment".to_owned()))));
    }
    end.extend(reading.steps(&run.rest));
    let line = section.line;
    let one = |character: char, steps: Vec<Step>| {
        let set = CharSet::single(character);
        Arm::of(&set.to_string(), line, set, steps)
    };
    let mut arms = vec![Arm {
        eof: true,
        ..Arm::labelled("EOF", line, end.clone())
    }];
    match until {
        Until::Character(c) => arms.push(one(c, end)),
        Until::Text(text) => {
            let mut steps = vec![Step::ConsumeAll];
            steps.extend(end);
            arms.push(Arm {
                literal: Some(Literal {
                    text: text.clone(),
                    ignore_case: false,
                }),
                ..Arm::labelled(&format!("\"{text}\""), line, steps)
            });
        }
    }
    for (from, to) in &run.replaced {
        arms.push(one(*from, collect(vec![Piece::Lit(to.to_string())])));
    }
    state.includes = run.includes;
    state.body = Body::Consume(Consume {
        looks: false,
        arms,
        anything_else: Some(Arm::labelled(
            "anything else",
            line,
            collect(vec![Piece::Current]),
        )),
    });
    true
}

impl CharacterRun {
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
