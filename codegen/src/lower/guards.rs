//! Lowering of guards: what the path knows is not asked.

use super::facts::Folded;
use super::path::{Context, Path, Where};
use super::{Lowering, Returned};
use crate::check::model::{Cond, Named};
use crate::diagnostic::{Code, Span};
use crate::machine::Guard;

impl<'c> Lowering<'c, '_> {
    /// A guard with what is known taken out.
    pub(super) fn fold(
        &mut self,
        context: &Context<'c>,
        path: &Path,
        cond: &Cond,
        span: Span,
    ) -> Folded {
        match self.guard(context, path, cond, span) {
            Folded::Open(guard) => path.facts.fold(guard),
            known => known,
        }
    }

    fn guard(&mut self, context: &Context<'c>, path: &Path, cond: &Cond, span: Span) -> Folded {
        match cond {
            Cond::Is(guard) => {
                self.require_askable(context, path, guard, span);
                Folded::Open(self.raw_guard(guard))
            }
            Cond::StateIs(register, states) => Folded::Open(Guard::StateIs(
                *register,
                states.iter().map(|s| self.ids[s.0].entry()).collect(),
            )),
            Cond::NothingReturned => self.is_returned(path, &Returned::Nothing, span),
            Cond::TokenReturned(token) => self.is_returned(path, &Returned::Token(*token), span),
            Cond::CalledFrom(states) => self.called_from(context, states, span),
            Cond::Not(inner) => match self.guard(context, path, inner, span) {
                Folded::Known(answer) => Folded::Known(!answer),
                Folded::Open(guard) => Folded::Open(Guard::Not(Box::new(guard))),
            },
            Cond::All(parts) => self.guards(context, path, parts, span, false),
            Cond::Any(parts) => self.guards(context, path, parts, span, true),
        }
    }

    /// A condition of the table where nothing is known; none if it asks for what is known on each path.
    pub(super) fn condition(&self, cond: &Cond) -> Option<Guard> {
        let all = |parts: &[Cond]| -> Option<Vec<Guard>> {
            parts.iter().map(|part| self.condition(part)).collect()
        };
        Some(match cond {
            Cond::Is(guard) => self.raw_guard(guard),
            Cond::StateIs(register, states) => {
                let states = states.iter().map(|state| self.ids[state.0].entry());
                Guard::StateIs(*register, states.collect())
            }
            Cond::NothingReturned | Cond::TokenReturned(_) | Cond::CalledFrom(_) => return None,
            Cond::Not(inner) => Guard::Not(Box::new(self.condition(inner)?)),
            Cond::All(parts) => Guard::All(all(parts)?),
            Cond::Any(parts) => Guard::Any(all(parts)?),
        })
    }

    fn guards(
        &mut self,
        context: &Context<'c>,
        path: &Path,
        parts: &[Cond],
        span: Span,
        any: bool,
    ) -> Folded {
        let mut open = Vec::new();
        for part in parts {
            match self.guard(context, path, part, span) {
                Folded::Known(answer) if answer == any => return Folded::Known(any),
                Folded::Known(_) => {}
                Folded::Open(guard) => open.push(guard),
            }
        }
        match (open.len(), any) {
            (0, _) => Folded::Known(!any),
            (1, _) => open.pop().map_or(Folded::Known(!any), Folded::Open),
            (_, true) => Folded::Open(Guard::Any(open)),
            (_, false) => Folded::Open(Guard::All(open)),
        }
    }

    fn is_returned(&mut self, path: &Path, asked: &Returned, span: Span) -> Folded {
        if path.returned.is_none() && !path.faulty {
            let message = "nothing was attempted that could return";
            self.faults
                .add(Code::MisplacedGuard, span, message)
                .help("it comes after `attempt to PROCEDURE`");
        }
        Folded::Known(path.returned.as_ref() == Some(asked))
    }

    fn called_from(&mut self, context: &Context<'c>, states: &[Named], span: Span) -> Folded {
        let state = self.checked.states.get(context.named.0);
        let procedure = state.and_then(|state| state.procedure);
        let (Some(procedure), false) = (procedure, matches!(context.place, Where::Returned { .. }))
        else {
            self.faults
                .add(Code::MisplacedGuard, span, "no procedure runs here")
                .help("use `called from` in a procedure, to ask which state attempted it");
            return Folded::Known(false);
        };
        let sites = &self.sites[procedure];
        let among: Vec<u32> = (0..)
            .zip(sites)
            .filter(|(_, site)| states.contains(&site.named))
            .map(|(index, _)| index)
            .collect();
        if among.len() == sites.len() {
            return Folded::Known(true);
        }
        match self.call_registers[procedure] {
            Some(register) if !among.is_empty() => Folded::Open(Guard::FiniteIs(register, among)),
            _ => Folded::Known(false),
        }
    }
}
