//! Clauses that ask: "if …", "when …".

use speclex_codegen::charset::{CharSet, MAX};

use crate::cursor::Cursor;
use crate::facts::{BUFFER, CDATA_ALLOWED, CODE, Guard, Literal};

/// Reads a condition as far as it goes.
pub(crate) fn condition(cursor: &mut Cursor<'_>) -> Option<Guard> {
    let mut any = vec![conjunction(cursor)?];
    loop {
        let mut ahead = *cursor;
        ahead.eat(",");
        if !ahead.eat("or") {
            break;
        }
        ahead.eat(",");
        ahead.eat("if");
        // "or if they do but …": what the question before asked, and more.
        if ahead.eat("they do but they are not immediately followed by") {
            ahead.eat("one of following characters :");
            let (set, eof) = ahead.set()?;
            let mut all = match any.last() {
                Some(Guard::All(all)) => all.clone(),
                _ => return None,
            };
            all.retain(|guard| *guard != Guard::NextIsName.negated());
            all.push(Guard::NextIsName);
            all.push(Guard::NextIsNameThen(set, eof).negated());
            any.push(Guard::All(all));
        } else {
            let Some(more) = conjunction(&mut ahead) else {
                break;
            };
            any.push(more);
        }
        *cursor = ahead;
    }
    Some(match any.len() {
        1 => any.remove(0),
        _ => Guard::Any(any),
    })
}

fn conjunction(cursor: &mut Cursor<'_>) -> Option<Guard> {
    let mut all = vec![question(cursor)?];
    loop {
        let mut ahead = *cursor;
        ahead.eat(",");
        if !(ahead.eat("and") || ahead.eat("but")) {
            break;
        }
        ahead.eat("if");
        let Some(more) = question(&mut ahead) else {
            break;
        };
        all.push(more);
        *cursor = ahead;
    }
    all.retain(|guard| *guard != Guard::True);
    Some(match all.len() {
        0 => Guard::True,
        1 => all.remove(0),
        _ => Guard::All(all),
    })
}

fn question(cursor: &mut Cursor<'_>) -> Option<Guard> {
    variable(cursor)
        .or_else(|| look(cursor))
        .or_else(|| reference(cursor))
        .or_else(|| number(cursor))
}

fn variable(cursor: &mut Cursor<'_>) -> Option<Guard> {
    if cursor.eat("content model flag is set to") {
        cursor.eat("one of");
        cursor.eat("either");
        let mut words = Vec::new();
        while let Some(word) = flag_word(cursor) {
            words.push(word);
            cursor.eat("state|states");
            let mut ahead = *cursor;
            if !(ahead.eat("or") && flag_word(&mut ahead).is_some()) {
                break;
            }
            cursor.eat("or");
        }
        let flag = "content model flag".to_owned();
        return (!words.is_empty()).then_some(Guard::WordIs(flag, words));
    }
    if cursor.eat("escape flag is") {
        let word = cursor.plain()?.to_owned();
        return Some(Guard::WordIs("escape flag".to_owned(), vec![word]));
    }
    if cursor.eat("current end tag token is appropriate end tag token") {
        return Some(Guard::Appropriate);
    }
    if cursor.eat("temporary buffer is") {
        let insensitively = cursor.eat("ascii case-insensitive match for");
        cursor.eat("either");
        let mut any_of = Vec::new();
        loop {
            cursor.eat("string");
            any_of.push(cursor.quoted()?.to_owned());
            if !cursor.eat("or") {
                break;
            }
        }
        let after = cursor.eat("ascii case-insensitively");
        return Some(Guard::TextIs {
            register: BUFFER.to_owned(),
            any_of,
            ignore_case: insensitively || after,
        });
    }
    if cursor.eat("current? doctype depth is") {
        let number = cursor.number()?;
        return Some(Guard::NumberIn(
            "doctype depth".to_owned(),
            vec![(number, number)],
        ));
    }
    for (words, guard) in [
        ("nothing is returned", Guard::ReturnedNothing),
        ("reference is returned", Guard::ReturnedToken),
        ("no reference is returned", Guard::ReturnedToken.negated()),
        ("no match can be made", Guard::Matched.negated()),
        ("there is match", Guard::Matched),
        ("end of file was reached", Guard::AtEof),
        (
            "no start tag token has ever been emitted by this instance of tokeniser|tokenizer",
            Guard::StartTagEmitted.negated(),
        ),
        (
            "there is already attribute on token with exact same name",
            Guard::Duplicate,
        ),
    ] {
        if cursor.eat(words) {
            return Some(guard);
        }
    }
    None
}

/// A value of the content model flag, in the texts' capitals.
fn flag_word(cursor: &mut Cursor<'_>) -> Option<String> {
    let word = cursor.plain()?;
    ["pcdata", "rcdata", "cdata", "plaintext"]
        .contains(&word)
        .then(|| word.to_uppercase())
}

/// What is around the place in the input.
fn look(cursor: &mut Cursor<'_>) -> Option<Guard> {
    if cursor.eat("there are at least") {
        // Implied by what those characters must be.
        cursor.plain()?;
        return cursor
            .eat("characters before this one in input stream")
            .then_some(Guard::True);
    }
    if cursor.eat("last three|four characters in input stream ,? including this one ,? are") {
        let mut text = String::new();
        while let Some(character) = cursor.character() {
            text.push(character);
            cursor.eat(",");
            cursor.eat("and");
        }
        return Some(Guard::LastConsumed(text));
    }
    if cursor.eat("next few characters do not match tag name of last start tag token emitted") {
        return Some(Guard::NextIsName.negated());
    }
    if cursor.eat("next few characters do match that tag name") {
        return Some(Guard::NextIsName);
    }
    if cursor.eat("next two characters are both") {
        let character = cursor.character()?;
        cursor.eat("characters");
        return Some(next_is(&character.to_string().repeat(2), false));
    }
    let before = cursor.at;
    if cursor.eat("next six|seven|two characters are")
        || cursor.eat("six characters starting from current input character are")
    {
        return words_match(cursor).map(Guard::NextIs);
    }
    cursor.at = before;
    for words in [
        "insertion mode is",
        "there is adjusted? current node and it is not element in html namespace",
        "there is adjusted? current node , and it is not element in html namespace",
    ] {
        if cursor.eat(words) {
            if words.ends_with("mode is") {
                cursor.quoted()?;
                if !cursor.eat("and current node is not element in html namespace") {
                    return None;
                }
            }
            return Some(Guard::Question(CDATA_ALLOWED.to_owned()));
        }
    }
    if cursor.eat("this? next input? character is") {
        cursor.eat("in fact");
        let not = cursor.eat("not");
        let (set, eof) = cursor.set()?;
        cursor.eat("character");
        let guard = Guard::Next(set, eof);
        return Some(if not { guard.negated() } else { guard });
    }
    None
}

fn next_is(text: &str, ignore_case: bool) -> Guard {
    Guard::NextIs(Literal {
        text: text.to_owned(),
        ignore_case,
    })
}

/// "ASCII case-insensitive match for the word "DOCTYPE"", "exact match for "[CDATA[""
pub(crate) fn words_match(cursor: &mut Cursor<'_>) -> Option<Literal> {
    let ignore_case = cursor.eat("ascii case-insensitive match for");
    if !ignore_case
        && !cursor.eat("ascii? case-sensitive match for")
        && !cursor.eat("exact match for")
    {
        return None;
    }
    cursor.eat("word|string");
    Some(Literal {
        text: cursor.quoted()?.to_owned(),
        ignore_case,
    })
}

/// In named character references.
fn reference(cursor: &mut Cursor<'_>) -> Option<Guard> {
    if cursor.eat("character reference is|was being? consumed as part of attribute") {
        return Some(Guard::InAttribute);
    }
    if cursor.eat("last character matched is") {
        let not = cursor.eat("not");
        let character = cursor.character()?;
        cursor.eat("character");
        let guard = Guard::LastMatched(CharSet::single(character));
        return Some(if not { guard.negated() } else { guard });
    }
    if cursor.eat("characters after") {
        cursor.character()?;
        cursor.eat("character");
        if !cursor.eat("consist of sequence of one or more") {
            return None;
        }
        let run = cursor.class()?;
        if !cursor.eat("followed by") {
            return None;
        }
        let then = cursor.character()?;
        cursor.eat("character");
        return Some(Guard::NextAre(run, CharSet::single(then)));
    }
    None
}

/// Of the number of a numeric character reference.
fn number(cursor: &mut Cursor<'_>) -> Option<Guard> {
    let code = CODE.to_owned();
    if !(cursor.eat("that|the? number is") || cursor.eat("number is")) {
        return None;
    }
    if cursor.eat("one of numbers in first column of following table") {
        return Some(Guard::HasReplacement(code));
    }
    let mut ranges = Vec::new();
    loop {
        let before = cursor.at;
        cursor.eat(",");
        cursor.eat("or");
        cursor.eat("is");
        cursor.eat("one of");
        cursor.eat("in range");
        if cursor.eat("greater|higher than") {
            let number = cursor.number()?;
            ranges.push((number.saturating_add(1), MAX + 1));
        } else if cursor.eat("surrogate") {
            ranges.push((0xD800, 0xDFFF));
        } else if cursor.eat("noncharacter") {
            ranges.extend(noncharacters());
        } else if cursor.eat("control that's not ascii whitespace") {
            ranges.extend(controls());
        } else if let Some(first) = cursor.number() {
            let last = match cursor.eat("to") {
                true => cursor.number()?,
                false => first,
            };
            ranges.push((first, last));
        } else {
            cursor.at = before;
            break;
        }
    }
    (!ranges.is_empty()).then_some(Guard::NumberIn(code, ranges))
}

/// Noncharacters, by the Infra standard.
pub(crate) fn noncharacters() -> Vec<(u32, u32)> {
    let planes = (0..=0x10).map(|plane| (plane << 16 | 0xFFFE, plane << 16 | 0xFFFF));
    [(0xFDD0, 0xFDEF)].into_iter().chain(planes).collect()
}

/// Controls other than ASCII whitespace, by the Infra standard.
pub(crate) fn controls() -> Vec<(u32, u32)> {
    vec![(0, 8), (0xB, 0xB), (0xE, 0x1F), (0x7F, 0x9F)]
}
