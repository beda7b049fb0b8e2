//! Clauses that say what is done. Each is a pattern of words; one sentence may have several clauses.

use crate::cursor::{Cursor, kind};
use crate::facts::{
    ATTRIBUTE_NAME, Action, BUFFER, CODE, Guard, Piece, Place, RETURN_STATE, Returned, Step,
    Successor, UNNAMED, literal,
};

/// What sentences before have spoken of, in the same arm.
#[derive(Clone, Debug, Default)]
pub(crate) struct Antecedent {
    /// "it", "the token"
    pub(crate) token: Option<String>,
}

/// Reads clauses up to the end of the sentence; `None` when a part is not understood.
pub(crate) fn clauses(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    loop {
        for mark in [",", ";", ":"] {
            cursor.eat(mark);
        }
        cursor.eat("and");
        cursor.eat("then");
        cursor.eat("finally ,?");
        cursor.eat("also");
        cursor.eat("for historical reasons ,");
        // A reason is none of what is done.
        if cursor.is_done() || cursor.sees("because") {
            return Some(steps);
        }
        steps.extend(clause(cursor, antecedent)?);
    }
}

fn clause(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    error(cursor)
        .or_else(|| successor(cursor))
        .or_else(|| consumption(cursor))
        .or_else(|| emission(cursor, antecedent))
        .or_else(|| creation(cursor, antecedent))
        .or_else(|| setting(cursor, antecedent))
        .or_else(|| appending(cursor, antecedent))
        .or_else(|| number(cursor))
        .or_else(|| returning(cursor))
}

fn one_step(action: Action) -> Vec<Step> {
    vec![Step::Do(action)]
}

/// "This is an eof-in-tag parse error", "Parse error"
fn error(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    let mut ahead = *cursor;
    let _ = ahead.eat("this|that|there is") || ahead.eat("this") || ahead.eat("emit");
    let code = match ahead.sees("parse error") {
        true => UNNAMED.to_owned(),
        false => ahead.plain()?.to_owned(),
    };
    if !ahead.eat("parse error") {
        return None;
    }
    *cursor = ahead;
    Some(one_step(Action::Error(code)))
}

fn successor(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    if cursor.eat("switch back to") {
        cursor.eat("attribute value state that");
        let back = cursor.eat("switched to|into this state")
            || cursor.eat("you were in when were switched into this state");
        return back.then(|| vec![Step::Go(Successor::Back)]);
    }
    if cursor.eat("switch to") {
        let to = to(cursor)?;
        let mut steps = Vec::new();
        if cursor.eat(", with? no additional allowed character") {
            steps.push(Step::Do(Action::SetAllowed(None)));
        } else if cursor.eat(", with? additional allowed character being") {
            steps.push(Step::Do(Action::SetAllowed(Some(cursor.character()?))));
        }
        cursor.eat("to process next input character");
        steps.push(Step::Go(to));
        return Some(steps);
    }
    if cursor.eat("reconsume|reprocess") {
        cursor.eat("this|current|eof");
        cursor.eat("input");
        cursor.eat("character|characters");
        if !cursor.eat("in") {
            return Some(vec![Step::Reconsume]);
        }
        return Some(vec![Step::Go(to(cursor)?), Step::Reconsume]);
    }
    if cursor.eat("reprocessing eof character if that was character consumed") {
        return Some(vec![Step::If(
            Guard::AtEof,
            vec![Step::Reconsume],
            Vec::new(),
        )]);
    }
    if cursor.eat("stay|remain in this|current state") {
        return Some(vec![Step::Go(Successor::Stay)]);
    }
    if cursor.eat("stay in") {
        return Some(vec![Step::Go(Successor::State(cursor.state()?))]);
    }
    let before = cursor.at;
    if cursor.eat("treat it as per") && cursor.quoted() == Some("anything else") {
        cursor.eat("entry below");
        return Some(vec![Step::AsAnythingElse]);
    }
    cursor.at = before;
    if cursor.eat("ignore character") {
        return Some(Vec::new());
    }
    cursor
        .eat(
            "next character that is consumed , if any , is first character that will be in comment",
        )
        .then(Vec::new)
}

fn to(cursor: &mut Cursor<'_>) -> Option<Successor> {
    if cursor.eat("return state") {
        return Some(Successor::Register(RETURN_STATE.to_owned()));
    }
    cursor.state().map(Successor::State)
}

fn consumption(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    if cursor.eat("this? consume those|them two? characters|charactes?") {
        return Some(vec![Step::ConsumeAll]);
    }
    if cursor.eat("attempt to consume character reference") {
        let allowed = cursor.eat(", with no additional allowed character");
        return Some(vec![Step::Attempt(allowed.then_some(None))]);
    }
    if cursor.eat("flush code points consumed as character reference") {
        return Some(flush());
    }
    if cursor.eat("convert temporary buffer to comment") {
        return Some(convert());
    }
    let said_otherwise = [
        "append each character to temporary buffer when it's consumed",
        "character reference is parsed",
        "not character reference",
        "no characters are consumed",
        "don't consume any characters",
        "check character reference code",
        "number unicode character",
    ];
    said_otherwise
        .iter()
        .any(|words| cursor.eat(words))
        .then(Vec::new)
}

/// Flush code points consumed as a character reference.
pub(crate) fn flush() -> Vec<Step> {
    let buffer = vec![Piece::Register(BUFFER.to_owned())];
    vec![Step::If(
        Guard::InAttribute,
        one_step(Action::Write {
            target: Place::AttributeValue,
            set: false,
            value: buffer.clone(),
        }),
        one_step(Action::EmitText(buffer)),
    )]
}

/// Convert the temporary buffer to a comment.
pub(crate) fn convert() -> Vec<Step> {
    let data = vec![
        Piece::Lit("?".to_owned()),
        Piece::Register(BUFFER.to_owned()),
    ];
    let mut steps = one_step(Action::Create("comment".to_owned()));
    steps.extend(one_step(Action::Write {
        target: Place::Field("comment".to_owned(), "data".to_owned()),
        set: true,
        value: data,
    }));
    steps
}

fn emission(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let mut ahead = *cursor;
    if !ahead.eat("emit") {
        return None;
    }
    let mut steps = emitted(&mut ahead, antecedent)?;
    loop {
        let before = ahead.at;
        let goes_on = ahead.eat(",") | ahead.eat("and") | ahead.eat("also") | ahead.eat("emit");
        match goes_on.then(|| emitted(&mut ahead, antecedent)).flatten() {
            Some(more) => steps.extend(more),
            None => {
                ahead.at = before;
                break;
            }
        }
    }
    *cursor = ahead;
    Some(steps)
}

fn emitted(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let times = if cursor.eat("two") { 2 } else { 1 };
    if let Some(character) = cursor.character() {
        let text = character.to_string().repeat(times);
        cursor.eat("character|characters");
        cursor.eat("as character");
        cursor.eat("token|tokens");
        return Some(one_step(Action::EmitText(literal(&text))));
    }
    if times == 2 {
        return None;
    }
    if cursor.eat("current? input character as character token?") {
        return Some(one_step(Action::EmitText(vec![Piece::Current])));
    }
    if cursor.eat("character token for each of characters in temporary buffer") {
        let buffer = Piece::Register(BUFFER.to_owned());
        return Some(one_step(Action::EmitText(vec![buffer])));
    }
    if cursor.eat("end-of-file token?") || cursor.eat("end-of-file-token") {
        return Some(vec![Step::Do(Action::EmitEof), Step::Go(Successor::End)]);
    }
    if cursor.eat("character token|tokens that was|were returned") {
        return Some(one_step(Action::EmitText(vec![Piece::Returned])));
    }
    let named = cursor.eat("current|that|new");
    if cursor.eat("token") {
        // "The token" is the one just spoken of, "the current token" what is under construction.
        let token = if named {
            None
        } else {
            antecedent.token.clone()
        };
        if !named && token.is_none() {
            return None;
        }
        return Some(kind_and_emit(cursor, token));
    }
    let (kind, token) = kind(cursor)?;
    cursor.eat("token");
    if kind == "short end tag" {
        let mut steps = one_step(Action::Create(kind.to_owned()));
        steps.extend(one_step(Action::Emit(Some(token.to_owned()))));
        return Some(steps);
    }
    let mut steps = Vec::new();
    if kind != token {
        steps.extend(one_step(Action::SetKind(kind.to_owned())));
    }
    steps.extend(kind_and_emit(cursor, Some(token.to_owned())));
    Some(steps)
}

/// "... as start tag token"
fn kind_and_emit(cursor: &mut Cursor<'_>, mut token: Option<String>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut ahead = *cursor;
    if ahead.eat("as")
        && let Some((kind, its_token)) = kind(&mut ahead)
        && ahead.eat("token")
    {
        *cursor = ahead;
        token = Some(its_token.to_owned());
        steps.push(Step::Do(Action::SetKind(kind.to_owned())));
    }
    steps.push(Step::Do(Action::Emit(token)));
    steps
}

fn creation(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    if cursor.eat("start new attribute in current tag token") {
        return Some(one_step(Action::StartAttribute));
    }
    if cursor.eat("new attribute must be removed from token") {
        return Some(one_step(Action::DropAttribute));
    }
    if cursor.eat("new attribute must be dropped") {
        cursor.eat(", along with value that gets associated with it");
        return Some(one_step(Action::DropAttribute));
    }
    if !cursor.eat("create new?") {
        return None;
    }
    let (kind, token) = kind(cursor)?;
    if !cursor.eat("token") {
        return None;
    }
    antecedent.token = Some(token.to_owned());
    let mut steps = one_step(Action::Create(kind.to_owned()));
    if cursor.eat("whose") {
        loop {
            let name = ["data", "target", "name"]
                .into_iter()
                .find(|n| cursor.eat(n))?;
            if !cursor.eat("is") {
                return None;
            }
            steps.push(Step::Do(Action::Write {
                target: Place::Field(token.to_owned(), name.to_owned()),
                set: true,
                value: cursor.value()?,
            }));
            let mut ahead = *cursor;
            if !(ahead.eat("and whose?") && (ahead.sees("data is") || ahead.sees("target is"))) {
                break;
            }
            *cursor = ahead;
        }
    }
    Some(steps)
}

fn returning(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    let code = || vec![Piece::Code(CODE.to_owned())];
    if cursor.eat("nothing is returned") {
        return Some(vec![Step::Return(Returned::Nothing)]);
    }
    if cursor.eat("all characters that were matched after") {
        cursor.character()?;
        return cursor.eat("must be unconsumed").then(Vec::new);
    }
    let mut ahead = *cursor;
    if !ahead.eat("return") {
        return None;
    }
    let mut steps = Vec::new();
    let text = if ahead
        .eat("character token for unicode character given in second column of that row")
    {
        steps.extend(one_step(Action::Replace(CODE.to_owned())));
        code()
    } else if ahead.eat("character token for unicode character whose code point is that number") {
        code()
    } else if ahead
        .eat("one or two character tokens for character corresponding to character reference name")
        || ahead.eat("character token for character corresponding to character reference name")
    {
        vec![Piece::MatchedReplacement]
    } else if ahead.eat("reference with name equal to consumed characters") {
        if ahead.eat(", omitting") {
            ahead.character()?;
        }
        *cursor = ahead;
        let token = "entity reference".to_owned();
        return Some(vec![Step::Return(Returned::Token(token))]);
    } else {
        ahead.eat("character token for");
        let character = ahead.character()?;
        ahead.eat("character");
        ahead.eat("character? token");
        ahead.eat("instead");
        literal(&character.to_string())
    };
    steps.push(Step::Return(Returned::Text(text)));
    *cursor = ahead;
    Some(steps)
}

fn setting(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    let mut ahead = *cursor;
    if !ahead.eat("set") {
        return None;
    }
    let steps = set_what(&mut ahead, antecedent)?;
    *cursor = ahead;
    Some(steps)
}

fn set_what(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    if cursor.eat("self-closing flag of current tag token") {
        return Some(one_step(Action::Flag("self-closing flag".to_owned(), true)));
    }
    for words in [
        "current? doctype token's force-quirks flag to",
        "its force-quirks flag to",
    ] {
        if cursor.eat(words) {
            let on = cursor.eat("on");
            return (on || cursor.eat("off"))
                .then(|| one_step(Action::Flag("force-quirks flag".to_owned(), on)));
        }
    }
    if cursor.eat("escape flag to") {
        let word = cursor.plain()?.to_owned();
        return Some(one_step(Action::SetWord("escape flag".to_owned(), word)));
    }
    if cursor.eat("return state to") {
        let state = cursor.state()?;
        return Some(one_step(Action::SetState(RETURN_STATE.to_owned(), state)));
    }
    if cursor.eat("current tag to") {
        let (kind, _) = kind(cursor)?;
        return Some(one_step(Action::SetKind(kind.to_owned())));
    }
    if cursor.eat("character reference code to") {
        if cursor.eat("number in second column of that row") {
            return Some(one_step(Action::Replace(CODE.to_owned())));
        }
        let number = cursor.number()?;
        return Some(one_step(Action::SetNumber(CODE.to_owned(), number)));
    }
    if cursor.eat("doctype depth to") {
        let number = cursor.number()?;
        return Some(one_step(Action::SetNumber(
            "doctype depth".to_owned(),
            number,
        )));
    }
    if cursor.eat("current xml declaration attribute name to") {
        let word = cursor.plain()?;
        return Some(vec![write(
            Place::Register(ATTRIBUTE_NAME.to_owned()),
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
            write(Place::AttributeName, true, value.clone()),
            write(Place::AttributeValue, true, value),
        ]);
    }
    // "Set target to the current input character and data to the empty string."
    let instruction =
        |name: &str| Place::Field("processing instruction".to_owned(), name.to_owned());
    let target = match cursor.eat("target") {
        true => instruction("target"),
        false => cursor.target(&mut antecedent.token)?,
    };
    if !cursor.eat("to") {
        return None;
    }
    let mut steps = vec![write(target.clone(), true, cursor.value()?)];
    let mut ahead = *cursor;
    ahead.eat(",");
    if ahead.eat("and its value to") && target == Place::AttributeName {
        steps.push(write(Place::AttributeValue, true, ahead.value()?));
        *cursor = ahead;
    } else if ahead.eat("and data to") {
        steps.push(write(instruction("data"), true, ahead.value()?));
        *cursor = ahead;
    }
    Some(steps)
}

fn write(target: Place, set: bool, value: Vec<Piece>) -> Step {
    Step::Do(Action::Write { target, set, value })
}

/// The value of the attribute of an XML declaration whose name was read.
fn declaration_value(set: bool, value: &[Piece]) -> Vec<Step> {
    let to = |name: &str| {
        let target = Place::Field("XML declaration".to_owned(), name.to_owned());
        vec![write(target, set, value.to_vec())]
    };
    let is = |name: &str| Guard::TextIs {
        register: ATTRIBUTE_NAME.to_owned(),
        any_of: vec![name.to_owned()],
        ignore_case: false,
    };
    let otherwise = vec![Step::If(is("encoding"), to("encoding"), to("standalone"))];
    vec![Step::If(is("version"), to("version"), otherwise)]
}

fn appending(cursor: &mut Cursor<'_>, antecedent: &mut Antecedent) -> Option<Vec<Step>> {
    if cursor.eat("push to processing instruction") {
        let name = cursor.plain().filter(|w| matches!(*w, "target" | "data"))?;
        let text = cursor.plain()?;
        let target = Place::Field("processing instruction".to_owned(), name.to_owned());
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
    Some(vec![write(
        cursor.target(&mut antecedent.token)?,
        false,
        value,
    )])
}

pub(crate) fn number(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    if cursor.eat("multiply character reference code by") {
        return Some(one_step(Action::Multiply(
            CODE.to_owned(),
            cursor.number()?,
        )));
    }
    if cursor.eat("add numeric version of current input character") {
        cursor.eat("as hexadecimal digit");
        return cursor
            .eat("to character reference code")
            .then(|| one_step(Action::AddDigit(CODE.to_owned())));
    }
    for (words, change) in [
        (
            "increase doctype depth by",
            Action::Increase as fn(String) -> Action,
        ),
        ("decrease doctype depth by", Action::Decrease),
    ] {
        if cursor.eat(words) {
            return (cursor.number()? == 1).then(|| one_step(change("doctype depth".to_owned())));
        }
    }
    if cursor.eat("find row with that number in first column") {
        return Some(Vec::new());
    }
    None
}
