//! What makes sense where: characters, matches and look-ahead.

use super::Lowering;
use super::path::{Context, Path, Where};
use crate::charset::CharSet;
use crate::diagnostic::{Code, Span};
use crate::machine::{Action, Guard};

impl<'c> Lowering<'c, '_> {
    pub(super) fn report_no_current(&mut self, context: &Context<'c>, span: Span) {
        let (message, help) = match context.place {
            Where::Eof { .. } => (
                "there is no current input character at the end of the input",
                "give `EOF` an arm of its own",
            ),
            Where::Literal { .. } => (
                "a literal has no current input character",
                "quote what is meant: `append \"DOCTYPE\" to …`",
            ),
            Where::Returned { .. } => (
                "the current input character is the procedure's",
                "let the procedure return it",
            ),
            _ => (
                "there is no current input character here",
                "only the arm of a character has one",
            ),
        };
        self.faults
            .add(Code::NoCurrentCharacter, span, message)
            .help(help);
    }

    pub(super) fn report_no_match(&mut self, span: Span) {
        let message = "no named character reference was matched here";
        self.faults
            .add(Code::NoMatch, span, message)
            .help("only the `match` arm of `match a named character reference` has one");
    }

    /// A digit is added only where every character is one.
    pub(super) fn require_digits(&mut self, context: &Context<'c>, action: &Action, span: Span) {
        if !matches!(action, Action::AddDigit(_)) {
            return;
        }
        let Some(current) = &context.current else {
            self.report_no_current(context, span);
            return;
        };
        let digits = CharSet::from_ranges([(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]);
        let others = current.difference(&digits);
        let replaced = &self.checked.preprocessing.replace;
        if let Some((_, digit)) = replaced.iter().find(|(_, to)| current.contains(*to)) {
            let digit = crate::charset::display_char(*digit);
            let message = format!("preprocessing puts {digit} for a character that is no digit");
            self.faults
                .add(Code::NotADigit, span, message)
                .help("let it put a character that is no digit");
        }
        if let Some(other) = others.first() {
            let other = crate::charset::display_char(other);
            let message = format!("the arm holds {other}, which is no digit");
            self.faults
                .add(Code::NotADigit, span, message)
                .help("the arm's characters must be among `ASCII hex digit`");
        }
    }

    /// Reports a guard that cannot be asked here.
    pub(super) fn require_askable(
        &mut self,
        context: &Context<'c>,
        path: &Path,
        guard: &Guard,
        span: Span,
    ) {
        let looking = match context.place {
            Where::Arm { look_ahead } | Where::Literal { look_ahead } => {
                look_ahead && !path.consumed
            }
            _ => false,
        };
        match guard {
            Guard::CurrentIn(_) | Guard::CurrentIsCharacter(_) if context.current.is_none() => {
                self.report_no_current(context, span);
            }
            Guard::LastConsumed(_) if context.current.is_none() || looking => {
                self.report_no_current(context, span);
            }
            Guard::DuplicateAttribute(_) if context.place == Where::Emitted => {
                let message = "the token that is emitted has no attribute under construction";
                self.faults
                    .add(Code::MisplacedGuard, span, message)
                    .help("ask it where the name of the attribute ends");
            }
            Guard::LastMatchedIn(_) if context.place != Where::Matched => {
                self.report_no_match(span)
            }
            Guard::NextIn { .. } | Guard::NextAre { .. } | Guard::NextIsLastStartTag { .. } => {
                let (message, help) = match context.place {
                    Where::Emitted => (
                        "what comes next cannot be asked when a token is emitted",
                        "ask it in the state that emits the token",
                    ),
                    _ if looking => (
                        "the arm itself looks at the next input character",
                        "say `the current input character is SET`, or give the set an arm",
                    ),
                    Where::Returned { rewind: true, .. } => (
                        "what was attempted is put back behind this: something else comes next then",
                        "ask it in the state that follows",
                    ),
                    _ => return,
                };
                self.faults
                    .add(Code::MisplacedGuard, span, message)
                    .help(help);
            }
            _ => {}
        }
    }

    /// The guard about characters as they come, before preprocessing replaces some.
    pub(super) fn raw_guard(&self, guard: &Guard) -> Guard {
        let raw = |set: &CharSet| self.raw_set(set);
        match guard {
            Guard::CurrentIn(set) => Guard::CurrentIn(raw(set)),
            Guard::NextIn { set, eof } => Guard::NextIn {
                set: raw(set),
                eof: *eof,
            },
            Guard::NextAre { run, then } => Guard::NextAre {
                run: raw(run),
                then: raw(then),
            },
            Guard::NextIsLastStartTag { followed_by, eof } => Guard::NextIsLastStartTag {
                followed_by: raw(followed_by),
                eof: *eof,
            },
            other => other.clone(),
        }
    }

    /// The raw characters that are in the set once preprocessing has replaced some.
    fn raw_set(&self, set: &CharSet) -> CharSet {
        let mut raw = set.clone();
        for &(from, to) in &self.checked.preprocessing.replace {
            let from = CharSet::single(from);
            raw = if set.contains(to) {
                raw.union(&from)
            } else {
                raw.difference(&from)
            };
        }
        raw
    }
}
