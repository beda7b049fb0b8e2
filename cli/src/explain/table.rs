//! What a table says of its parse errors and states.

use speclex_codegen::{closest, escape, machine::Machine};

use crate::Failure;
use crate::source::Spec;

/// The table that is meant if none is named.
const DEFAULT: &str = "html-living";

/// What a table has of a word.
#[derive(Debug, Default)]
pub(super) struct InTable {
    /// What it says.
    pub(super) texts: Vec<String>,
    /// If it says nothing: the parse error or state with the nearest name.
    pub(super) similar: Option<String>,
    /// If it says nothing: a command that explains the word by another shipped table.
    pub(super) elsewhere: Option<String>,
}

/// What the table says of a word: a code as `tokenize` prints it, perhaps with `error` before it, or a state's name, perhaps with
/// `state` behind it.
pub(super) fn look_up(spec: Option<&str>, words: &str) -> Result<InTable, Failure> {
    let words = words.trim();
    let spec = Spec::parse(spec.unwrap_or(DEFAULT))?;
    let machine = spec.load()?.machine;
    let texts = texts(&machine, words);
    if !texts.is_empty() {
        return Ok(InTable {
            texts,
            ..InTable::default()
        });
    }
    let elsewhere = speclex_tables::all().iter().find_map(|table| {
        let machine = Spec::Shipped(table).load().ok()?.machine;
        let found = error(&machine, words).is_some() || state(&machine, words).is_some();
        let command = |word| format!("speclex explain {word} --spec {}", table.name);
        found.then(|| command(escape::shell_word(words)))
    });
    let states = machine.states.iter().map(|state| state.origin.as_str());
    let names = machine.errors.iter().map(String::as_str).chain(states);
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
