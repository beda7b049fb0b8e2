//! The parts of a state: each part of the machine consumes, runs steps, or matches, and nothing else.

use super::path::{Context, Path, Where};
use super::traced::{ArmHead, Body, Kind, LiteralHead, State};
use super::{Ids, Lowering};
use crate::charset::CharSet;
use crate::check::model::{self, Arm, Branch, Checked, Goal, Named, Step, StepKind};
use crate::machine::{StateId, Target};

/// Gives every part its id, in the order of the table.
pub(super) fn allocate(checked: &Checked) -> Vec<Ids> {
    let mut next = 0;
    let mut id = || {
        next += 1;
        StateId(next - 1)
    };
    checked
        .states
        .iter()
        .map(|state| Ids {
            first: (!state.first.is_empty()).then(&mut id),
            main: id(),
            branches: match &state.body {
                model::Body::Branches(_) => (0..leaves(&state.body)).map(|_| id()).collect(),
                _ => Vec::new(),
            },
        })
        .collect()
}

/// How many branches are states of their own.
fn leaves(body: &model::Body) -> usize {
    match body {
        model::Body::Branches(branches) => branches.iter().map(|(_, body)| leaves(body)).sum(),
        model::Body::Steps(_) => 0,
        _ => 1,
    }
}

/// The lists of steps that say `switch back`, themselves or through others.
pub(super) fn lists_that_switch_back(checked: &Checked) -> Vec<bool> {
    let mut switching = vec![false; checked.step_lists.len()];
    // By list: those that use it.
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); switching.len()];
    let mut open = Vec::new();
    for (index, steps) in checked.step_lists.iter().enumerate() {
        each_step(steps, &mut |step| match &step.kind {
            StepKind::Go(Goal::Back, _) => open.push(index),
            StepKind::StepList(used) => users[*used].push(index),
            _ => {}
        });
    }
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut switching[index], true) {
            open.extend(&users[index]);
        }
    }
    switching
}

/// Whether a state says `switch back` anywhere.
pub(super) fn switches_back(lists: &[bool], state: &model::State) -> bool {
    fn in_body(lists: &[bool], body: &model::Body) -> bool {
        let in_steps = |steps: &[Step]| {
            let mut found = false;
            each_step(steps, &mut |step| match &step.kind {
                StepKind::Go(goal, _) => found |= *goal == Goal::Back,
                StepKind::StepList(index) => found |= lists[*index],
                _ => {}
            });
            found
        };
        match body {
            model::Body::Arms { arms, .. } => arms.iter().any(|arm| in_steps(&arm.steps)),
            model::Body::Match(arms) => in_steps(&arms.0.steps) || in_steps(&arms.1.steps),
            model::Body::Steps(steps) => in_steps(steps),
            model::Body::Branches(list) => list.iter().any(|(_, body)| in_body(lists, body)),
            model::Body::Unknown => false,
        }
    }
    in_body(lists, &state.body)
}

/// Calls `visit` with the steps of a list and of its branches.
fn each_step<'s>(steps: &'s [Step], visit: &mut impl FnMut(&'s Step)) {
    for step in steps {
        visit(step);
        if let StepKind::If(branches, otherwise) = &step.kind {
            branches
                .iter()
                .for_each(|(_, steps)| each_step(steps, visit));
            each_step(otherwise, visit);
        }
    }
}

impl<'c> Lowering<'c, '_> {
    /// All parts of a state.
    pub(super) fn state(&mut self, named: Named, into: &mut Vec<State>) {
        let checked = self.checked;
        let state = &checked.states[named.0];
        let ids = self.ids[named.0].clone();
        if ids.first.is_some() {
            let context = self.context(named, Where::First);
            let body = self.list(&context, &state.first);
            into.push(self.part(named, "first", Kind::Steps(body)));
        }
        if let model::Body::Branches(branches) = &state.body {
            let mut parts = Vec::new();
            let body = self.branches(named, branches, "", &mut parts);
            into.push(self.part(named, "", Kind::Steps(body)));
            into.extend(parts);
        } else {
            let kind = self.kind(named, &state.body);
            into.push(self.part(named, "", kind));
        }
    }

    fn context(&self, named: Named, place: Where) -> Context<'c> {
        let checked = self.checked;
        let state = &checked.states[named.0];
        Context {
            named,
            place,
            span: state.span,
            anything_else: None,
            current: None,
            leaving: match place {
                Where::First => &[],
                _ => &state.leaving,
            },
        }
    }

    fn part(&self, named: Named, what: &str, kind: Kind) -> State {
        let state = &self.checked.states[named.0];
        let procedure = state.procedure.map(|p| &self.checked.procedures[p].name);
        let mut name = match procedure {
            Some(procedure) => format!("{procedure}, {}", state.name),
            None => state.name.clone(),
        };
        if !what.is_empty() {
            name = format!("{name}, {what}");
        }
        State {
            name,
            named,
            origin: procedure.unwrap_or(&state.name).clone(),
            section: state.section.clone(),
            kind,
        }
    }

    /// The questions in front of the branches of a state; the branches become parts.
    fn branches(
        &mut self,
        named: Named,
        branches: &'c [(Branch, model::Body)],
        prefix: &str,
        parts: &mut Vec<State>,
    ) -> Body {
        let context = self.context(named, Where::Steps);
        let Some(((head, body), rest)) = branches.split_first() else {
            return Body::go(Vec::new(), Target::End, false, context.span);
        };
        let label = match head.guard {
            Some(_) => format!("{prefix}if {}", head.label),
            None => format!("{prefix}{}", head.label),
        };
        let then = match body {
            model::Body::Steps(steps) => self.list(&context, steps),
            model::Body::Branches(inner) => {
                self.branches(named, inner, &format!("{label}, "), parts)
            }
            body => {
                let id = self.ids[named.0].branches.get(parts.len()).copied();
                let kind = self.kind(named, body);
                parts.push(self.part(named, &label, kind));
                let target = id.map_or(Target::End, Target::State);
                Body::go(Vec::new(), target, false, head.span)
            }
        };
        let Some(cond) = &head.guard else { return then };
        let folded = self.fold(&context, &Path::default(), cond, head.span);
        let otherwise = self.branches(named, rest, prefix, parts);
        match folded {
            super::facts::Folded::Known(true) => then,
            super::facts::Folded::Known(false) => otherwise,
            super::facts::Folded::Open(guard) => Body::question(guard, head.span, then, otherwise),
        }
    }

    fn kind(&mut self, named: Named, body: &'c model::Body) -> Kind {
        match body {
            model::Body::Arms { look_ahead, arms } => self.arms(named, *look_ahead, arms),
            model::Body::Match(arms) => {
                let (matched, unmatched) = &**arms;
                let mut one = |arm: &'c Arm, place| {
                    let context = self.context(named, place);
                    let span = arm.span.unwrap_or(context.span);
                    self.list(&Context { span, ..context }, &arm.steps)
                };
                Kind::Match {
                    matched: one(matched, Where::Matched),
                    unmatched: one(unmatched, Where::Unmatched),
                }
            }
            model::Body::Steps(steps) => {
                let context = self.context(named, Where::Steps);
                Kind::Steps(self.list(&context, steps))
            }
            model::Body::Branches(_) | model::Body::Unknown => {
                let context = self.context(named, Where::Steps);
                Kind::Steps(Body::go(Vec::new(), Target::End, false, context.span))
            }
        }
    }

    fn arms(&mut self, named: Named, look_ahead: bool, arms: &'c [Arm]) -> Kind {
        let last = arms.iter().find(|arm| arm.anything_else);
        // That an arm for the end of the input is missing was said: no other arm is blamed for what it does there.
        let eof = arms.iter().find(|arm| arm.eof);
        let eof = eof.or(last.filter(|_| look_ahead));
        let else_steps = last.map(|arm| arm.steps.as_slice());
        let taken = CharSet::from_ranges(arms.iter().flat_map(|arm| arm.set.ranges()).copied());
        let mut kind = (Vec::new(), Vec::new());
        for arm in arms.iter().filter(|a| !a.anything_else).chain(last) {
            let within = Context {
                span: arm.span.unwrap_or(self.checked.states[named.0].span),
                anything_else: else_steps.filter(|_| !arm.anything_else),
                ..self.context(named, Where::Steps)
            };
            for literal in &arm.literals {
                let context = Context {
                    place: Where::Literal { look_ahead },
                    ..within.clone()
                };
                let body = self.list(&context, &arm.steps);
                let head = LiteralHead {
                    text: literal.text.clone(),
                    ignore_case: literal.ignore_case,
                };
                kind.0.push((head, body));
            }
            let set = if arm.anything_else {
                taken.complement()
            } else {
                arm.set.clone()
            };
            if set.is_empty() && !arm.anything_else {
                continue;
            }
            let context = Context {
                place: Where::Arm { look_ahead },
                current: Some(set.clone()),
                ..within
            };
            self.consumed = false;
            let body = self.list(&context, &arm.steps);
            let head = ArmHead {
                set,
                peeked: look_ahead && !self.consumed,
                label: arm.label.clone(),
            };
            kind.1.push((head, body));
        }
        let context = self.context(named, Where::Eof { look_ahead });
        let eof = match eof {
            Some(arm) => {
                let context = Context {
                    span: arm.span.unwrap_or(context.span),
                    anything_else: else_steps.filter(|_| !arm.anything_else),
                    ..context
                };
                self.list(&context, &arm.steps)
            }
            None => Body::go(Vec::new(), Target::End, false, context.span),
        };
        Kind::Consume {
            literals: kind.0,
            arms: kind.1,
            eof,
        }
    }

    /// What each attempt does when nothing is returned.
    pub(super) fn calls(&mut self) -> Vec<super::Call> {
        let sites: Vec<super::Site<'c>> = self.sites.iter().flatten().cloned().collect();
        sites
            .into_iter()
            .map(|site| {
                let context = Context {
                    span: site.span,
                    ..self.context(
                        site.named,
                        Where::Returned {
                            reconsume: false,
                            rewind: true,
                        },
                    )
                };
                let context = Context {
                    leaving: &[],
                    ..context
                };
                let mut path = site.path;
                path.returned = Some(super::Returned::Nothing);
                path.left = true;
                path.facts = super::facts::Facts::default();
                let ids = &self.ids[site.named.0];
                let from = ids.first.into_iter().chain([ids.main]);
                super::Call {
                    from: from.chain(ids.branches.iter().copied()).collect(),
                    consumed: site.consumed,
                    nothing: self.run(&context, site.frames, path),
                }
            })
            .collect()
    }
}
