//! Text against table, state by state: both run for every input that either tells from others, in every case
//! that either asks about. Inner states are found by what leads to them. Then what is said outside the states.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{FieldType, Machine, RegisterType};

use crate::evaluator::{Outcome, evaluate};
use crate::facts::{
    Action, Body, Guard, Located, OnEmit, State, Step, Stream, Successor, TokenFact, Words,
};
use crate::inputs::{Assignment, Event, Val, Var, domain, events};
use crate::model::Model;
use crate::report::{Finding, Kind};
use crate::wording;

/// What two states were found to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) differences: Vec<Difference>,
    /// Inner states that correspond if these do.
    next: Vec<(String, String)>,
}

/// Results by text and table state, to be used again where the table has not changed.
#[derive(Debug, Default)]
pub(crate) struct PairCache {
    pairs: HashMap<(String, String), (State, Pair)>,
    /// Steps on entering inner states are part of the ways there.
    entries: Vec<Vec<Step>>,
}

impl PairCache {
    fn pair(&self, names: &(String, String), its: &State) -> Option<&Pair> {
        let (state, pair) = self.pairs.get(names)?;
        (state == its).then_some(pair)
    }
}

fn inner_entries(model: &Model<'_>) -> Vec<Vec<Step>> {
    let inner = model.facts.states.iter().filter(|state| state.inner);
    inner.map(|state| state.entry.clone()).collect()
}

/// Compares all states.
pub(crate) fn compare(
    text: &Model<'_>,
    table: &Model<'_>,
    possible: &Possible,
    known: &mut PairCache,
    store: bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let entries = inner_entries(table);
    let usable = known.entries == entries;
    if store {
        known.entries = entries;
    }
    let mut todo: Vec<(String, String)> = Vec::new();
    for state in table.facts.states.iter().filter(|s| !s.inner) {
        match text.state(&state.name) {
            None => found.push(whole_state(Kind::ExtraState, state, 0)),
            Some(own) => {
                if own.section != state.section {
                    found.push(Difference {
                        text: own.section.clone(),
                        table: state.section.clone(),
                        ..whole_state(Kind::Section, state, own.line)
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
                ..whole_state(Kind::MissingState, state, state.line)
            });
        }
        before.clone_from(&state.name);
    }
    match (&text.procedure, &table.procedure) {
        (Some(own), Some(its)) => todo.push((own.clone(), its.clone())),
        (Some(own), None) => {
            let state = text.state(own).into_iter();
            found.extend(state.map(|state| whole_state(Kind::MissingState, state, state.line)));
        }
        (None, Some(its)) => {
            let state = table.state(its).into_iter();
            found.extend(state.map(|state| whole_state(Kind::ExtraState, state, 0)));
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
                if store {
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
            found.push(whole_state(Kind::ExtraState, state, 0));
        }
    }
    found
}

fn whole_state(kind: Kind, state: &State, line: usize) -> Difference {
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

/// Compares two states.
fn states(
    text: &Model<'_>,
    table: &Model<'_>,
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
            ..whole_state(Kind::Section, its, own.line)
        });
    }
    // How often arms of the two take the same input: a character elsewhere than most is in another set.
    let mut together: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut different: Vec<(&Event, &Assignment, Outcome, Outcome)> = Vec::new();
    for event in &events {
        for assignment in &assignments {
            let theirs = evaluate(table, its, event, assignment);
            let mut mine = evaluate(text, own, event, assignment);
            resolve_current_token(text, own, &mut mine, &theirs);
            if let (Some((a, _)), Some((b, _)), Event::Char(_)) = (&mine.arm, &theirs.arm, event) {
                *together.entry((a.clone(), b.clone())).or_default() += 1;
            }
            if !corresponds(text, table, &mine, &theirs, &mut pair.next) {
                different.push((event, assignment, mine, theirs));
            }
        }
    }
    let branches = [own, its].map(|state| matches!(state.body, Body::Branch(..)));
    for (event, assignment, mine, theirs) in different {
        // Where only one of them comes to an arm, the state's own condition differs.
        let another_case = branches.contains(&true) && mine.arm.is_none() != theirs.arm.is_none();
        let kind = match is_in_another_set(event, &mine, &theirs, &together) {
            _ if another_case => Kind::Case,
            true => Kind::Set,
            false => classify(&mine, &theirs),
        };
        let its_arm = theirs.arm.as_ref().map(|(label, _)| label.clone());
        let own_arm = mine.arm.clone();
        let difference = Difference {
            kind,
            state: its.name.clone(),
            section: its.section.clone(),
            arm: match event {
                _ if another_case => None,
                Event::Enter => Some(wording::event(event)),
                _ => its_arm.or_else(|| Some("steps".to_owned())),
            },
            text_arm: match another_case {
                true => Some((own.name.clone(), own.line)),
                false => own_arm.or_else(|| Some((own.name.clone(), own.line))),
            },
            inputs: vec![wording::event(event)],
            case: wording::case(assignment),
            text: wording::trace(&mine.trace),
            table: wording::trace(&theirs.trace),
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

/// "The current token", where the text leaves open which: the one that the table emits, if it can be that.
/// Else one changed successor would be reported in every state that comes after it.
pub(crate) fn resolve_current_token(
    text: &Model<'_>,
    own: &State,
    mine: &mut Outcome,
    theirs: &Outcome,
) {
    for (action, its) in mine.trace.actions.iter_mut().zip(&theirs.trace.actions) {
        if let (Action::Emit(None), Action::Emit(Some(token))) = (&action, its)
            && text.may_be_current(&own.name, token)
        {
            action.clone_from(its);
        }
    }
}

/// Whether what was done is the same, if the inner states it leads to correspond.
pub(crate) fn corresponds(
    text: &Model<'_>,
    table: &Model<'_>,
    mine: &Outcome,
    theirs: &Outcome,
    next: &mut Vec<(String, String)>,
) -> bool {
    let inner = |model: &Model<'_>, name: &str| model.state(name).is_some_and(|s| s.inner);
    if mine.trace.actions != theirs.trace.actions || mine.trace.consumed != theirs.trace.consumed {
        return false;
    }
    match (&mine.trace.to, &theirs.trace.to) {
        (Some(Successor::State(a)), Some(Successor::State(b)))
            if inner(text, a) && inner(table, b) =>
        {
            let names = (a.clone(), b.clone());
            if !next.contains(&names) {
                next.push(names);
            }
            true
        }
        // A text that says nothing of a successor means the same state.
        (None, Some(Successor::Stay)) => true,
        (a, b) => a == b,
    }
}

/// Whether a character is in another arm than those beside it.
pub(crate) fn is_in_another_set(
    event: &Event,
    mine: &Outcome,
    theirs: &Outcome,
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

pub(crate) fn classify(mine: &Outcome, theirs: &Outcome) -> Kind {
    let is_error = |action: &&Action| matches!(action, Action::Error(_));
    let errors = |outcome: &Outcome| outcome.trace.actions.iter().filter(is_error).count();
    let others = |outcome: &Outcome| -> Vec<Action> {
        let actions = outcome.trace.actions.iter();
        actions
            .filter(|action| !is_error(action))
            .cloned()
            .collect()
    };
    let sorted = |outcome: &Outcome| {
        let mut all: Vec<String> = outcome.trace.actions.iter().map(wording::action).collect();
        all.sort();
        all
    };
    // A text without names of errors differs from a table with them in every error: what else differs
    // says more.
    if errors(mine) != errors(theirs) {
        Kind::Error
    } else if mine.trace.actions != theirs.trace.actions && sorted(mine) == sorted(theirs) {
        Kind::Order
    } else if others(mine) != others(theirs) {
        Kind::Action
    } else if mine.trace.to.as_ref().unwrap_or(&Successor::Stay)
        != theirs.trace.to.as_ref().unwrap_or(&Successor::Stay)
    {
        Kind::Target
    } else if mine.trace.consumed != theirs.trace.consumed {
        Kind::Reconsume
    } else {
        Kind::Code
    }
}

/// Words that each variable can have in each state.
pub(crate) type Possible = BTreeMap<String, BTreeMap<Var, BTreeSet<Val>>>;

/// Which words variables can have in each state of a text: those with which it is switched to.
pub(crate) fn possible(text: &Model<'_>, words: &BTreeMap<String, Vec<String>>) -> Possible {
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
                let outcome = evaluate(text, state, &event, &assignment);
                let Some(Successor::State(to)) = outcome.trace.to else {
                    continue;
                };
                let at = possible.entry(to.clone()).or_default();
                let mut grown = false;
                for var in here.keys() {
                    let set =
                        outcome
                            .trace
                            .actions
                            .iter()
                            .rev()
                            .find_map(|action| match (action, var) {
                                (Action::SetWord(r, word), Var::Word(var)) if r == var => {
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

/// Compares. Texts hold more or fewer of the sections around the states: one that says something of tokens
/// says what happens when they are emitted, and one that says something of the input stream says all. All but
/// a `part` of a page say where the machine starts.
pub(crate) fn compare_streams(
    text: &Stream,
    table: &Stream,
    machine: &Machine,
    part: bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |kind: &str, line: usize, text: String, table: String| {
        if text != table {
            found.push(Finding {
                kind: kind.to_owned(),
                text_line: (line > 0).then_some(line),
                text,
                table,
                ..Finding::default()
            });
        }
    };
    if !(part && text.initial.is_none()) {
        let first = machine.entries.first();
        let state = first.and_then(|entry| machine.states.get(entry.state.0 as usize));
        let its = state.map(|state| state.name.clone()).unwrap_or_default();
        let (line, own) = match &text.initial {
            Some(initial) => (initial.line, initial.what.clone()),
            None => (0, "it does not say where the machine starts".to_owned()),
        };
        add("initial state", line, own, its);
    }
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let stream = &machine.preprocessing;
    let silent = text.drop_bom.is_none()
        && text.newlines.is_none()
        && text.replace.is_empty()
        && text.errors.is_empty();
    // What is not said is not done.
    let mut step = |what: &str, fact: &Option<Located<bool>>, its: bool| {
        if !silent {
            let (line, own) = fact
                .as_ref()
                .map_or((0, false), |fact| (fact.line, fact.what));
            let show = |on| format!("{what}: {}", yes(on));
            add("preprocessing", line, show(own), show(its));
        }
    };
    step(
        "a leading U+FEFF is dropped",
        &text.drop_bom,
        stream.drop_bom,
    );
    step(
        "newlines are normalized",
        &text.newlines,
        stream.normalize_newlines,
    );
    if !silent {
        let line = text.errors.first().map_or(0, |fact| fact.line);
        let replaced = |pairs: &[(char, char)]| format!("replaced: {pairs:?}");
        let own: Vec<_> = text.replace.iter().map(|fact| fact.what).collect();
        add(
            "preprocessing",
            line,
            replaced(&own),
            replaced(&stream.replace),
        );
        let own = by_code(
            text.errors
                .iter()
                .map(|fact| (&fact.what.0, fact.what.1.as_str())),
        );
        let its = by_code(
            stream
                .errors
                .iter()
                .map(|(set, code)| (set, machine.errors[code.0 as usize].as_str())),
        );
        for code in own.keys().chain(its.keys()).collect::<BTreeSet<_>>() {
            let of = |model: &BTreeMap<&str, CharSet>| {
                let set = model.get(code).cloned().unwrap_or_default();
                format!("{code}: {set}")
            };
            add("preprocessing", line, of(&own), of(&its));
        }
    }
    if !text.replacements.is_empty() {
        let own: BTreeMap<u32, (u32, usize)> = text
            .replacements
            .iter()
            .map(|fact| (fact.what.0, (fact.what.1, fact.line)))
            .collect();
        let its: BTreeMap<u32, u32> = machine.replacements.iter().copied().collect();
        for number in own.keys().chain(its.keys()).collect::<BTreeSet<_>>() {
            let row = |to: Option<u32>| match to {
                Some(to) => format!("{number:#04X}: U+{to:04X}"),
                None => format!("{number:#04X}: no row"),
            };
            let line = own.get(number).map_or(0, |(_, line)| *line);
            let (own, its) = (own.get(number).map(|o| o.0), its.get(number).copied());
            add("numeric replacements", line, row(own), row(its));
        }
    }
    codes(text, machine, &mut add);
    if !(text.on_emit.is_empty() && text.tokens.is_empty()) {
        emission(text, table, &mut add);
    }
    tokens(text, machine, &mut add);
    words(text, machine, &mut add);
    found
}

type Add<'a> = dyn FnMut(&str, usize, String, String) + 'a;

fn by_code<'s>(errors: impl Iterator<Item = (&'s CharSet, &'s str)>) -> BTreeMap<&'s str, CharSet> {
    let mut all: BTreeMap<&str, CharSet> = BTreeMap::new();
    for (set, code) in errors.filter(|(set, _)| !set.is_empty()) {
        let at = all.entry(code).or_default();
        *at = at.union(set);
    }
    all
}

/// Codes of errors: those that the text lists.
fn codes(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    if text.codes.is_empty() {
        return;
    }
    let own: BTreeMap<&str, usize> = text
        .codes
        .iter()
        .map(|fact| (fact.what.as_str(), fact.line))
        .collect();
    let named = machine.errors.iter().map(String::as_str);
    let its: BTreeSet<&str> = named
        .filter(|code| *code != crate::facts::UNNAMED)
        .collect();
    for code in own
        .keys()
        .copied()
        .chain(its.iter().copied())
        .collect::<BTreeSet<_>>()
    {
        let has = |has: bool| match has {
            true => code.to_owned(),
            false => format!("no {code}"),
        };
        let line = own.get(code).copied().unwrap_or(0);
        add(
            "error codes",
            line,
            has(own.contains_key(code)),
            has(its.contains(code)),
        );
    }
}

fn emission(text: &Stream, table: &Stream, add: &mut Add<'_>) {
    let show = |on: &OnEmit| {
        let guard = match &on.guard {
            None => String::new(),
            Some(Guard::HasAttributes) => " with attributes".to_owned(),
            Some(Guard::FlagIs(flag)) => format!(" with its {flag} set"),
            Some(other) => format!(" in the case {other:?}"),
        };
        format!("{}{guard}: {}", on.kind, wording::action(&on.action))
    };
    let its: Vec<&OnEmit> = table.on_emit.iter().map(|fact| &fact.what).collect();
    for fact in &text.on_emit {
        if !its.contains(&&fact.what) {
            add(
                "on emitting",
                fact.line,
                show(&fact.what),
                "nothing".to_owned(),
            );
        }
    }
    for on in its {
        if !text.on_emit.iter().any(|fact| fact.what == *on) {
            add("on emitting", 0, "nothing".to_owned(), show(on));
        }
    }
}

/// Words of variables.
fn words(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for fact in &text.words {
        let (Words::Are(name, _) | Words::Begin(name, _)) = &fact.what;
        let register = machine
            .registers
            .iter()
            .find(|register| register.name == *name);
        let its = match register.map(|register| &register.ty) {
            Some(RegisterType::Finite(words)) => words.clone(),
            _ => Vec::new(),
        };
        let (own, its) = match &fact.what {
            Words::Are(_, words) => {
                let sorted = |words: &[String]| words.iter().cloned().collect::<BTreeSet<_>>();
                (
                    format!("{:?}", sorted(words)),
                    format!("{:?}", sorted(&its)),
                )
            }
            Words::Begin(_, word) => (
                format!("{word} at first"),
                format!("{} at first", its.first().map_or("", |w| w)),
            ),
        };
        add(
            "registers",
            fact.line,
            format!("{name}: {own}"),
            format!("{name}: {its}"),
        );
    }
}

fn tokens(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for fact in &text.tokens {
        let (TokenFact::Has(token, field) | TokenFact::Missing(token, field)) = &fact.what;
        let its = machine.vocabulary.tokens.iter().find(|t| t.name == *token);
        let ty = its
            .and_then(|token| token.fields.iter().find(|f| f.name == *field))
            .map(|field| field.ty);
        let fits = match fact.what {
            TokenFact::Has(..) => ty.is_some(),
            TokenFact::Missing(..) => ty == Some(FieldType::OptionalText),
        };
        if !fits {
            let its = match ty {
                None => "there is no such field",
                Some(FieldType::OptionalText) => "it is missing",
                Some(_) => "it is empty",
            };
            let what = match fact.what {
                TokenFact::Has(..) => format!("{token} tokens have {field}"),
                TokenFact::Missing(..) => format!("the {field} of a new {token} token is missing"),
            };
            add("tokens", fact.line, what, its.to_owned());
        }
    }
}
