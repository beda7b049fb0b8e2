//! Arms: their sets are disjoint, and every input has one.

use super::Checker;
use super::model::Arm;
use super::states::display_label;
use crate::charset::CharSet;
use crate::diagnostic::{Code, Span};
use crate::set_notation;
use crate::written;

impl Checker<'_, '_> {
    pub(super) fn missing_arm(&mut self, key: &str, span: Span) {
        let help = match key {
            "EOF" => "a text without an EOF arm is `EOF: as anything else`",
            "anything else" => "say what happens to all other characters: `anything else: ignore`",
            _ => "a match has the arms `match` and `no match`",
        };
        self.faults
            .add(
                Code::MissingArm,
                span,
                format!("there is no arm for `{key}`"),
            )
            .help(help);
    }

    /// The arms of a block.
    pub(super) fn arms(&mut self, list: &[written::Arm], span: Span, look_ahead: bool) -> Vec<Arm> {
        let mut taken: Vec<(CharSet, String)> = Vec::new();
        let mut literals: Vec<set_notation::Literal> = Vec::new();
        let (mut eof, mut anything_else) = (false, false);
        let mut arms = Vec::new();
        for arm in list {
            let here = arm.key.span();
            let written = set_notation::parse(&arm.key.text, here, self.faults);
            let meaning = set_notation::resolve(&written, &mut self.classes, self.faults);
            let label = set_notation::label(&written);
            if meaning.anything_else && written.items.len() + written.except.len() > 1 {
                self.faults
                    .add(Code::BadSet, here, "`anything else` stands alone")
                    .help("a text without an EOF arm is `EOF: as anything else`");
            }
            for (what, seen, own) in [
                ("EOF", &mut eof, meaning.eof),
                ("anything else", &mut anything_else, meaning.anything_else),
            ] {
                if *seen && own {
                    self.faults.add(
                        Code::OverlappingArms,
                        here,
                        format!("there is an arm for `{what}` already"),
                    );
                }
                *seen |= own;
            }
            self.overlaps(&meaning.set, here, &taken);
            for literal in &meaning.literals {
                self.shadowed(literal, here, &literals);
                literals.push(literal.clone());
            }
            taken.push((meaning.set.clone(), label.clone()));
            arms.push(Arm {
                label: display_label(&written),
                span: Some(here),
                set: meaning.set,
                literals: meaning.literals,
                eof: meaning.eof,
                anything_else: meaning.anything_else,
                steps: self.steps(&arm.steps),
            });
        }
        if !eof && !look_ahead {
            self.missing_arm("EOF", span);
        }
        if !anything_else {
            self.missing_arm("anything else", span);
        }
        arms
    }

    fn overlaps(&mut self, set: &CharSet, span: Span, taken: &[(CharSet, String)]) {
        for (other, label) in taken {
            let both = set.intersection(other);
            if !both.is_empty() {
                self.faults
                    .add(
                        Code::OverlappingArms,
                        span,
                        format!("{both} is in the arm `{label}` already"),
                    )
                    .help("the sets of different arms are disjoint; use `except`");
            }
        }
        let newline = self
            .table
            .preprocessing
            .as_ref()
            .and_then(|p| p.newlines.as_ref());
        let normalized = newline.is_some_and(|n| n.text == "normalize");
        let replaced: Vec<char> = self.replaced();
        let gone = CharSet::from_iter(replaced.into_iter().chain(normalized.then_some('\r')));
        if !set.is_empty() && set.difference(&gone).is_empty() {
            self.faults
                .add(
                    Code::NeverMatches,
                    span,
                    "no input has this character after preprocessing",
                )
                .help("preprocessing normalizes newlines and replaces characters");
        }
    }

    /// The characters that preprocessing replaces.
    fn replaced(&self) -> Vec<char> {
        let mut ignored = crate::diagnostic::Faults::default();
        let mut classes = set_notation::Classes::default();
        let list = self.table.preprocessing.iter().flat_map(|p| &p.replace);
        list.filter_map(|(from, _)| {
            set_notation::characters_only(&from.text, from.span(), &mut classes, &mut ignored)
                .first()
        })
        .collect()
    }

    fn shadowed(
        &mut self,
        literal: &set_notation::Literal,
        span: Span,
        before: &[set_notation::Literal],
    ) {
        let covers = |other: &&set_notation::Literal| {
            let Some(start) = literal.text.get(..other.text.len()) else {
                return false;
            };
            if other.ignore_case {
                start.eq_ignore_ascii_case(&other.text)
            } else {
                // With letters in either case the later literal still matches other spellings.
                start == other.text
                    && !(literal.ignore_case && start.bytes().any(|b| b.is_ascii_alphabetic()))
            }
        };
        if let Some(other) = before.iter().find(covers) {
            self.faults
                .add(
                    Code::NeverMatches,
                    span,
                    format!("the literal {other} above matches first"),
                )
                .help("literals are tried in order: put the longer one first");
        }
    }
}
