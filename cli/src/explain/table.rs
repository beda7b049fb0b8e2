//! What tables say of their parse errors and states, and of their insertion modes.

use speclex_codegen::{Either, closest, escape, machine::Machine};

use super::tree;
use crate::Failure;
use crate::tree_source;

/// The tables that are meant if none is named.
const DEFAULT: [&str; 2] = ["html-living", "html-tree-living"];

/// What a table has of a word.
#[derive(Debug, Default)]
pub(super) struct InTable {
    /// What it says.
    pub(super) texts: Vec<String>,
    /// If it says nothing: the nearest name of what is in it.
    pub(super) similar: Option<String>,
    /// If it says nothing: a command that explains the word by another shipped table.
    pub(super) elsewhere: Option<String>,
}

fn texts_of(table: &Either, words: &str) -> Vec<String> {
    match table {
        Either::States(found) => texts(&found.loaded.machine, words),
        Either::Tree(found) => tree::texts(&found.tree.machine, words),
    }
}

fn names_of(table: &Either) -> Vec<&str> {
    match table {
        Either::States(found) => {
            let machine = &found.loaded.machine;
            let states = machine.states.iter();
            let states = states.map(|state| state.origin.as_str());
            let errors = machine.errors.iter().map(String::as_str);
            errors.chain(states).collect()
        }
        Either::Tree(found) => tree::names(&found.tree.machine).collect(),
    }
}

/// What the table says of a word, or else those of HTML: a code as `tokenize` prints it, perhaps with `error` before it; a state's
/// name, perhaps followed by `state`; an insertion mode, the key of an arm, a procedure.
pub(super) fn look_up(spec: Option<&str>, words: &str) -> Result<InTable, Failure> {
    let words = words.trim();
    let asked: Vec<&str> = spec.map_or(DEFAULT.to_vec(), |spec| vec![spec]);
    let tables = asked.iter().map(|word| tree_source::load(word));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<_> = tables.iter().flat_map(|it| texts_of(it, words)).collect();
    if !texts.is_empty() {
        return Ok(InTable {
            texts,
            ..InTable::default()
        });
    }
    let mut others = speclex_tables::all().iter().chain(speclex_tables::trees());
    let elsewhere = others.find_map(|table| {
        let found = !texts_of(&tree_source::load(table.name).ok()?, words).is_empty();
        let command = |word| format!("speclex explain {word} --spec {}", table.name);
        found.then(|| command(escape::shell_word(words)))
    });
    let names = tables.iter().flat_map(names_of);
    Ok(InTable {
        similar: closest(words, names).map(str::to_owned),
        elsewhere,
        ..InTable::default()
    })
}

/// The error and the state of this name.
fn texts(machine: &Machine, words: &str) -> Vec<String> {
    let error = error(machine, words).map(|code| of_error(machine, code));
    let state = state(machine, words).map(|name| of_state(machine, name));
    error.into_iter().chain(state).collect()
}

fn error<'m>(machine: &'m Machine, words: &str) -> Option<&'m str> {
    let code = words.strip_prefix("error ").unwrap_or(words).trim();
    let mut codes = machine.errors.iter().map(String::as_str);
    codes.find(|known| known.eq_ignore_ascii_case(code))
}

/// A state by its name in the table or, if lowering split it, by that of a part.
fn state<'m>(machine: &'m Machine, words: &str) -> Option<&'m str> {
    let heading = words.strip_suffix(" state").unwrap_or(words);
    let named = |wanted: &str| {
        let names = |state: &'m speclex_codegen::machine::State| [&state.origin, &state.name];
        let mut names = machine.states.iter().flat_map(names);
        names.find(|name| name.eq_ignore_ascii_case(wanted))
    };
    named(words).or_else(|| named(heading)).map(String::as_str)
}

fn of_error(machine: &Machine, code: &str) -> String {
    let explanations = &machine.explanations;
    let of = |all: &[(String, String)]| {
        let found = all.iter().find(|(known, _)| known == code);
        found.map(|(_, text)| text.clone())
    };
    let template = |link: &String| link.replace("CODE", code);
    let link = of(&explanations.links).or_else(|| explanations.link.as_ref().map(template));
    let sentence = of(&explanations.sentences);
    let sentence = sentence.unwrap_or_else(|| "The table does not explain it.".to_owned());
    let mut text = format!("{code} (parse error of {})\n  {sentence}\n", machine.name);
    if let Some(link) = link {
        text += &format!("  {link}\n");
    }
    text
}

#[cfg(not(feature = "analysis"))]
fn of_state(_: &Machine, name: &str) -> String {
    format!("{name} (state)\n  This build of the command does not list arms.\n")
}

#[cfg(feature = "analysis")]
fn of_state(machine: &Machine, name: &str) -> String {
    let mut text = String::new();
    for arms in speclex_analysis::graph::arms(machine, name) {
        text += &format!("{} (state of {})\n", arms.state, machine.name);
        if !arms.section.is_empty() {
            text += &format!("  Section {}\n", arms.section);
        }
        for path in arms.paths {
            text += &format!("  {path}\n");
        }
    }
    text
}
