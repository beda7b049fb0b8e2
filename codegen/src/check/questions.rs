//! The guards of the table language: a row each.

use super::model::Cond;
use super::phrases::Means;
use crate::machine::Guard;
use crate::phrase::holes::{KIND, N, NAMED, NUMBER, OBJECT, SET, STATES, SUBJECT, TEXT, TOKEN};
use crate::phrase::{Row, rows};

fn is(guard: Guard) -> Option<Cond> {
    Some(Cond::Is(guard))
}

/// All guards.
pub(crate) const GUARDS: &[Row<Means<Cond>>] = rows! {
    /// The end tag token has the last start tag's name.
    "appropriate end tag token" = "appropriate end tag token"
        => |c, span| is(Guard::AppropriateEndTag(c.start_tag_token(span)?));
    /// A text register equals one of the strings; `ASCII case-insensitively` may follow.
    "REGISTER is TEXT or TEXT" = "the temporary buffer is \"script\""
    /// A register of words holds one of these words.
    "REGISTER is WORD or WORD" = "the content model flag is RCDATA or CDATA"
    /// A state register holds one of the states.
    "REGISTER is STATE or STATE" = "the return state is data"
    /// A number register is in one of the ranges or classes.
    "REGISTER is N to M or K" = "the character reference code is 0xD800 to 0xDFFF"
        with subject: SUBJECT, object: OBJECT => |c, span| c.is(&subject, &object, span);
    /// A number register is greater than a number.
    "REGISTER is greater than N" = "the character reference code is greater than 0x10FFFF"
        with register: NUMBER, n: N => |c, span| is(c.greater_than(&register, n, span)?);
    /// A number has an entry in `numeric replacements`.
    "REGISTER has a replacement" = "the character reference code has a replacement"
        with register: NUMBER => |c, _| is(Guard::HasReplacement(c.number(&register)?));
    /// The consumed character is in the set.
    "the current input character is SET" = "the current input character is ASCII digit"
    /// The consumed character is the one in a character register.
    "the current input character is the REGISTER" = "the current input character is the additional allowed character"
        with set: OBJECT => |c, _| is(c.current_is(&set)?);
    /// The last character of the matched reference is in the set.
    "the last character matched is SET" = "the last character matched is U+003B (;)"
        with set: OBJECT => |c, _| is(Guard::LastMatchedIn(c.characters(&set)));
    /// The next input character, which is not consumed, is in the set; the set may contain `EOF`.
    "the next input character is SET" = "the next input character is U+003D (=)"
        with set: OBJECT => |c, _| {
            let (set, eof) = c.set_or_eof(&set);
            is(Guard::NextIn { set, eof })
        };
    /// Characters of the first set follow, then one of the second; only a list of errors may depend on this guard.
    "the next input characters are one or more SET then SET" = "the next input characters are one or more ASCII alphanumeric then U+003B (;)"
        with run: SET, then: SET => |c, _| is(c.next_are(&run, &then));
    /// The last start tag's name follows, then a character of the set.
    "the next input characters are the last start tag name then SET" = "the next input characters are the last start tag name then U+003E (>)"
        with then: SET => |c, span| {
            c.start_tag_token(span)?;
            let (followed_by, eof) = c.set_or_eof(&then);
            is(Guard::NextIsLastStartTag { followed_by, eof })
        };
    /// A start tag has been emitted, or the caller has set the name of one.
    "a start tag token has been emitted" = "a start tag token has been emitted"
        => |c, span| {
            c.start_tag_token(span)?;
            is(Guard::StartTagEmitted)
        };
    /// The input up to the current character, included, ends with this text.
    "the last characters consumed are TEXT" = "the last characters consumed are \"-->\""
        with text: TEXT => |c, span| is(c.last_consumed(text, span)?);
    /// An earlier attribute has exactly this name.
    "the attribute name is already in the token" = "the attribute name is already in the token"
        => |c, span| is(Guard::DuplicateAttribute(c.attribute_token(span)?));
    /// The token has at least one attribute.
    "the TOKEN token has attributes" = "the tag token has attributes"
        with token: TOKEN => |c, _| is(Guard::HasAttributes(c.token(&token)?));
    /// A flag of the token is set.
    "FLAG is set" = "the self-closing flag is set"
        with flag: SUBJECT => |c, _| c.flag_is_set(&flag);
    /// The token has this kind.
    "the TOKEN token is a KIND token" = "the tag token is an end tag token"
        with token: TOKEN, kind: KIND => |c, _| c.token_is(&token, &kind);
    /// A question of the vocabulary, or a condition of the table.
    "QUESTION" = "CDATA sections are allowed"
        with question: NAMED => |c, _| c.named(&question);
    /// After `attempt to`: the sub-machine returned nothing.
    "nothing is returned" = "nothing is returned"
        => |_, _| Some(Cond::NothingReturned);
    /// After `attempt to`: the sub-machine returned a token.
    "the TOKEN token is returned" = "the entity reference token is returned"
        with token: TOKEN => |c, _| Some(Cond::TokenReturned(c.token(&token)?));
    /// In a procedure: one of these states attempted it.
    "called from STATE or STATE" = "called from character reference in attribute value"
        with states: STATES => |c, _| Some(Cond::CalledFrom(c.states_listed(&states)?));
};
