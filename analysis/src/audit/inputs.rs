//! What two states are run with: inputs that either tells from others, in cases that either asks about.

use std::collections::BTreeSet;

use speclex_codegen::charset::CharSet;

use super::facts::{Body, Cond, Literal, State, Step, walk};
use super::run::Event;
use super::side::Side;
use super::variables::{Domain, Val, Var, representatives};

/// What the questions of two states can be answered with.
pub(crate) fn domain(text: &Side<'_>, table: &Side<'_>, own: &State, its: &State) -> Domain {
    let mut domain = Domain::default();
    domain.ask_state(own);
    domain.ask_state(its);
    if own.inner {
        let callers = text
            .callers
            .iter()
            .map(|caller| Val::Word(caller.name.clone()));
        domain.add(Var::Caller, callers);
        for caller in &text.callers {
            domain.ask_steps(caller.steps);
        }
    }
    let asks = |state: &State| {
        let mut asks = false;
        state.body.lists(&mut |steps| {
            walk(steps, &mut |step| {
                asks |= matches!(step, Step::If(Cond::CurrentIsAllowed, ..))
            });
        });
        asks || matches!(&state.body, Body::Consume(c) if c.arms.iter().any(|arm| arm.allowed))
    };
    if asks(own) || asks(its) {
        domain.add(Var::Allowed, [Val::None]);
        for side in [text, table] {
            domain.add(Var::Allowed, side.allowed().iter().map(|c| Val::Char(*c)));
        }
    }
    domain
}

/// The inputs to try.
pub(crate) fn events(own: &State, its: &State, text: &Side<'_>, domain: &Domain) -> Vec<Event> {
    let mut events = Vec::new();
    if !its.inner {
        // Inner states have no names: their entry steps belong to the way there.
        events.push(Event::Enter);
    }
    let (mut sets, mut literals) = (Vec::new(), BTreeSet::new());
    let (mut consumes, mut matches, mut runs) = (false, false, false);
    for state in [own, its] {
        gather(&state.body, &mut |body| match body {
            Body::Consume(consume) => {
                consumes = true;
                for arm in &consume.arms {
                    sets.push(arm.set.clone());
                    literals.extend(arm.literal.clone());
                }
            }
            Body::Match { .. } => matches = true,
            _ => runs = true,
        });
        state.steps(&mut |step| {
            if let Step::If(cond, ..) = step {
                asked_literals(cond, &mut literals);
                asked_sets(cond, &mut sets);
            }
        });
    }
    if matches {
        events.extend([Event::Match, Event::NoMatch]);
    }
    if runs && !consumes && literals.is_empty() {
        events.push(Event::Run);
    }
    if consumes || !literals.is_empty() {
        sets.push(text.replaced());
        sets.push(CharSet::from_ranges([(0x41, 0x5A), (0x61, 0x7A)]));
        if domain.has(&Var::Allowed) {
            sets.push(text.allowed().iter().copied().collect());
        }
        let sets: Vec<&CharSet> = sets.iter().collect();
        events.extend(representatives(&sets).into_iter().map(Event::Char));
        events.push(Event::Eof);
        for literal in literals {
            if literal.ignore_case || literal.text.chars().any(|c| c.is_ascii_alphabetic()) {
                events.push(Event::Text(literal.text.to_ascii_lowercase()));
                events.push(Event::Text(literal.text.to_ascii_uppercase()));
            }
            events.push(Event::Text(literal.text));
        }
    }
    events.dedup();
    events
}

fn gather<'b>(body: &'b Body, visit: &mut dyn FnMut(&'b Body)) {
    match body {
        Body::Branch(_, then, otherwise) => {
            gather(then, visit);
            gather(otherwise, visit);
        }
        body => visit(body),
    }
}

fn asked_literals(cond: &Cond, found: &mut BTreeSet<Literal>) {
    match cond {
        Cond::NextIs(literal) => {
            found.insert(literal.clone());
        }
        Cond::Not(inner) => asked_literals(inner, found),
        Cond::All(all) | Cond::Any(all) => all.iter().for_each(|c| asked_literals(c, found)),
        _ => {}
    }
}

fn asked_sets(cond: &Cond, found: &mut Vec<CharSet>) {
    match cond {
        Cond::CurrentIn(set) => found.push(set.clone()),
        Cond::Not(inner) => asked_sets(inner, found),
        Cond::All(all) | Cond::Any(all) => all.iter().for_each(|c| asked_sets(c, found)),
        _ => {}
    }
}
