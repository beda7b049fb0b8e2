//! The steps of an arm for one kind of token.

use super::fields::Fields;
use super::steps::{Branches, Parsed};
use super::{Checker, Move};
use crate::diagnostic::{Code, Span};
use crate::tree::machine::{Action, Branch, CHARACTER, Guard, Place, Step};
use crate::tree::phrase::{GuardKind, PhaseName, Phrase, Question};

/// What lowering needs.
pub(super) struct Lowering<'l, 't, 'f> {
    /// The phase.
    pub(super) from: usize,
    /// The kind of the token.
    pub(super) kind: usize,
    pub(super) fields: &'l Fields,
    pub(super) checker: &'l mut Checker<'t, 'f>,
}

impl Lowering<'_, '_, '_> {
    /// A list; `created` says whether an element has been created when it begins, and then when it ends.
    pub(super) fn steps(&mut self, list: &[Parsed], created: &mut bool) -> Vec<Step> {
        let mut steps = Vec::new();
        for parsed in list {
            match parsed {
                Parsed::Phrase(phrase, span) => {
                    let actions = self.phrase(phrase, *span, created);
                    steps.extend(actions.into_iter().flatten().map(Step::Do));
                }
                Parsed::If(branches) => steps.push(self.branches(branches, created)),
            }
        }
        steps
    }

    fn branches(&mut self, written: &Branches, created: &mut bool) -> Step {
        let before = *created;
        let mut branches = Vec::new();
        let mut after = true;
        for (question, span, list) in &written.guarded {
            let mut here = before;
            let steps = self.steps(list, &mut here);
            after &= here;
            if let Some(guard) = self.guard(question, *span) {
                branches.push(Branch {
                    guard,
                    answer: !question.not,
                    steps,
                });
            }
        }
        let mut here = before;
        let otherwise = written.otherwise.as_ref();
        let otherwise = otherwise.map_or_else(Vec::new, |list| self.steps(list, &mut here));
        *created = after && here;
        Step::If {
            branches,
            otherwise,
        }
    }

    fn guard(&mut self, question: &Question, span: Span) -> Option<Guard> {
        Some(match &question.guard {
            GuardKind::TokenHasName(text) => Guard::TokenHasName {
                name: self.text("name", span)?,
                text: text.clone(),
            },
            GuardKind::NoOpenElements => Guard::NoOpenElements,
            GuardKind::CurrentHasName => Guard::CurrentHasName {
                name: self.text("name", span)?,
            },
            GuardKind::InScope => Guard::InScope {
                name: self.text("name", span)?,
            },
        })
    }

    /// The actions of a phrase; `None` after a fault.
    fn phrase(&mut self, phrase: &Phrase, span: Span, created: &mut bool) -> Option<Vec<Action>> {
        Some(vec![match phrase {
            Phrase::Ignore => return Some(Vec::new()),
            Phrase::ParseError => Action::ParseError {
                name: self.fields.text(self.kind, "name"),
            },
            Phrase::StopParsing => Action::StopParsing,
            Phrase::PopElement => Action::PopElement,
            Phrase::PopUntil => Action::PopUntil {
                name: self.text("name", span)?,
            },
            Phrase::CreateElement => {
                *created = true;
                self.create(span)?
            }
            Phrase::InsertElement => {
                *created = true;
                let name = self.text("name", span)?;
                return Some(vec![
                    self.create(span)?,
                    Action::AppendElement(Place::CurrentElement),
                    Action::PushElement { name },
                ]);
            }
            Phrase::AppendElement(place) => {
                self.is_created(*created, span)?;
                Action::AppendElement(*place)
            }
            Phrase::PushElement => {
                self.is_created(*created, span)?;
                Action::PushElement {
                    name: self.text("name", span)?,
                }
            }
            Phrase::AppendCharacter(place) => {
                self.is_character(span)?;
                Action::AppendCharacter(*place)
            }
            Phrase::AppendCodePoint(character, place) => Action::AppendCodePoint {
                character: *character,
                place: *place,
            },
            Phrase::AppendEntityReference(place) => Action::AppendEntityReference {
                name: self.text("name", span)?,
                place: *place,
            },
            Phrase::AppendComment(place) => Action::AppendComment {
                data: self.text("data", span)?,
                place: *place,
            },
            Phrase::AppendProcessingInstruction(place) => Action::AppendProcessingInstruction {
                target: self.text("target", span)?,
                data: self.text("data", span)?,
                place: *place,
            },
            Phrase::AppendDoctype(place) => Action::AppendDoctype {
                name: self.text("name", span)?,
                public_identifier: self.fields.text(self.kind, "public identifier"),
                system_identifier: self.fields.text(self.kind, "system identifier"),
                place: *place,
            },
            Phrase::SwitchTo(phase) => Action::SwitchTo(self.goes(phase, false)?),
            Phrase::ReprocessIn(phase) => Action::ReprocessIn(self.goes(phase, true)?),
        }])
    }

    fn create(&mut self, span: Span) -> Option<Action> {
        Some(Action::CreateElement {
            name: self.text("name", span)?,
            attributes: self.fields.attributes(self.kind),
        })
    }

    fn goes(&mut self, phase: &PhaseName, reprocesses: bool) -> Option<usize> {
        let to = self.checker.named(&phase.text, phase.span)?;
        self.checker.moves.push(Move {
            from: self.from,
            to,
            kind: self.kind,
            reprocesses,
            span: phase.span,
        });
        Some(to)
    }

    /// The number of a text field that the token must have.
    fn text(&mut self, name: &str, span: Span) -> Option<usize> {
        let field = self.fields.text(self.kind, name);
        if field.is_none() {
            let kind = &self.fields.kinds()[self.kind];
            self.checker
                .faults
                .add(
                    Code::UnknownField,
                    span,
                    format!("the {kind} token has no {name}, which this needs"),
                )
                .help("give the token an arm of its own");
        }
        field
    }

    fn is_character(&mut self, span: Span) -> Option<()> {
        if self.kind == CHARACTER {
            return Some(());
        }
        let kind = &self.fields.kinds()[self.kind];
        self.checker
            .faults
            .add(
                Code::MisplacedPhrase,
                span,
                format!("the {kind} token is no character"),
            )
            .help("give the token an arm of its own");
        None
    }

    fn is_created(&mut self, created: bool, span: Span) -> Option<()> {
        if created {
            return Some(());
        }
        self.checker
            .faults
            .add(
                Code::MisplacedPhrase,
                span,
                "no element has been created before this",
            )
            .help("say `create an element for the token` first");
        None
    }
}
