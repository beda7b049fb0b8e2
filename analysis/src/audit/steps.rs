//! Clauses that say what is done. Each is a pattern of words; one sentence may have several clauses.

use super::cursor::Cursor;
use super::facts::{Act, Cond, Piece, Returned, Step, Target, To, literal};
use super::machine::CODE;
use super::steps_writes::{appending, number, setting};
use super::values::{BUFFER, RETURN_STATE, kind};

/// The code of an error that has none.
pub(crate) const UNNAMED: &str = "parse-error";

/// What sentences before have spoken of, in the same arm.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spoken {
    /// "it", "the token"
    pub(crate) token: Option<String>,
}

/// Reads clauses up to the end of the sentence; `None` when a part is not understood.
pub(crate) fn clauses(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
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
        steps.extend(clause(cursor, spoken)?);
    }
}

fn clause(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    error(cursor)
        .or_else(|| successor(cursor))
        .or_else(|| consumption(cursor))
        .or_else(|| emission(cursor, spoken))
        .or_else(|| creation(cursor, spoken))
        .or_else(|| setting(cursor, spoken))
        .or_else(|| appending(cursor, spoken))
        .or_else(|| number(cursor))
        .or_else(|| returning(cursor))
}

pub(crate) fn act(act: Act) -> Vec<Step> {
    vec![Step::Do(act)]
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
    Some(act(Act::Error(code)))
}

fn successor(cursor: &mut Cursor<'_>) -> Option<Vec<Step>> {
    if cursor.eat("switch back to") {
        cursor.eat("attribute value state that");
        let back = cursor.eat("switched to|into this state")
            || cursor.eat("you were in when were switched into this state");
        return back.then(|| vec![Step::Go(To::Back)]);
    }
    if cursor.eat("switch to") {
        let to = to(cursor)?;
        let mut steps = Vec::new();
        if cursor.eat(", with? no additional allowed character") {
            steps.push(Step::Do(Act::SetAllowed(None)));
        } else if cursor.eat(", with? additional allowed character being") {
            steps.push(Step::Do(Act::SetAllowed(Some(cursor.character()?))));
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
            Cond::AtEof,
            vec![Step::Reconsume],
            Vec::new(),
        )]);
    }
    if cursor.eat("stay|remain in this|current state") {
        return Some(vec![Step::Go(To::Stay)]);
    }
    if cursor.eat("stay in") {
        return Some(vec![Step::Go(To::State(cursor.state()?))]);
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

fn to(cursor: &mut Cursor<'_>) -> Option<To> {
    if cursor.eat("return state") {
        return Some(To::Register(RETURN_STATE.to_owned()));
    }
    cursor.state().map(To::State)
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
        Cond::InAttribute,
        act(Act::Write {
            target: Target::AttributeValue,
            set: false,
            value: buffer.clone(),
        }),
        act(Act::EmitText(buffer)),
    )]
}

/// Convert the temporary buffer to a comment.
pub(crate) fn convert() -> Vec<Step> {
    let data = vec![
        Piece::Lit("?".to_owned()),
        Piece::Register(BUFFER.to_owned()),
    ];
    let mut steps = act(Act::Create("comment".to_owned()));
    steps.extend(act(Act::Write {
        target: Target::Field("comment".to_owned(), "data".to_owned()),
        set: true,
        value: data,
    }));
    steps
}

fn emission(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    let mut ahead = *cursor;
    if !ahead.eat("emit") {
        return None;
    }
    let mut steps = emitted(&mut ahead, spoken)?;
    loop {
        let before = ahead.at;
        let goes_on = ahead.eat(",") | ahead.eat("and") | ahead.eat("also") | ahead.eat("emit");
        match goes_on.then(|| emitted(&mut ahead, spoken)).flatten() {
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

fn emitted(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    let times = if cursor.eat("two") { 2 } else { 1 };
    if let Some(character) = cursor.character() {
        let text = character.to_string().repeat(times);
        cursor.eat("character|characters");
        cursor.eat("as character");
        cursor.eat("token|tokens");
        return Some(act(Act::EmitText(literal(&text))));
    }
    if times == 2 {
        return None;
    }
    if cursor.eat("current? input character as character token?") {
        return Some(act(Act::EmitText(vec![Piece::Current])));
    }
    if cursor.eat("character token for each of characters in temporary buffer") {
        let buffer = Piece::Register(BUFFER.to_owned());
        return Some(act(Act::EmitText(vec![buffer])));
    }
    if cursor.eat("end-of-file token?") || cursor.eat("end-of-file-token") {
        return Some(vec![Step::Do(Act::EmitEof), Step::Go(To::End)]);
    }
    if cursor.eat("character token|tokens that was|were returned") {
        return Some(act(Act::EmitText(vec![Piece::Returned])));
    }
    let named = cursor.eat("current|that|new");
    if cursor.eat("token") {
        // "The token" is the one just spoken of, "the current token" what is under construction.
        let token = if named { None } else { spoken.token.clone() };
        if !named && token.is_none() {
            return None;
        }
        return Some(kind_and_emit(cursor, token));
    }
    let (kind, token) = kind(cursor)?;
    cursor.eat("token");
    if kind == "short end tag" {
        let mut steps = act(Act::Create(kind.to_owned()));
        steps.extend(act(Act::Emit(Some(token.to_owned()))));
        return Some(steps);
    }
    let mut steps = Vec::new();
    if kind != token {
        steps.extend(act(Act::SetKind(kind.to_owned())));
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
        steps.push(Step::Do(Act::SetKind(kind.to_owned())));
    }
    steps.push(Step::Do(Act::Emit(token)));
    steps
}

fn creation(cursor: &mut Cursor<'_>, spoken: &mut Spoken) -> Option<Vec<Step>> {
    if cursor.eat("start new attribute in current tag token") {
        return Some(act(Act::StartAttribute));
    }
    if cursor.eat("new attribute must be removed from token") {
        return Some(act(Act::DropAttribute));
    }
    if cursor.eat("new attribute must be dropped") {
        cursor.eat(", along with value that gets associated with it");
        return Some(act(Act::DropAttribute));
    }
    if !cursor.eat("create new?") {
        return None;
    }
    let (kind, token) = kind(cursor)?;
    if !cursor.eat("token") {
        return None;
    }
    spoken.token = Some(token.to_owned());
    let mut steps = act(Act::Create(kind.to_owned()));
    if cursor.eat("whose") {
        loop {
            let name = ["data", "target", "name"]
                .into_iter()
                .find(|n| cursor.eat(n))?;
            if !cursor.eat("is") {
                return None;
            }
            steps.push(Step::Do(Act::Write {
                target: Target::Field(token.to_owned(), name.to_owned()),
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
        steps.extend(act(Act::Replace(CODE.to_owned())));
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
