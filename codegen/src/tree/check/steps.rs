//! Step lists with their phrases read and their branches gathered.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::tree::phrase::{Phrase, Question, guard, phrase};
use crate::written::{Branch, BranchWord, Step, Steps};

/// One step.
pub(super) enum Parsed {
    Phrase(Phrase, Span),
    If(Branches),
}

/// `if`, any number of `otherwise if`, perhaps `otherwise`.
#[derive(Default)]
pub(super) struct Branches {
    pub(super) guarded: Vec<(Question, Span, Vec<Parsed>)>,
    pub(super) otherwise: Option<Vec<Parsed>>,
    /// Whether every branch so far is the end of its arm.
    end: bool,
}

impl Parsed {
    /// Whether nothing can follow it.
    fn ends(&self) -> bool {
        match self {
            Self::Phrase(phrase, _) => {
                matches!(phrase, Phrase::ReprocessIn(_) | Phrase::StopParsing)
            }
            Self::If(branches) => branches.end && branches.otherwise.is_some(),
        }
    }
}

impl Checker<'_, '_> {
    /// Reads a step list; whether all of its paths end the arm.
    pub(super) fn steps(&mut self, steps: &Steps) -> (Vec<Parsed>, bool) {
        let mut list: Vec<Parsed> = Vec::new();
        for step in &steps.list {
            match step {
                Step::Fault => {}
                Step::Phrase(text) => {
                    self.reachable(&list, text.span());
                    let phrase = phrase(text, self.faults);
                    list.extend(phrase.map(|phrase| Parsed::Phrase(phrase, text.span())));
                }
                Step::Branch(branch, steps) => self.branch(branch, steps, &mut list),
            }
        }
        let ends = list.last().is_some_and(Parsed::ends);
        (list, ends)
    }

    fn branch(&mut self, branch: &Branch, steps: &Steps, list: &mut Vec<Parsed>) {
        let span = branch.key.span();
        if branch.word == BranchWord::If {
            self.reachable(list, span);
            list.push(Parsed::If(Branches {
                end: true,
                ..Branches::default()
            }));
        }
        let question = match branch.word {
            BranchWord::Otherwise => None,
            _ => guard(branch.guard(), branch.guard_span(), self.faults),
        };
        let (steps, ends) = self.steps(steps);
        let Some(Parsed::If(
            open @ Branches {
                otherwise: None, ..
            },
        )) = list.last_mut()
        else {
            branch.refuse_without_if(self.faults);
            return;
        };
        open.end &= ends;
        match (branch.word, question) {
            (BranchWord::Otherwise, _) => open.otherwise = Some(steps),
            (_, Some(question)) => {
                open.guarded.push((question, branch.guard_span(), steps));
            }
            // The guard was refused, and with it the table.
            (_, None) => {}
        }
    }

    fn reachable(&mut self, before: &[Parsed], span: Span) {
        if before.last().is_some_and(Parsed::ends) {
            let message = "this step never runs: the step before it ends the arm";
            self.faults
                .add(Code::UnreachableStep, span, message)
                .help("put it in front, or remove it");
        }
    }
}
