//! A table, as a page shows it.

use serde::Serialize;
use speclex_analysis::graph::{self, Arms};
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::{Either, Source};

use crate::case::Table;
use crate::library::{Library, Refused};

/// What is read of a table.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What a rule is called: `state`, `insertion mode`, `phase`.
    pub called: String,
    /// The table of its tokenizer; none for one of a tokenizer.
    pub tokenizer: Option<String>,
    /// File names and texts: the table first, then what it extends.
    pub sources: Vec<(String, String)>,
    /// States or insertion modes.
    pub rules: Vec<Rules>,
    /// Error codes.
    pub errors: Vec<ErrorCode>,
    /// Named character references.
    pub references: Vec<(String, String)>,
}

/// A state or an insertion mode.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rules {
    /// Its name.
    pub name: String,
    /// The section of the text; may be empty.
    pub section: String,
    /// The address of the section, where it stays at one.
    pub address: Option<String>,
    /// What can start in it.
    pub entries: Vec<String>,
    /// Its arms, each with its lines.
    pub arms: Vec<(String, Vec<String>)>,
    /// The rules to which it leads.
    pub leads_to: Vec<String>,
}

/// A parse error.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorCode {
    /// Its code.
    pub code: String,
    /// The sentence of the table; may be empty.
    pub sentence: String,
    /// Where the text explains it.
    pub link: Option<String>,
}

/// Reads a table.
pub(crate) fn contents(library: &Library, table: &Table) -> Result<Contents, Refused> {
    Ok(match &*library.load(table)? {
        Either::States(found) => {
            let machine = &found.loaded.machine;
            Contents {
                name: machine.name.clone(),
                title: machine.title.clone(),
                called: "state".to_owned(),
                tokenizer: None,
                sources: texts(&found.loaded.sources),
                rules: graph::states(machine)
                    .into_iter()
                    .map(|it| rules(&machine.name, it))
                    .collect(),
                errors: errors(machine),
                references: machine.references.clone(),
            }
        }
        Either::Tree(found) => {
            let machine = &found.tree.machine;
            Contents {
                name: machine.name.clone(),
                title: machine.title.clone(),
                called: machine.called.clone(),
                tokenizer: Some(machine.tokenizer.clone()),
                sources: texts(&found.tree.sources),
                rules: modes(machine),
                errors: Vec::new(),
                references: Vec::new(),
            }
        }
    })
}

fn texts(sources: &[Source]) -> Vec<(String, String)> {
    let text = |source: &Source| (source.name.clone(), source.text.clone());
    sources.iter().map(text).collect()
}

fn rules(table: &str, arms: Arms) -> Rules {
    Rules {
        address: speclex_tables::address(table, &arms.section, &arms.state),
        name: arms.state,
        section: arms.section,
        entries: arms.entries,
        arms: arms
            .paths
            .into_iter()
            .map(|path| (path, Vec::new()))
            .collect(),
        leads_to: arms.leads_to,
    }
}

/// The arms of insertion modes in the table's own words, which read better than one line for each.
fn modes(machine: &TreeMachine) -> Vec<Rules> {
    let drawn = graph::insertion_modes(machine).into_iter();
    let with_lines = drawn.zip(&machine.modes).map(|(drawn, mode)| {
        let arms = mode.arms.iter().map(|arm| {
            let key = arm.key.split_whitespace().collect::<Vec<_>>().join(" ");
            (key, machine.bodies[arm.body].lines.clone())
        });
        Rules {
            arms: arms.collect(),
            ..rules(&machine.name, drawn)
        }
    });
    with_lines.collect()
}

fn errors(machine: &Machine) -> Vec<ErrorCode> {
    let explained = &machine.explanations;
    let of = |all: &[(String, String)], code: &str| {
        let found = all.iter().find(|(known, _)| known == code);
        found.map(|(_, text)| text.clone())
    };
    let error = |code: &String| ErrorCode {
        sentence: of(&explained.sentences, code).unwrap_or_default(),
        link: of(&explained.links, code).or_else(|| {
            explained
                .link
                .as_ref()
                .map(|link| link.replace("CODE", code))
        }),
        code: code.clone(),
    };
    machine.errors.iter().map(error).collect()
}

/// The Rust module that is generated from a table.
pub(crate) fn rust(library: &Library, table: &Table) -> Result<String, Refused> {
    let either = library.load(table)?;
    let module = either.module(&Paths::default()).map_err(Refused::Other)?;
    emit::file(module, &either.header("speclex gen"))
        .map_err(|error| Refused::Other(format!("The generated Rust cannot be laid out: {error}.")))
}
