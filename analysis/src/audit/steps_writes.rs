//! Clauses that write to tokens and variables: "Set …", "Append …", "Multiply …".

use super::cursor::Cursor;
use super::facts::{Act, Cond, Piece, Step, Target, literal};
use super::machine::CODE;
use super::steps::{Spoken, act};
use super::values::{ATTRIBUTE_NAME, RETURN_STATE, kind};

pub(crate) fn setting(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    let mut ahead = *cursor;
    if !ahead.eat("set") {
        return None;
    }
    let steps = set_what(&mut ahead, spoken)?;
    *cursor = ahead;
    Some(steps)
}

fn set_what(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    if cursor.eat("self-closing flag of current tag token") {
        return Some(act(Act::Flag("self-closing flag".to_owned(), true)));
    }
    for words in [
        "current? doctype token's force-quirks flag to",
        "its force-quirks flag to",
    ] {
        if cursor.eat(words) {
            let on = cursor.eat("on");
            return (on || cursor.eat("off"))
                .then(|| act(Act::Flag("force-quirks flag".to_owned(), on)));
        }
    }
    if cursor.eat("escape flag to") {
        let word = cursor.plain()?.to_owned();
        return Some(act(Act::SetWord("escape flag".to_owned(), word)));
    }
    if cursor.eat("return state to") {
        let state = cursor.state()?;
        return Some(act(Act::SetState(RETURN_STATE.to_owned(), state)));
    }
    if cursor.eat("current tag to") {
        let (kind, _) = kind(cursor)?;
        return Some(act(Act::SetKind(kind.to_owned())));
    }
    if cursor.eat("character reference code to") {
        if cursor.eat("number in second column of that row") {
            return Some(act(Act::Replace(CODE.to_owned())));
        }
        let number = cursor.number()?;
        return Some(act(Act::SetNumber(CODE.to_owned(), number)));
    }
    if cursor.eat("doctype depth to") {
        let number = cursor.number()?;
        return Some(act(Act::SetNumber("doctype depth".to_owned(), number)));
    }
    if cursor.eat("current xml declaration attribute name to") {
        let word = cursor.plain()?;
        return Some(vec![write(
            Target::Register(ATTRIBUTE_NAME.to_owned()),
            true,
            literal(word),
        )]);
    }
    if cursor.eat("value of current xml declaration attribute to") {
        return Some(declaration_value(true, &cursor.value()?));
    }
    if cursor.eat("that attribute's name and value to") {
        let value = cursor.value()?;
        return Some(vec![
            write(Target::AttributeName, true, value.clone()),
            write(Target::AttributeValue, true, value),
        ]);
    }
    // "Set target to the current input character and data to the empty string."
    let instruction =
        |name: &str| Target::Field("processing instruction".to_owned(), name.to_owned());
    let target = match cursor.eat("target") {
        true => instruction("target"),
        false => cursor.target(&mut spoken.token)?,
    };
    if !cursor.eat("to") {
        return None;
    }
    let mut steps = vec![write(target.clone(), true, cursor.value()?)];
    let mut ahead = *cursor;
    ahead.eat(",");
    if ahead.eat("and its value to") && target == Target::AttributeName {
        steps.push(write(Target::AttributeValue, true, ahead.value()?));
        *cursor = ahead;
    } else if ahead.eat("and data to") {
        steps.push(write(instruction("data"), true, ahead.value()?));
        *cursor = ahead;
    }
    Some(steps)
}

fn write(target: Target, set: bool, value: Vec<Piece>) -> Step {
    Step::Do(Act::Write { target, set, value })
}

/// The value of the attribute of an XML declaration whose name was read.
fn declaration_value(set: bool, value: &[Piece]) -> Vec<Step> {
    let to = |name: &str| {
        let target = Target::Field("XML declaration".to_owned(), name.to_owned());
        vec![write(target, set, value.to_vec())]
    };
    let is = |name: &str| Cond::TextIs {
        register: ATTRIBUTE_NAME.to_owned(),
        any_of: vec![name.to_owned()],
        ignore_case: false,
    };
    let otherwise = vec![Step::If(is("encoding"), to("encoding"), to("standalone"))];
    vec![Step::If(is("version"), to("version"), otherwise)]
}

pub(crate) fn appending(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    if cursor.eat("push to processing instruction") {
        let name = cursor.plain().filter(|w| matches!(*w, "target" | "data"))?;
        let text = cursor.plain()?;
        let target = Target::Field("processing instruction".to_owned(), name.to_owned());
        return Some(vec![write(target, false, literal(text))]);
    }
    if !cursor.eat("append") {
        return None;
    }
    let value = cursor.values()?;
    if !cursor.eat("to") {
        return None;
    }
    if cursor.eat("value of current xml declaration attribute") {
        return Some(declaration_value(false, &value));
    }
    Some(vec![write(cursor.target(&mut spoken.token)?, false, value)])
}

pub(crate) fn number(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    if cursor.eat("multiply character reference code by") {
        return Some(act(Act::Multiply(CODE.to_owned(), cursor.number()?)));
    }
    if cursor.eat("add numeric version of current input character") {
        cursor.eat("as hexadecimal digit");
        return cursor
            .eat("to character reference code")
            .then(|| act(Act::AddDigit(CODE.to_owned())));
    }
    for (words, change) in [
        (
            "increase doctype depth by",
            Act::Increase as fn(String) -> Act,
        ),
        ("decrease doctype depth by", Act::Decrease),
    ] {
        if cursor.eat(words) {
            return (cursor.number()? == 1).then(|| act(change("doctype depth".to_owned())));
        }
    }
    if cursor.eat("find row with that number in first column") {
        return Some(Vec::new());
    }
    None
}
