//! Steps when a token is emitted: independent, each with its guard.

use super::Lowering;
use super::facts::Folded;
use super::path::{Context, Path, Where};
use crate::check::model::{Named, Step, StepKind};
use crate::diagnostic::{Code, Span};
use crate::machine::{Action, Guard, OnEmit};
use crate::uses::Variable;
use std::collections::BTreeMap;

/// A question that a branch depends on, and how many actions stand in front of it.
type Asked = (Guard, usize);

/// The steps so far.
#[derive(Default)]
struct Emission {
    steps: Vec<(Option<Guard>, Vec<Action>)>,
    /// How many actions they have.
    done: usize,
    /// The action that has changed a variable last: its number, from one on.
    changed: BTreeMap<Variable, usize>,
}

impl Emission {
    /// Whether the answer may be another one than when it was asked.
    fn has_changed(&self, (guard, asked): &Asked) -> bool {
        let mut reads = guard.reads().into_iter();
        reads.any(|variable| self.changed.get(&variable).is_some_and(|last| last > asked))
    }
}

impl<'c> Lowering<'c, '_> {
    pub(super) fn on_emit(&mut self) -> Vec<OnEmit> {
        let checked = self.checked;
        let list = checked.on_emit.iter();
        list.map(|on_emit| {
            let mut emission = Emission::default();
            self.emission_steps(&on_emit.steps, &[], &mut emission);
            OnEmit {
                token: on_emit.token,
                kind: on_emit.kind,
                steps: emission.steps,
            }
        })
        .collect()
    }

    fn emission_steps(&mut self, steps: &'c [Step], when: &[Asked], into: &mut Emission) {
        let first = into.steps.len();
        for step in steps {
            if self.spend(1, step.span) {
                return;
            }
            match &step.kind {
                StepKind::Ignore | StepKind::Unknown => {}
                StepKind::Do(action) if is_allowed(action) => {
                    let guard = all(when.iter().map(|(guard, _)| guard.clone()));
                    let own = into.steps.get_mut(first..).and_then(<[_]>::last_mut);
                    match own {
                        Some((last, actions)) if *last == guard => actions.push(action.clone()),
                        _ => {
                            // Here it is asked again.
                            if when.iter().any(|asked| into.has_changed(asked)) {
                                let message =
                                    "a step before this changes what its branch has asked";
                                self.faults
                                    .add(Code::MisplacedPhrase, step.span, message)
                                    .help(
                                        "change the register in the last branch, as its last step",
                                    );
                            }
                            into.steps.push((guard, vec![action.clone()]));
                        }
                    }
                    into.done += 1;
                    let done = into.done;
                    let changes = action.changes().map(|variable| (variable, done));
                    into.changed.extend(changes);
                }
                StepKind::If(branches, otherwise) => {
                    let asked = into.done;
                    let mut before = when.to_vec();
                    for (head, steps) in branches {
                        let Some(cond) = &head.guard else { continue };
                        let context = self.emission_context(head.span);
                        let guard = match self.fold(&context, &Path::default(), cond, head.span) {
                            Folded::Open(guard) => guard,
                            Folded::Known(_) => continue,
                        };
                        // The guards of the branches before are part of this one.
                        let others: usize = before.iter().map(|(guard, _)| parts(guard)).sum();
                        let parts = others + parts(&guard);
                        if self.spend(parts, head.span) {
                            return;
                        }
                        before.push((guard.clone(), asked));
                        self.emission_steps(steps, &before, into);
                        before.pop();
                        before.push((Guard::Not(Box::new(guard)), asked));
                    }
                    self.emission_steps(otherwise, &before, into);
                }
                _ => self.misplaced(step.span),
            }
        }
    }

    fn misplaced(&mut self, span: Span) {
        let message = "this cannot be done when a token is emitted";
        self.faults
            .add(Code::MisplacedPhrase, span, message)
            .help("only errors and registers: `error CODE`, `set REGISTER to WORD`");
    }

    fn emission_context(&self, span: Span) -> Context<'c> {
        Context {
            named: Named(0),
            place: Where::Emitted,
            span,
            anything_else: None,
            current: None,
            leaving: &[],
        }
    }
}

/// How many questions and connectives a guard has.
fn parts(guard: &Guard) -> usize {
    match guard {
        Guard::Not(inner) => 1 + parts(inner),
        Guard::All(list) | Guard::Any(list) => 1 + list.iter().map(parts).sum::<usize>(),
        _ => 1,
    }
}

fn is_allowed(action: &Action) -> bool {
    matches!(
        action,
        Action::Error(_)
            | Action::SetFinite(..)
            | Action::SetNumber(..)
            | Action::SetCharacter(..)
            | Action::Increase(_)
            | Action::Decrease(_)
    )
}

fn all(guards: impl IntoIterator<Item = Guard>) -> Option<Guard> {
    let mut guards: Vec<Guard> = guards.into_iter().collect();
    match guards.len() {
        0 | 1 => guards.pop(),
        _ => Some(Guard::All(guards)),
    }
}
