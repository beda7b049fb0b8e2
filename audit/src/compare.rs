//! Text against table, state by state: both run for every input that either tells from others, in every case
//! that either asks about. Inner states are found by what leads to them. Then what is said outside the states.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{FieldType, Machine, RegisterType};

use crate::evaluator::{Outcome, evaluate};
use crate::facts::{
    Action, Body, Guard, Located, OnEmit, RegisterFact, State, Step, Stream, Successor, TokenFact,
};
use crate::inputs::{Assignment, Event, Val, Var, domain, events};
use crate::model::Model;
use crate::report::{Finding, Kind};
use crate::wording;

/// What two states were found to be.
#[derive(Clone, Debug, Default)]
struct Pair {
    differences: Vec<Difference>,
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
    /// Which states were compared: of the text and of the table.
    pub(crate) fn names(&self) -> impl Iterator<Item = &(String, String)> {
        self.pairs.keys()
    }

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
pub(crate) fn compare_states(
    text: &Model<'_>,
    table: &Model<'_>,
    possible_words: &PossibleWords,
    cache: &mut PairCache,
    store: bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let entries = inner_entries(table);
    let usable = cache.entries == entries;
    if store {
        cache.entries = entries;
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
        let pair = match cache.pair(&names, its).filter(|_| usable) {
            Some(pair) => pair.clone(),
            None => {
                let pair = compare_pair(text, table, own, its, possible_words);
                if store {
                    cache.pairs.insert(names, (its.clone(), pair.clone()));
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
fn compare_pair(
    text: &Model<'_>,
    table: &Model<'_>,
    text_state: &State,
    table_state: &State,
    possible_words: &PossibleWords,
) -> Pair {
    let mut domain = domain(text, table, text_state, table_state);
    for (var, values) in possible_words.get(&text_state.name).into_iter().flatten() {
        domain.restrict(var, values);
    }
    let assignments = domain.assignments();
    let events = events(text_state, table_state, text, &domain);
    let mut pair = Pair::default();
    if text_state.inner && text_state.section != table_state.section {
        pair.differences.push(Difference {
            text: text_state.section.clone(),
            table: table_state.section.clone(),
            ..whole_state(Kind::Section, table_state, text_state.line)
        });
    }
    // How often arms of the two take the same input: a character elsewhere than most is in another set.
    let mut shared_inputs: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut different: Vec<(&Event, &Assignment, Outcome, Outcome)> = Vec::new();
    for event in &events {
        for assignment in &assignments {
            let table_outcome = evaluate(table, table_state, event, assignment);
            let mut text_outcome = evaluate(text, text_state, event, assignment);
            resolve_current_token(text, text_state, &mut text_outcome, &table_outcome);
            if let (Some((a, _)), Some((b, _)), Event::Char(_)) =
                (&text_outcome.arm, &table_outcome.arm, event)
            {
                *shared_inputs.entry((a.clone(), b.clone())).or_default() += 1;
            }
            if !corresponds(text, table, &text_outcome, &table_outcome, &mut pair.next) {
                different.push((event, assignment, text_outcome, table_outcome));
            }
        }
    }
    let branches = [text_state, table_state].map(|state| matches!(state.body, Body::Branch(..)));
    for (event, assignment, text_outcome, table_outcome) in different {
        // Where only one of them comes to an arm, the state's own condition differs.
        let another_case =
            branches.contains(&true) && text_outcome.arm.is_none() != table_outcome.arm.is_none();
        let kind = match is_in_another_set(event, &text_outcome, &table_outcome, &shared_inputs) {
            _ if another_case => Kind::Case,
            true => Kind::Set,
            false => classify(&text_outcome, &table_outcome),
        };
        let table_arm = table_outcome.arm.as_ref().map(|(label, _)| label.clone());
        let text_arm = text_outcome.arm.clone();
        let difference = Difference {
            kind,
            state: table_state.name.clone(),
            section: table_state.section.clone(),
            arm: match event {
                _ if another_case => None,
                Event::Enter => Some(wording::event(event)),
                _ => table_arm.or_else(|| Some("steps".to_owned())),
            },
            text_arm: match another_case {
                true => Some((text_state.name.clone(), text_state.line)),
                false => text_arm.or_else(|| Some((text_state.name.clone(), text_state.line))),
            },
            inputs: vec![wording::event(event)],
            case: wording::case(assignment),
            text: wording::trace(&text_outcome.trace),
            table: wording::trace(&table_outcome.trace),
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
fn resolve_current_token(
    text: &Model<'_>,
    text_state: &State,
    text_outcome: &mut Outcome,
    table_outcome: &Outcome,
) {
    for (action, table_action) in text_outcome
        .trace
        .actions
        .iter_mut()
        .zip(&table_outcome.trace.actions)
    {
        if let (Action::Emit(None), Action::Emit(Some(token))) = (&action, table_action)
            && text.may_be_current(&text_state.name, token)
        {
            action.clone_from(table_action);
        }
    }
}

/// Whether what was done is the same, if the inner states it leads to correspond.
fn corresponds(
    text: &Model<'_>,
    table: &Model<'_>,
    text_outcome: &Outcome,
    table_outcome: &Outcome,
    next: &mut Vec<(String, String)>,
) -> bool {
    let inner = |model: &Model<'_>, name: &str| model.state(name).is_some_and(|s| s.inner);
    if text_outcome.trace.actions != table_outcome.trace.actions
        || text_outcome.trace.consumed != table_outcome.trace.consumed
    {
        return false;
    }
    match (&text_outcome.trace.to, &table_outcome.trace.to) {
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
fn is_in_another_set(
    event: &Event,
    text_outcome: &Outcome,
    table_outcome: &Outcome,
    shared_inputs: &BTreeMap<(String, String), usize>,
) -> bool {
    let (Event::Char(_), Some((a, _)), Some((b, _))) =
        (event, &text_outcome.arm, &table_outcome.arm)
    else {
        return false;
    };
    let count = |a: &str, b: &str| shared_inputs.get(&(a.to_owned(), b.to_owned())).copied();
    let here = count(a, b).unwrap_or(0);
    let most_of = |pick: &dyn Fn(&(String, String)) -> bool| {
        shared_inputs
            .iter()
            .filter(|(k, _)| pick(k))
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(0)
    };
    here < most_of(&|(x, _)| x == a) || here < most_of(&|(_, y)| y == b)
}

fn classify(text_outcome: &Outcome, table_outcome: &Outcome) -> Kind {
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
    if errors(text_outcome) != errors(table_outcome) {
        Kind::Error
    } else if text_outcome.trace.actions != table_outcome.trace.actions
        && sorted(text_outcome) == sorted(table_outcome)
    {
        Kind::Order
    } else if others(text_outcome) != others(table_outcome) {
        Kind::Action
    } else if text_outcome.trace.to.as_ref().unwrap_or(&Successor::Stay)
        != table_outcome.trace.to.as_ref().unwrap_or(&Successor::Stay)
    {
        Kind::Target
    } else if text_outcome.trace.consumed != table_outcome.trace.consumed {
        Kind::Reconsume
    } else {
        Kind::Code
    }
}

/// Words that each variable can have in each state.
pub(crate) type PossibleWords = BTreeMap<String, BTreeMap<Var, BTreeSet<Val>>>;

/// Which words variables can have in each state of a text: those with which it is switched to.
pub(crate) fn possible_words(
    text: &Model<'_>,
    words: &BTreeMap<String, Vec<String>>,
) -> PossibleWords {
    let mut possible_words = PossibleWords::new();
    let Some(initial) = &text.facts.stream.initial else {
        return possible_words;
    };
    if words.is_empty() {
        return possible_words;
    }
    let all: BTreeMap<Var, BTreeSet<Val>> = words
        .iter()
        .map(|(register, words)| {
            let words = words.iter().cloned().map(Val::Word).collect();
            (Var::Word(register.clone()), words)
        })
        .collect();
    let mut todo = vec![initial.value.clone()];
    possible_words.insert(initial.value.clone(), all);
    while let Some(name) = todo.pop() {
        let Some(state) = text.state(&name) else {
            continue;
        };
        let here = possible_words.get(&name).cloned().unwrap_or_default();
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
                let at = possible_words.entry(to.clone()).or_default();
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
    possible_words
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
        let table_value = state.map(|state| state.name.clone()).unwrap_or_default();
        let (line, text_value) = match &text.initial {
            Some(initial) => (initial.line, initial.value.clone()),
            None => (0, "it does not say where the machine starts".to_owned()),
        };
        add("initial state", line, text_value, table_value);
    }
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let stream = &machine.preprocessing;
    let silent = text.drop_bom.is_none()
        && text.newlines.is_none()
        && text.replace.is_empty()
        && text.errors.is_empty();
    // What is not said is not done.
    let mut step = |what: &str, fact: &Option<Located<bool>>, table_value: bool| {
        if !silent {
            let (line, text_value) = fact
                .as_ref()
                .map_or((0, false), |fact| (fact.line, fact.value));
            let show = |on| format!("{what}: {}", yes(on));
            add("preprocessing", line, show(text_value), show(table_value));
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
        let text_value: Vec<_> = text.replace.iter().map(|fact| fact.value).collect();
        add(
            "preprocessing",
            line,
            replaced(&text_value),
            replaced(&stream.replace),
        );
        let text_value = by_code(
            text.errors
                .iter()
                .map(|fact| (&fact.value.0, fact.value.1.as_str())),
        );
        let table_value = by_code(
            stream
                .errors
                .iter()
                .map(|(set, code)| (set, machine.errors[code.0 as usize].as_str())),
        );
        for code in text_value
            .keys()
            .chain(table_value.keys())
            .collect::<BTreeSet<_>>()
        {
            let of = |model: &BTreeMap<&str, CharSet>| {
                let set = model.get(code).cloned().unwrap_or_default();
                format!("{code}: {set}")
            };
            add("preprocessing", line, of(&text_value), of(&table_value));
        }
    }
    if !text.replacements.is_empty() {
        let text_value: BTreeMap<u32, (u32, usize)> = text
            .replacements
            .iter()
            .map(|fact| (fact.value.0, (fact.value.1, fact.line)))
            .collect();
        let table_value: BTreeMap<u32, u32> = machine.replacements.iter().copied().collect();
        for number in text_value
            .keys()
            .chain(table_value.keys())
            .collect::<BTreeSet<_>>()
        {
            let row = |to: Option<u32>| match to {
                Some(to) => format!("{number:#04X}: U+{to:04X}"),
                None => format!("{number:#04X}: no row"),
            };
            let line = text_value.get(number).map_or(0, |(_, line)| *line);
            let (text_value, table_value) = (
                text_value.get(number).map(|o| o.0),
                table_value.get(number).copied(),
            );
            add(
                "numeric replacements",
                line,
                row(text_value),
                row(table_value),
            );
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
    let text_value: BTreeMap<&str, usize> = text
        .codes
        .iter()
        .map(|fact| (fact.value.as_str(), fact.line))
        .collect();
    let named = machine.errors.iter().map(String::as_str);
    let table_value: BTreeSet<&str> = named
        .filter(|code| *code != crate::facts::UNNAMED)
        .collect();
    for code in text_value
        .keys()
        .copied()
        .chain(table_value.iter().copied())
        .collect::<BTreeSet<_>>()
    {
        let has = |has: bool| match has {
            true => code.to_owned(),
            false => format!("no {code}"),
        };
        let line = text_value.get(code).copied().unwrap_or(0);
        add(
            "error codes",
            line,
            has(text_value.contains_key(code)),
            has(table_value.contains(code)),
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
    let table_value: Vec<&OnEmit> = table.on_emit.iter().map(|fact| &fact.value).collect();
    for fact in &text.on_emit {
        if !table_value.contains(&&fact.value) {
            add(
                "on emitting",
                fact.line,
                show(&fact.value),
                "nothing".to_owned(),
            );
        }
    }
    for on in table_value {
        if !text.on_emit.iter().any(|fact| fact.value == *on) {
            add("on emitting", 0, "nothing".to_owned(), show(on));
        }
    }
}

/// Words of variables.
fn words(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for fact in &text.words {
        let (RegisterFact::Values(name, _) | RegisterFact::Initial(name, _)) = &fact.value;
        let register = machine
            .registers
            .iter()
            .find(|register| register.name == *name);
        let table_value = match register.map(|register| &register.ty) {
            Some(RegisterType::Finite(words)) => words.clone(),
            _ => Vec::new(),
        };
        let (text_value, table_value) = match &fact.value {
            RegisterFact::Values(_, words) => {
                let sorted = |words: &[String]| words.iter().cloned().collect::<BTreeSet<_>>();
                (
                    format!("{:?}", sorted(words)),
                    format!("{:?}", sorted(&table_value)),
                )
            }
            RegisterFact::Initial(_, word) => (
                format!("{word} at first"),
                format!("{} at first", table_value.first().map_or("", |w| w)),
            ),
        };
        add(
            "registers",
            fact.line,
            format!("{name}: {text_value}"),
            format!("{name}: {table_value}"),
        );
    }
}

fn tokens(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for fact in &text.tokens {
        let (TokenFact::Has(token, field) | TokenFact::Missing(token, field)) = &fact.value;
        let table_value = machine.vocabulary.tokens.iter().find(|t| t.name == *token);
        let ty = table_value
            .and_then(|token| token.fields.iter().find(|f| f.name == *field))
            .map(|field| field.ty);
        let fits = match fact.value {
            TokenFact::Has(..) => ty.is_some(),
            TokenFact::Missing(..) => ty == Some(FieldType::OptionalText),
        };
        if !fits {
            let table_value = match ty {
                None => "there is no such field",
                Some(FieldType::OptionalText) => "it is missing",
                Some(_) => "it is empty",
            };
            let what = match fact.value {
                TokenFact::Has(..) => format!("{token} tokens have {field}"),
                TokenFact::Missing(..) => format!("the {field} of a new {token} token is missing"),
            };
            add("tokens", fact.line, what, table_value.to_owned());
        }
    }
}
