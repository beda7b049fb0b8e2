//! What is said outside the states, against the machine.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{FieldType, Machine, RegisterType};

use super::facts::{Cond, OnEmit, Said, Stream, TokenFact, Words};
use super::report::Finding;
use super::show;

/// Compares. Texts hold more or fewer of the sections around the states: one that says something of tokens
/// says what happens when they are emitted, and one that says something of the input stream says all. All but
/// a `part` of a page say where the machine starts.
pub(crate) fn compare(
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
    let mut step = |what: &str, said: &Option<Said<bool>>, its: bool| {
        if !silent {
            let (line, own) = said
                .as_ref()
                .map_or((0, false), |said| (said.line, said.what));
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
        let line = text.errors.first().map_or(0, |said| said.line);
        let replaced = |pairs: &[(char, char)]| format!("replaced: {pairs:?}");
        let own: Vec<_> = text.replace.iter().map(|said| said.what).collect();
        add(
            "preprocessing",
            line,
            replaced(&own),
            replaced(&stream.replace),
        );
        let own = by_code(
            text.errors
                .iter()
                .map(|said| (&said.what.0, said.what.1.as_str())),
        );
        let its = by_code(
            stream
                .errors
                .iter()
                .map(|(set, code)| (set, machine.errors[code.0 as usize].as_str())),
        );
        for code in own.keys().chain(its.keys()).collect::<BTreeSet<_>>() {
            let of = |side: &BTreeMap<&str, CharSet>| {
                let set = side.get(code).cloned().unwrap_or_default();
                format!("{code}: {set}")
            };
            add("preprocessing", line, of(&own), of(&its));
        }
    }
    if !text.replacements.is_empty() {
        let own: BTreeMap<u32, (u32, usize)> = text
            .replacements
            .iter()
            .map(|said| (said.what.0, (said.what.1, said.line)))
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
        .map(|said| (said.what.as_str(), said.line))
        .collect();
    let named = machine.errors.iter().map(String::as_str);
    let its: BTreeSet<&str> = named
        .filter(|code| *code != super::steps::UNNAMED)
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
            Some(Cond::HasAttributes) => " with attributes".to_owned(),
            Some(Cond::FlagIs(flag)) => format!(" with its {flag} set"),
            Some(other) => format!(" in the case {other:?}"),
        };
        format!("{}{guard}: {}", on.kind, show::act(&on.act))
    };
    let its: Vec<&OnEmit> = table.on_emit.iter().map(|said| &said.what).collect();
    for said in &text.on_emit {
        if !its.contains(&&said.what) {
            add(
                "on emitting",
                said.line,
                show(&said.what),
                "nothing".to_owned(),
            );
        }
    }
    for on in its {
        if !text.on_emit.iter().any(|said| said.what == *on) {
            add("on emitting", 0, "nothing".to_owned(), show(on));
        }
    }
}

/// Words of variables.
fn words(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for said in &text.words {
        let (Words::Are(name, _) | Words::Begin(name, _)) = &said.what;
        let register = machine
            .registers
            .iter()
            .find(|register| register.name == *name);
        let its = match register.map(|register| &register.ty) {
            Some(RegisterType::Finite(words)) => words.clone(),
            _ => Vec::new(),
        };
        let (own, its) = match &said.what {
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
            said.line,
            format!("{name}: {own}"),
            format!("{name}: {its}"),
        );
    }
}

fn tokens(text: &Stream, machine: &Machine, add: &mut Add<'_>) {
    for said in &text.tokens {
        let (TokenFact::Has(token, field) | TokenFact::Missing(token, field)) = &said.what;
        let its = machine.vocabulary.tokens.iter().find(|t| t.name == *token);
        let ty = its
            .and_then(|token| token.fields.iter().find(|f| f.name == *field))
            .map(|field| field.ty);
        let fits = match said.what {
            TokenFact::Has(..) => ty.is_some(),
            TokenFact::Missing(..) => ty == Some(FieldType::OptionalText),
        };
        if !fits {
            let its = match ty {
                None => "there is no such field",
                Some(FieldType::OptionalText) => "it is missing",
                Some(_) => "it is empty",
            };
            let what = match said.what {
                TokenFact::Has(..) => format!("{token} tokens have {field}"),
                TokenFact::Missing(..) => format!("the {field} of a new {token} token is missing"),
            };
            add("tokens", said.line, what, its.to_owned());
        }
    }
}
