//! Steps when a token is emitted: independent, each with its guard.

use super::Lowering;
use super::facts::Folded;
use super::path::{Context, Path, Where};
use crate::check::model::{Named, Step, StepKind};
use crate::diagnostic::{Code, Span};
use crate::machine::{Action, Guard, OnEmit};

impl<'c> Lowering<'c, '_> {
    pub(super) fn on_emit(&mut self) -> Vec<OnEmit> {
        let checked = self.checked;
        let list = checked.on_emit.iter();
        list.map(|on_emit| {
            let mut steps = Vec::new();
            self.emission_steps(&on_emit.steps, None, &mut steps);
            OnEmit {
                token: on_emit.token,
                kind: on_emit.kind,
                steps,
            }
        })
        .collect()
    }

    fn emission_steps(
        &mut self,
        steps: &'c [Step],
        when: Option<&Guard>,
        into: &mut Vec<(Option<Guard>, Vec<Action>)>,
    ) {
        for step in steps {
            if self.spend(1, step.span) {
                return;
            }
            match &step.kind {
                StepKind::Ignore | StepKind::Unknown => {}
                StepKind::Do(action) if is_allowed(action) => {
                    let when = when.cloned();
                    match into.last_mut() {
                        Some((guard, actions)) if *guard == when => actions.push(action.clone()),
                        _ => into.push((when, vec![action.clone()])),
                    }
                }
                StepKind::If(branches, otherwise) => {
                    let mut before: Vec<Guard> = when.cloned().into_iter().collect();
                    for (head, steps) in branches {
                        let Some(cond) = &head.guard else { continue };
                        let context = self.emission_context(head.span);
                        let guard = match self.fold(&context, &Path::default(), cond, head.span) {
                            Folded::Open(guard) => guard,
                            Folded::Known(_) => continue,
                        };
                        // The guards of the branches before are part of this one.
                        let parts = before.iter().chain([&guard]).map(parts).sum();
                        if self.spend(parts, head.span) {
                            return;
                        }
                        let holds = all(before.iter().cloned().chain([guard.clone()]));
                        self.emission_steps(steps, holds.as_ref(), into);
                        before.push(Guard::Not(Box::new(guard)));
                    }
                    let fails = all(before);
                    self.emission_steps(otherwise, fails.as_ref(), into);
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
