//! Reading phrases and guards, and saying what was meant by what is none.

use super::Checker;
use super::phrases::{GUARDS, Means, PHRASES, Says};
use crate::diagnostic::{Code, Span};
use crate::lexer::tokens;
use crate::phrase::{
    Cursor, Read, Reading, Row, corrected, did_you_mean, fits, nearest, read, templates_of,
};
use crate::suggest::one_of;
use crate::tree::machine::Guard;

/// How many patterns a help lists at most.
const MOST_PATTERNS: usize = 6;

impl Checker<'_, '_> {
    /// What a phrase says. `None` after a fault.
    pub(super) fn says(&mut self, text: &str, span: Span) -> Option<Says> {
        self.of_rows(
            PHRASES,
            "phrase",
            Code::UnknownPhrase,
            text,
            span,
            |reading, checker| {
                if reading.negated {
                    let message = format!("`{text}` says what is not done");
                    checker
                        .faults
                        .add(Code::UnknownPhrase, span, message)
                        .help(format!("a phrase says what is done: `{}`", reading.shown));
                    return None;
                }
                (reading.row.means)(checker, &reading.holes, span)
            },
        )
    }

    /// A guard, and whether it has a `not`. `None` after a fault.
    pub(super) fn guard(&mut self, text: &str, span: Span) -> Option<(Guard, bool)> {
        self.of_rows(
            GUARDS,
            "guard",
            Code::UnknownGuard,
            text,
            span,
            |reading, checker| {
                let guard = (reading.row.means)(checker, &reading.holes, span)?;
                Some((guard, reading.negated))
            },
        )
    }

    fn of_rows<T, U>(
        &mut self,
        rows: &'static [Row<Means<T>>],
        what: &str,
        unknown: Code,
        text: &str,
        span: Span,
        build: impl FnOnce(&Reading<'_, Means<T>>, &mut Self) -> Option<U>,
    ) -> Option<U> {
        let tokens = tokens(text, span, self.faults);
        let whole = Cursor::new(text, &tokens, span);
        let meant = || corrected(text, templates_of(rows), |text| fits(rows, text));
        match read(rows, whole) {
            Read::Readings(readings) => {
                if let [one, other, ..] = &readings[..]
                    && one.rank == other.rank
                {
                    let message = "this can be read in two ways";
                    self.faults
                        .add(Code::Ambiguous, span, message)
                        .help(format!("as `{}`, or as `{}`", one.shown, other.shown));
                    return None;
                }
                return build(readings.first()?, self);
            }
            Read::Lacks(expected)
                if meant().is_none()
                    && let Some(template) = nearest(text, templates_of(rows)) =>
            {
                let (pattern, example) = (template.pattern, template.example);
                let message = format!("`{text}` lacks a part");
                let code = match unknown {
                    Code::UnknownPhrase => Code::IncompletePhrase,
                    code => code,
                };
                self.faults
                    .add(code, span, message)
                    .label(format!("expected {expected}"))
                    .help(format!(
                        "the {what} is `{pattern}`, for example: `{example}`"
                    ));
            }
            Read::Lacks(_) | Read::Unknown => {
                let patterns = templates_of(rows).map(|template| template.pattern);
                let help = did_you_mean(text, templates_of(rows), |text| fits(rows, text));
                let help = help.unwrap_or_else(|| one_of(patterns.take(MOST_PATTERNS)));
                let message = format!("`{text}` is not a {what} of tree construction");
                self.faults.add(unknown, span, message).help(help);
            }
        }
        None
    }
}
