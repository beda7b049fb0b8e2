//! From text to machine: the passes in order.

use super::check::{Places, check};
use super::extend::{extend, refuse_changes};
use super::hosts;
use super::limits;
use super::machine::{BlockId, BodyId, TreeMachine};
use super::phrase::looks_like_a_phrase;
use super::verify::verify;
use super::vocabulary::Vocabulary;
use super::written::{self, Table};
use crate::diagnostic::{Code, Faults, Report, Source};
use crate::load::Language;
use crate::lookups::Resolve;
use crate::read::{Yaml, read};
use crate::written::{Erratum, Text, lacks_its_base};

/// A tree construction table that is free of faults.
#[derive(Clone, Debug)]
pub struct LoadedTree {
    /// What it lowers to.
    pub machine: TreeMachine,
    /// How many insertion modes it has. "Foreign content" is none.
    pub insertion_modes: usize,
    /// How many arms it has as written, those of its bases included.
    pub arms: usize,
    /// Warnings only; perhaps none.
    pub warnings: Report,
    /// Where the text is ambiguous or has a slip.
    pub errata: Vec<TreeErratum>,
    /// All texts that were read: the table first, then its bases.
    pub sources: Vec<Source>,
    /// Where the bodies are written, by their numbers.
    places: Vec<Places>,
}

impl LoadedTree {
    /// A report of steps that run for ever, by the number of their body and of a block in it. `message` says with which token.
    pub fn endless(&self, (body, block): (BodyId, BlockId), message: &str) -> Report {
        let mut faults = Faults::default();
        let span = self.places.get(body).map(|places| {
            let block = places.blocks.get(block);
            block.map_or(places.whole, |(steps, exit)| {
                steps.first().copied().unwrap_or(*exit)
            })
        });
        faults
            .add(Code::EndlessLoop, span.unwrap_or_default(), message)
            .label("they come back to here")
            .help("a loop, and rules that hand a token on, must come to an end for every tree");
        faults.report(self.sources.clone())
    }
}

/// A remark on a place where the text is ambiguous or has a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeErratum {
    /// The insertion mode; `None` when it concerns the table.
    pub mode: Option<String>,
    /// The key of an arm, what an insertion mode is called, a top-level key, a phrase or a procedure.
    pub key: String,
    /// What is written.
    pub says: String,
    /// What the table does.
    pub does: String,
    /// Why.
    pub why: String,
}

/// Looks up the vocabulary of a tokenizer table by its name.
type Vocabularies<'r> = dyn Fn(&str) -> Option<Vocabulary> + 'r;

/// Loads a tree construction table: reads, extends and checks it. All faults are reported at once.
///
/// `resolve` finds the table that `extends` names, `vocabularies` the tokens of the one that `tokenizer`
/// names.
///
/// # Errors
///
/// A report of everything that is wrong.
pub fn load(
    source: Source,
    resolve: &Resolve<'_>,
    vocabularies: &Vocabularies<'_>,
) -> Result<LoadedTree, Report> {
    let mut faults = Faults::default();
    let mut sources = vec![source];
    let language = Language {
        example: written::example,
        is_phrase: looks_like_a_phrase,
        table: written::table,
        base: |table: &Table| table.extends.as_ref(),
        extend,
    };
    let Some(table) = language.read(&mut sources, resolve, &mut faults) else {
        return Err(faults.report(sources));
    };
    refuse_changes(&table, &mut faults);
    let is_whole = sources.len() > 1 || table.initial.is_some();
    if lacks_its_base(is_whole, table.at, &mut faults) {
        return Err(faults.report(sources));
    }
    let before = faults.any_error();
    limits::check(&table, &mut faults);
    if faults.any_error() && !before {
        return Err(faults.report(sources));
    }
    let checked = check(&table, vocabularies, &mut faults);
    if !faults.any_error() {
        verify(&table, &checked, &mut faults);
    }
    if faults.any_error() {
        return Err(faults.report(sources));
    }
    hosts::note(&table, &mut faults);
    Ok(LoadedTree {
        machine: checked.machine,
        insertion_modes: table.modes.len(),
        arms: table.rules().map(|mode| mode.arms.len()).sum(),
        warnings: faults.report(sources.clone()),
        errata: errata(&table),
        sources,
        places: checked.places,
    })
}

/// Whether a text is a tree construction table rather than of states, as far as one can tell.
pub fn is_tree(text: &str) -> bool {
    top(text, "tree").is_some()
}

/// Whether a text is a table of states, as far as one can tell.
pub fn is_tokenizer(text: &str) -> bool {
    top(text, "table").is_some()
}

/// The name of the tokenizer's table that a tree construction table gives.
pub fn tokenizer(text: &str) -> Option<String> {
    top(text, "tokenizer")
}

/// The text of a top-level key, also if YAML refuses other lines.
fn top(text: &str, key: &str) -> Option<String> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let Some(node) = read(0, text).node else {
        let is_key =
            |line: &str| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim().to_owned());
        return text.lines().find_map(is_key);
    };
    let Yaml::Map(entries) = node.value else {
        return None;
    };
    entries
        .into_iter()
        .find_map(|(name, value)| match (name.value, value.value) {
            (Yaml::Text(name), Yaml::Text(value)) if name == key => Some(value),
            _ => None,
        })
}

fn errata(table: &Table) -> Vec<TreeErratum> {
    let text = |text: &Option<Text>| text.as_ref().map(|t| t.text.clone()).unwrap_or_default();
    let one = |mode: Option<&Text>, key: &Text, erratum: &Erratum| TreeErratum {
        mode: mode.map(|mode| mode.text.clone()),
        key: key.text.clone(),
        says: text(&erratum.says),
        does: text(&erratum.does),
        why: text(&erratum.why),
    };
    let of_table = table.errata.iter().map(|(key, e)| one(None, key, e));
    let of_modes = table.rules().flat_map(|mode| {
        let errata = mode.errata.iter();
        errata.map(move |(key, e)| one(Some(&mode.name), key, e))
    });
    of_table.chain(of_modes).collect()
}
