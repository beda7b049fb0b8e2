//! Reading phrases, and saying what was meant by what is none.

use super::cursor::Cursor;
use super::other_verbs;
use super::rows::{Read, Reading, Row, read, templates};
use super::templates::{Template, did_you_mean, nearest};
use super::value::all_values;
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::tokens;
use crate::suggest::closest;

/// Reads a phrase: all that it can mean, but for the names in it. Nothing after a fault.
pub(crate) fn phrase<'t, M>(
    rows: &'static [Row<M>],
    whole: Cursor<'t>,
    faults: &mut Faults,
) -> Vec<Reading<'t, M>> {
    let is_phrase: IsPhrase<'_> = &|text| fits(rows, text);
    match read(rows, whole) {
        Read::Readings(readings) => return readings,
        Read::Lacks(expected) if !is_said_otherwise(whole.typed(), is_phrase) => {
            lacks(whole, &expected, templates(rows), is_phrase, faults);
        }
        Read::Lacks(_) | Read::Unknown => unknown(whole, templates(rows), is_phrase, faults),
    }
    Vec::new()
}

/// Whether a text is a phrase, as far as the names in it exist.
pub(crate) fn fits<M>(rows: &'static [Row<M>], text: &str) -> bool {
    let tokens = tokens(text, Span::default(), &mut Faults::default());
    let whole = Cursor::new(text, &tokens, Span::default());
    matches!(read(rows, whole), Read::Readings(_))
}

type IsPhrase<'a> = &'a dyn Fn(&str) -> bool;

/// Whether the value of a key is a phrase, or a list in brackets that begins with one.
pub(crate) fn is_steps(value: &str, is_phrase: fn(&str) -> bool) -> bool {
    let value = value.split(" #").next().unwrap_or_default();
    let first = match value.strip_prefix('[') {
        Some(list) => list.split([',', ']']).next().unwrap_or_default(),
        None => value,
    };
    is_phrase(first.trim_matches([' ', '\''])) || value.starts_with("[if ")
}

/// Of what is like no phrase.
const EACH_BEGINS: &str = "a phrase begins with `switch to`, `reconsume in`, `stay`, `ignore`, `error`, `emit`, \
                           `create`, `append`, `set`, … or is the name of a step list in `procedures`; \
                           `speclex explain PHRASE` says what one does, and `speclex schema` prints all of them, with \
                           examples";

/// Words that are no phrases here, and those that are.
const OTHER_WORDS: [(&str, &str); 18] = [
    ("start ", "create "),
    ("begin ", "create "),
    ("new ", "create a "),
    ("output ", "emit "),
    ("report ", "error "),
    ("remove ", "drop "),
    ("increment ", "increase "),
    ("add 1 to ", "increase "),
    ("subtract 1 from ", "decrease "),
    ("decrement ", "decrease "),
    ("do nothing", "ignore"),
    ("skip", "ignore"),
    ("anything else", "as anything else"),
    ("parse error ", "error "),
    ("reconsume to ", "reconsume in "),
    ("reconsume ", "reconsume in "),
    ("stop", "emit EOF"),
    ("end", "emit EOF"),
];

/// The phrase for what other languages write with signs: `depth += 1`, `depth++`.
fn with_signs(typed: &str, is_phrase: IsPhrase<'_>) -> Option<String> {
    let signs = [
        ("++", "increase "),
        ("+= 1", "increase "),
        ("--", "decrease "),
        ("-= 1", "decrease "),
    ];
    let assigned = typed.trim_start_matches("set ").split_once(" = ");
    let assigned = assigned.map(|(name, value)| format!("set {name} to {value}"));
    let of_signs = signs.into_iter().filter_map(|(sign, verb)| {
        let name = typed.strip_suffix(sign)?.trim_end();
        Some(format!("{verb}{name}"))
    });
    assigned
        .into_iter()
        .chain(of_signs)
        .find(|phrase| is_phrase(phrase.as_str()))
}

/// The phrase for a sentence of the standard, or for one like it.
fn of_the_standard(typed: &str, is_phrase: IsPhrase<'_>) -> Option<String> {
    if let Some(text) = typed.strip_prefix("clear ") {
        return Some(format!("set {text} to the empty string"));
    }
    let begins = ["start", "create"]
        .iter()
        .any(|verb| typed.starts_with(verb));
    if begins && typed.contains(" attribute") {
        return Some("start a new attribute".to_owned());
    }
    if let Some(error) = typed.strip_suffix(" parse error") {
        let code = error.rsplit(' ').next()?;
        return Some(format!("error {code}"));
    }
    let phrase = typed.strip_suffix(" as a character token")?;
    is_phrase(phrase).then(|| phrase.to_owned())
}

fn unknown(
    whole: Cursor<'_>,
    templates: impl DoubleEndedIterator<Item = &'static Template>,
    is_phrase: IsPhrase<'_>,
    faults: &mut Faults,
) {
    let typed = whole.typed();
    let mut others = OTHER_WORDS.iter().filter_map(|(other, word)| {
        let meant = format!("{word}{}", typed.strip_prefix(other)?);
        is_phrase(&meant).then_some(meant)
    });
    let others = of_the_standard(typed, is_phrase).or_else(|| others.next());
    let others = others.or_else(|| with_signs(typed, is_phrase));
    let condition = typed.strip_prefix("if ").and_then(|condition| {
        let parts = condition.split_once(" then ");
        let list = || Some((condition, &condition[condition.find(" [")? + 1..]));
        let list = || list().map(|(all, list)| (all[..all.len() - list.len()].trim_end(), list));
        parts.or_else(list).or_else(|| condition.split_once(", "))
    });
    let help = if let Some(meant) = others {
        format!("did you mean `{meant}`? `speclex explain PHRASE` says what a phrase does")
    } else if typed.starts_with("consume the next") {
        "the key `consume` of a state does so: an arm says what follows".to_owned()
    } else if typed.starts_with("call ") {
        "what is in `procedures` is used by its name alone if it is a list of steps, or with `attempt to NAME`".to_owned()
    } else if typed.starts_with("with ") || typed.starts_with(')') {
        "in a list in brackets, quote a phrase that has a comma: `'emit U+002C (,)'`".to_owned()
    } else if let Some((guard, phrase)) = condition {
        format!("did you mean `if {guard}: {phrase}`?")
    } else if typed.starts_with("if ") || typed.starts_with("otherwise") {
        "a colon comes after a condition and after `otherwise`, then what is done: `if CONDITION: PHRASE`".to_owned()
    } else if typed.starts_with(['-', '—', '–', '•']) {
        "an item of a list begins with a dash and a space".to_owned()
    } else if let Some(meant) = other_verbs::meant(typed, is_phrase) {
        meant
    } else {
        did_you_mean(typed, templates, is_phrase).unwrap_or_else(|| EACH_BEGINS.to_owned())
    };
    let message = format!("`{typed}` is not a phrase");
    faults
        .add(Code::UnknownPhrase, whole.here(), message)
        .help(help);
}

/// Whether it is a phrase in words of a standard, or with signs.
fn is_said_otherwise(typed: &str, is_phrase: IsPhrase<'_>) -> bool {
    of_the_standard(typed, is_phrase).is_some()
        || typed.starts_with("set ") && with_signs(typed, is_phrase).is_some()
}

/// Reports that the phrase lacks a part.
fn lacks(
    whole: Cursor<'_>,
    expected: &str,
    templates: impl DoubleEndedIterator<Item = &'static Template>,
    is_phrase: IsPhrase<'_>,
    faults: &mut Faults,
) {
    let typed = whole.typed();
    let (start, last) = typed.rsplit_once(' ').unwrap_or_default();
    let with_token = match closest(last, ["token"]) {
        Some(token) => format!("{start} {token}"),
        None => format!("{typed} token"),
    };
    let mut help = match nearest(typed, templates) {
        // Behind an open quote the word would be lacking again.
        Some(t)
            if t.pattern.ends_with("token")
                && !typed.ends_with("token")
                && !typed.contains(" token whose ")
                && is_phrase(&with_token) =>
        {
            format!(
                "did you mean `{with_token}`? The general form is `{}`",
                t.pattern
            )
        }
        Some(t) => format!(
            "the phrase is `{}`, for example: `{}`",
            t.pattern, t.example
        ),
        None => String::new(),
    };
    if expected == "a value" {
        help.push_str("\na value is ");
        help.push_str(&all_values());
    }
    let message = format!("`{typed}` lacks a part");
    faults
        .add(Code::IncompletePhrase, whole.here(), message)
        .label(format!("expected {expected}"))
        .help(help);
}
