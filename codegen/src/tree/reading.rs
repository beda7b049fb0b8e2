//! Reading phrases and guards, and saying what was meant by what is none.

use super::phrases::{GUARDS, PHRASES, Phrase, Question};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::tokens;
use crate::phrase::{
    Cursor, Read, Reading, Row, corrected, did_you_mean, nearest, read, templates_of,
};
use crate::suggest::one_of;

/// How many patterns a help lists at most.
const MOST_PATTERNS: usize = 6;

/// Reads a phrase. `None` after a fault.
pub(super) fn phrase(text: &str, span: Span, faults: &mut Faults) -> Option<Phrase> {
    let reading = of_rows(PHRASES, "phrase", text, span, faults)?;
    Some(reading.meaning)
}

/// Reads a guard, and whether it has a `not`. `None` after a fault.
pub(super) fn guard(text: &str, span: Span, faults: &mut Faults) -> Option<(Question, bool)> {
    let reading = of_rows(GUARDS, "guard", text, span, faults)?;
    Some((reading.meaning, reading.negated))
}

/// Whether a text is a phrase of the language, whatever the names in it are.
pub(crate) fn is_phrase(text: &str) -> bool {
    reads(PHRASES, text)
}

/// Whether a text is a guard of the language, whatever the names in it are.
pub(crate) fn is_guard(text: &str) -> bool {
    reads(GUARDS, text)
}

fn reads<T: PartialEq>(rows: &'static [Row<T>], text: &str) -> bool {
    let tokens = tokens(text, Span::default(), &mut Faults::default());
    let whole = Cursor::new(text, &tokens, Span::default());
    matches!(read(rows, whole), Read::Readings(_))
}

fn of_rows<T: PartialEq>(
    rows: &'static [Row<T>],
    what: &str,
    text: &str,
    span: Span,
    faults: &mut Faults,
) -> Option<Reading<T>> {
    let tokens = tokens(text, span, faults);
    let whole = Cursor::new(text, &tokens, span);
    let code = |unknown| match what {
        "guard" => Code::UnknownGuard,
        _ => unknown,
    };
    let meant = || corrected(text, templates_of(rows), |text| reads(rows, text));
    match read(rows, whole) {
        Read::Readings(readings) => match <[_; 1]>::try_from(readings) {
            Ok([reading]) if !reading.negated || what == "guard" => return Some(reading),
            Ok([reading]) => {
                let message = format!("`{text}` says what is not done");
                faults
                    .add(Code::UnknownPhrase, span, message)
                    .help(format!("a phrase says what is done: {}", reading.shown));
            }
            Err(several) => {
                let shown: Vec<_> = several.iter().map(|it| it.shown.as_str()).collect();
                let message = format!("`{text}` can be read in {} ways", shown.len());
                faults
                    .add(code(Code::UnknownPhrase), span, message)
                    .help(format!("it can be {}", shown.join(", or ")));
            }
        },
        Read::Lacks(expected)
            if meant().is_none()
                && let Some(template) = nearest(text, templates_of(rows)) =>
        {
            let (pattern, example) = (template.pattern, template.example);
            let message = format!("`{text}` lacks a part");
            faults
                .add(code(Code::IncompletePhrase), span, message)
                .label(format!("expected {expected}"))
                .help(format!(
                    "the {what} is `{pattern}`, for example: `{example}`"
                ));
        }
        Read::Lacks(_) | Read::Unknown => {
            let patterns = templates_of(rows).map(|template| template.pattern);
            let help = did_you_mean(text, templates_of(rows), |text| reads(rows, text));
            let help = help.unwrap_or_else(|| one_of(patterns.take(MOST_PATTERNS)));
            let message = format!("`{text}` is not a {what} of tree construction");
            faults
                .add(code(Code::UnknownPhrase), span, message)
                .help(help);
        }
    }
    None
}
