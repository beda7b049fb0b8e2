//! Reading phrases, and saying what was meant by what is none.

use super::cursor::Cursor;
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
        Read::Lacks(expected) if said_otherwise(whole.typed(), is_phrase).is_none() => {
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

/// Of what is like no phrase.
const EACH_BEGINS: &str = "a phrase begins with `switch to`, `reconsume in`, `stay`, `ignore`, `error`, `emit`, \
                           `create`, `append`, `set`, … or is the name of a step list in `procedures`; \
                           `speclex explain PHRASE` says what one does, and `speclex schema` prints all of them, with \
                           examples";

/// How phrases begin in other languages, and here.
#[rustfmt::skip]
const OTHER_WORDS: [(&str, &str); 25] = [
    ("start ", "create "), ("new ", "create a "), ("output ", "emit "), ("print ", "emit "), ("report ", "error "),
    ("raise ", "error "), ("parse error ", "error "), ("remove ", "drop "), ("increment ", "increase "), ("decrement ", "decrease "),
    ("ignore ", "ignore"), ("do nothing", "ignore"), ("skip", "ignore"), ("stay ", "stay"), ("anything else", "as anything else"),
    ("go to ", "switch to "), ("goto ", "switch to "), ("jump to ", "switch to "), ("transition to ", "switch to "),
    ("reconsume to ", "reconsume in "), ("reconsume ", "reconsume in "), ("add ", "append "), ("push ", "append "),
    ("stop", "emit EOF"), ("end", "emit EOF"),
];

/// What stands for the current input character.
const IT: [&str; 5] = [
    " it ",
    " the character ",
    " the current character ",
    " this ",
    " the input character ",
];

/// The phrase for one in words of a standard or of other languages.
fn said_otherwise(typed: &str, is_phrase: IsPhrase<'_>) -> Option<String> {
    if let Some(text) = typed.strip_prefix("clear ") {
        return Some(format!("set {text} to the empty string"));
    }
    let begins = ["start", "create"];
    if begins.iter().any(|verb| typed.starts_with(verb)) && typed.contains(" attribute") {
        return Some("start a new attribute".to_owned());
    }
    if let Some(error) = typed.strip_suffix(" parse error") {
        let code = error.rsplit(' ').next()?;
        return Some(format!("error {code}"));
    }
    let plain = |text: &str| {
        let it = IT.iter().find_map(|it| text.split_once(it));
        let text =
            it.map(|(before, after)| format!("{before} the current input character {after}"));
        text.filter(|text| is_phrase(text))
    };
    let bare = typed.strip_suffix(" as a character token");
    let others = OTHER_WORDS.iter().filter_map(|(other, word)| {
        let rest = typed.strip_prefix(other)?;
        // Nothing comes after a word that says all.
        Some(if word.ends_with(' ') {
            format!("{word}{rest}")
        } else {
            (*word).to_owned()
        })
    });
    let mut meant = bare
        .map(str::to_owned)
        .into_iter()
        .chain(others)
        .chain([typed.to_owned()]);
    meant.find_map(|text| match text != typed && is_phrase(&text) {
        true => Some(text),
        false => plain(&text),
    })
}

fn unknown(
    whole: Cursor<'_>,
    templates: impl DoubleEndedIterator<Item = &'static Template>,
    is_phrase: IsPhrase<'_>,
    faults: &mut Faults,
) {
    let typed = whole.typed();
    let help = if let Some(meant) = said_otherwise(typed, is_phrase) {
        format!("did you mean `{meant}`? `speclex explain PHRASE` says what a phrase does")
    } else if typed.starts_with("consume the next") {
        "the key `consume` of a state does so: an arm says what follows".to_owned()
    } else if typed.starts_with("with ") || typed.starts_with(')') {
        "in a list in brackets, quote a phrase that has a comma: `'emit U+002C (,)'`".to_owned()
    } else if typed.starts_with("if ") || typed.starts_with("otherwise") {
        "a colon comes after a condition and after `otherwise`, then what is done: `if CONDITION: PHRASE`".to_owned()
    } else if typed.starts_with(['-', '•']) {
        "an item of a list begins with a dash and a space".to_owned()
    } else {
        did_you_mean(typed, templates, is_phrase).unwrap_or_else(|| EACH_BEGINS.to_owned())
    };
    let message = format!("`{typed}` is not a phrase");
    faults
        .add(Code::UnknownPhrase, whole.here(), message)
        .help(help);
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
