//! Text against table, state by state: both run for every input that either tells from others, in every case
//! that either asks about. Inner states are found by what leads to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_codegen::charset::CharSet;

use super::facts::{Act, Body, Cond, State, Step, To, walk};
use super::run::{Event, Ran, run};
use super::show;
use super::side::Side;
use super::variables::{Assignment, Domain, Val, Var, representatives};

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The text has a state that the table lacks.
    MissingState,
    /// The table has a state that the text lacks.
    ExtraState,
    /// The states have different numbers.
    Section,
    /// Characters are in another arm.
    Set,
    /// An arm leads elsewhere.
    Target,
    /// An arm consumes more or less.
    Reconsume,
    /// A parse error is missing or too much.
    Error,
    /// A parse error has another code.
    Code,
    /// An action is missing, too much, or another.
    Action,
    /// The same actions in another order.
    Order,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) kind: Kind,
    /// The table's name of the state.
    pub(crate) state: String,
    pub(crate) section: String,
    /// The arm of the table and that of the text with its line.
    pub(crate) arm: Option<String>,
    pub(crate) text_arm: Option<(String, usize)>,
    pub(crate) inputs: Vec<String>,
    pub(crate) case: String,
    pub(crate) text: String,
    pub(crate) table: String,
}

/// What two states were found to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) differences: Vec<Difference>,
    /// Inner states that correspond if these do.
    next: Vec<(String, String)>,
}

/// Words that each variable can have in each state.
pub(crate) type Possible = BTreeMap<String, BTreeMap<Var, BTreeSet<Val>>>;

/// Results by text and table state, to be used again where the table has not changed.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pairs: HashMap<(String, String), (State, Pair)>,
    /// Steps on entering inner states are part of the ways there.
    entries: Vec<Vec<Step>>,
}

impl Known {
    fn pair(&self, names: &(String, String), its: &State) -> Option<&Pair> {
        let (state, pair) = self.pairs.get(names)?;
        (state == its).then_some(pair)
    }
}

fn inner_entries(side: &Side<'_>) -> Vec<Vec<Step>> {
    let inner = side.facts.states.iter().filter(|state| state.inner);
    inner.map(|state| state.entry.clone()).collect()
}

/// Compares all states.
pub(crate) fn compare(
    text: &Side<'_>,
    table: &Side<'_>,
    possible: &Possible,
    known: &mut Known,
    learn: bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let entries = inner_entries(table);
    let usable = known.entries == entries;
    if learn {
        known.entries = entries;
    }
    let mut todo: Vec<(String, String)> = Vec::new();
    for state in table.facts.states.iter().filter(|s| !s.inner) {
        match text.state(&state.name) {
            None => found.push(whole(Kind::ExtraState, state, 0)),
            Some(own) => {
                if own.section != state.section {
                    found.push(Difference {
                        text: own.section.clone(),
                        table: state.section.clone(),
                        ..whole(Kind::Section, state, own.line)
                    });
                }
                todo.push((own.name.clone(), state.name.clone()));
            }
        }
    }
    let mut before = String::new();
    for state in text.facts.states.iter().filter(|s| !s.inner) {
        if table.state(&state.name).is_none() {
            found.push(Difference {
                text: match before.as_str() {
                    "" => "it is the first".to_owned(),
                    before => format!("it stands after {before}"),
                },
                ..whole(Kind::MissingState, state, state.line)
            });
        }
        before.clone_from(&state.name);
    }
    match (&text.procedure, &table.procedure) {
        (Some(own), Some(its)) => todo.push((own.clone(), its.clone())),
        (Some(own), None) => {
            let state = text.state(own).into_iter();
            found.extend(state.map(|state| whole(Kind::MissingState, state, state.line)));
        }
        (None, Some(its)) => {
            let state = table.state(its).into_iter();
            found.extend(state.map(|state| whole(Kind::ExtraState, state, 0)));
        }
        (None, None) => {}
    }
    let mut seen: BTreeSet<(String, String)> = todo.iter().cloned().collect();
    let mut reached: BTreeSet<String> = BTreeSet::new();
    while let Some(names) = todo.pop() {
        let (Some(own), Some(its)) = (text.state(&names.0), table.state(&names.1)) else {
            continue;
        };
        reached.insert(its.name.clone());
        let pair = match known.pair(&names, its).filter(|_| usable) {
            Some(pair) => pair.clone(),
            None => {
                let pair = states(text, table, own, its, possible);
                if learn {
                    known.pairs.insert(names, (its.clone(), pair.clone()));
                }
                pair
            }
        };
        found.extend(pair.differences);
        todo.extend(
            pair.next
                .into_iter()
                .filter(|next| seen.insert(next.clone())),
        );
    }
    for state in table.facts.states.iter().filter(|s| s.inner) {
        if !reached.contains(&state.name) && table.procedure.is_some() && text.procedure.is_some() {
            found.push(whole(Kind::ExtraState, state, 0));
        }
    }
    found
}

fn whole(kind: Kind, state: &State, line: usize) -> Difference {
    Difference {
        kind,
        state: state.name.clone(),
        section: state.section.clone(),
        arm: None,
        text_arm: (line > 0).then(|| (state.name.clone(), line)),
        inputs: Vec::new(),
        case: String::new(),
        text: String::new(),
        table: String::new(),
    }
}

/// What the questions of two states can be answered with.
fn domain(text: &Side<'_>, table: &Side<'_>, own: &State, its: &State) -> Domain {
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
fn events(own: &State, its: &State, text: &Side<'_>, domain: &Domain) -> Vec<Event> {
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

fn asked_literals(cond: &Cond, found: &mut BTreeSet<super::facts::Literal>) {
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

/// Compares two states.
fn states(
    text: &Side<'_>,
    table: &Side<'_>,
    own: &State,
    its: &State,
    possible: &Possible,
) -> Pair {
    let mut domain = domain(text, table, own, its);
    for (var, values) in possible.get(&own.name).into_iter().flatten() {
        domain.restrict(var, values);
    }
    let assignments = domain.assignments();
    let events = events(own, its, text, &domain);
    let mut pair = Pair::default();
    if own.inner && own.section != its.section {
        pair.differences.push(Difference {
            text: own.section.clone(),
            table: its.section.clone(),
            ..whole(Kind::Section, its, own.line)
        });
    }
    // How often arms of the two take the same input: a character elsewhere than most is in another set.
    let mut together: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut different: Vec<(&Event, &Assignment, Ran, Ran)> = Vec::new();
    for event in &events {
        for assignment in &assignments {
            let (mine, theirs) = (
                run(text, own, event, assignment),
                run(table, its, event, assignment),
            );
            if let (Some((a, _)), Some((b, _)), Event::Char(_)) = (&mine.arm, &theirs.arm, event) {
                *together.entry((a.clone(), b.clone())).or_default() += 1;
            }
            if !same(text, table, &mine, &theirs, &mut pair.next) {
                different.push((event, assignment, mine, theirs));
            }
        }
    }
    for (event, assignment, mine, theirs) in different {
        let kind = match elsewhere(event, &mine, &theirs, &together) {
            true => Kind::Set,
            false => kind(&mine, &theirs),
        };
        let difference = Difference {
            kind,
            state: its.name.clone(),
            section: its.section.clone(),
            arm: theirs
                .arm
                .as_ref()
                .map(|(label, _)| label.clone())
                .or_else(|| Some(show::event(event))),
            text_arm: mine
                .arm
                .clone()
                .or_else(|| Some((show::event(event), own.line))),
            inputs: vec![show::event(event)],
            case: show::case(assignment),
            text: show::trace(&mine.trace),
            table: show::trace(&theirs.trace),
        };
        add(&mut pair.differences, difference);
    }
    pair
}

/// Adds a difference, or an input to one of the same arms.
fn add(all: &mut Vec<Difference>, new: Difference) {
    let same = |one: &&mut Difference| {
        one.arm == new.arm && one.text_arm == new.text_arm && one.kind == new.kind
    };
    match all.iter_mut().find(same) {
        Some(before) => {
            for input in new.inputs {
                if !before.inputs.contains(&input) {
                    before.inputs.push(input);
                }
            }
        }
        None => all.push(new),
    }
}

/// Whether what was done is the same, if the inner states it leads to correspond.
fn same(
    text: &Side<'_>,
    table: &Side<'_>,
    mine: &Ran,
    theirs: &Ran,
    next: &mut Vec<(String, String)>,
) -> bool {
    let inner = |side: &Side<'_>, name: &str| side.state(name).is_some_and(|s| s.inner);
    if mine.trace.acts != theirs.trace.acts || mine.trace.consumed != theirs.trace.consumed {
        return false;
    }
    match (&mine.trace.to, &theirs.trace.to) {
        (Some(To::State(a)), Some(To::State(b))) if inner(text, a) && inner(table, b) => {
            let names = (a.clone(), b.clone());
            if !next.contains(&names) {
                next.push(names);
            }
            true
        }
        // A text that says nothing of a successor means the same state.
        (None, Some(To::Stay)) => true,
        (a, b) => a == b,
    }
}

/// Whether a character is in another arm than those beside it.
fn elsewhere(
    event: &Event,
    mine: &Ran,
    theirs: &Ran,
    together: &BTreeMap<(String, String), usize>,
) -> bool {
    let (Event::Char(_), Some((a, _)), Some((b, _))) = (event, &mine.arm, &theirs.arm) else {
        return false;
    };
    let count = |a: &str, b: &str| together.get(&(a.to_owned(), b.to_owned())).copied();
    let here = count(a, b).unwrap_or(0);
    let most_of = |pick: &dyn Fn(&(String, String)) -> bool| {
        together
            .iter()
            .filter(|(k, _)| pick(k))
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(0)
    };
    here < most_of(&|(x, _)| x == a) || here < most_of(&|(_, y)| y == b)
}

fn kind(mine: &Ran, theirs: &Ran) -> Kind {
    let errors = |ran: &Ran| -> Vec<Act> {
        let acts = ran.trace.acts.iter();
        acts.filter(|act| matches!(act, Act::Error(_)))
            .cloned()
            .collect()
    };
    let (a, b) = (errors(mine), errors(theirs));
    if a.len() != b.len() {
        return Kind::Error;
    }
    if a != b {
        return Kind::Code;
    }
    if mine.trace.acts != theirs.trace.acts {
        let sorted = |ran: &Ran| {
            let mut all: Vec<String> = ran.trace.acts.iter().map(show::act).collect();
            all.sort();
            all
        };
        return match sorted(mine) == sorted(theirs) {
            true => Kind::Order,
            false => Kind::Action,
        };
    }
    if mine.trace.to != theirs.trace.to {
        return Kind::Target;
    }
    Kind::Reconsume
}

/// Which words variables can have in each state of a text: those with which it is switched to.
pub(crate) fn possible(text: &Side<'_>, words: &BTreeMap<String, Vec<String>>) -> Possible {
    let mut possible = Possible::new();
    let Some(initial) = &text.facts.stream.initial else {
        return possible;
    };
    if words.is_empty() {
        return possible;
    }
    let all: BTreeMap<Var, BTreeSet<Val>> = words
        .iter()
        .map(|(register, words)| {
            let words = words.iter().cloned().map(Val::Word).collect();
            (Var::Word(register.clone()), words)
        })
        .collect();
    let mut todo = vec![initial.what.clone()];
    possible.insert(initial.what.clone(), all);
    while let Some(name) = todo.pop() {
        let Some(state) = text.state(&name) else {
            continue;
        };
        let here = possible.get(&name).cloned().unwrap_or_default();
        let mut domain = self::domain(text, text, state, state);
        for (var, values) in &here {
            domain.add(var.clone(), values.iter().cloned());
            domain.restrict(var, values);
        }
        for event in events(state, state, text, &domain) {
            for assignment in domain.assignments() {
                let ran = run(text, state, &event, &assignment);
                let Some(To::State(to)) = ran.trace.to else {
                    continue;
                };
                let at = possible.entry(to.clone()).or_default();
                let mut grown = false;
                for var in here.keys() {
                    let set = ran
                        .trace
                        .acts
                        .iter()
                        .rev()
                        .find_map(|act| match (act, var) {
                            (Act::SetWord(r, word), Var::Word(var)) if r == var => {
                                Some(Val::Word(word.clone()))
                            }
                            _ => None,
                        });
                    let value = set.or_else(|| assignment.get(var).cloned());
                    grown |= value.is_some_and(|v| at.entry(var.clone()).or_default().insert(v));
                }
                if grown {
                    todo.push(to);
                }
            }
        }
    }
    possible
}
