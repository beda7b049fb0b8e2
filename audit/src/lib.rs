//! A table against the text it was made from.
//!
//! The text is read on its own: its sentences become `facts` by patterns of words, without a look at the
//! table. The machine becomes facts of the same form. Then both run, state by state, for every input and
//! case that either tells from others (`compare`). The table's errata say where something else is to be
//! read than is written; its remarks say which sentences no table can hold, and why.
//!
//! No features.

mod arm_line;
mod clauses;
mod compare;
mod conditions;
mod cursor;
mod document;
mod evaluator;
mod facts;
mod inputs;
mod layout_arms;
mod layout_html;
mod layout_prose;
mod machine;
mod model;
mod quote;
mod read;
mod references;
mod report;
mod sentences;
mod states;
mod stream;
#[doc(hidden)]
pub mod testing;
mod wording;
mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;

use speclex_analysis::engine::Engine;
use speclex_codegen::Loaded;
use speclex_codegen::machine::Machine;

use crate::compare::{Difference, PairCache, PossibleWords};
use crate::facts::{Action, Facts, Step};
use crate::model::{Model, Vocabulary};

pub use crate::quote::quotations;
pub use crate::read::Layout;
pub use crate::report::{Finding, Kind, Report};

/// A text that was read, ready to be compared with machines.
#[derive(Debug)]
pub struct Audit<'l> {
    loaded: &'l Loaded,
    name: String,
    /// The text as it is.
    written: String,
    text: read::ReadText,
    vocabulary: Vocabulary,
    possible_words: PossibleWords,
    cache: RefCell<PairCache>,
}

impl<'l> Audit<'l> {
    /// Reads a text. `html` tokenizes a text in HTML; any HTML tokenizer will do.
    ///
    /// # Errors
    /// When the text has no states, or those of something else.
    pub fn new(
        loaded: &'l Loaded,
        name: &str,
        text: &str,
        html: &mut dyn Engine,
    ) -> Result<Self, String> {
        let table = machine::facts(&loaded.machine);
        let written = text.to_owned();
        let text = read::read(loaded, &table, text, html)?;
        refuse_unrelated(&text.facts, &table)?;
        let vocabulary = Vocabulary::of(&loaded.machine);
        let possible_words = {
            let model = text_model(&text.facts, &vocabulary);
            compare::possible_words(&model, &machine::finite_values(&loaded.machine))
        };
        let audit = Self {
            loaded,
            name: name.to_owned(),
            written,
            text,
            vocabulary,
            possible_words,
            cache: RefCell::default(),
        };
        audit.differences(&loaded.machine, &table, true);
        Ok(audit)
    }

    /// Compares the table that the audit is of.
    pub fn report(&self) -> Report {
        self.report_on(&self.loaded.machine)
    }

    /// Compares a machine: that of the table, or one like it.
    pub fn report_on(&self, machine: &Machine) -> Report {
        let sources = &self.loaded.sources;
        let facts = &self.text.facts;
        let part = self.text.layout != Layout::Prose && facts.stream.tokens.is_empty();
        let mut findings: Vec<Finding> = self.text.findings.clone();
        let table = machine::facts(machine);
        let differences = self.differences(machine, &table, false);
        findings.extend(
            differences
                .into_iter()
                .map(|difference| self.finding(difference)),
        );
        for mut finding in compare::compare_streams(&facts.stream, &table.stream, machine, part) {
            let place = report::line_of_key(sources, &finding.kind);
            (finding.file, finding.line) = place.unzip();
            findings.push(finding);
        }
        let inner = facts.states.iter().any(|state| state.inner);
        let named = facts.states.iter().filter(|state| !state.inner).count();
        Report {
            table: machine.name.clone(),
            text: self.name.clone(),
            layout: self.text.layout.name(),
            states: named + usize::from(inner),
            arms: facts.states.iter().map(|state| state.body.arms()).sum(),
            sentences: self.text.sentences,
            remarks: self.text.remarks,
            errata: self.loaded.errata.len(),
            applied: self.text.applied,
            unread: self.text.unread.clone(),
            findings,
        }
    }

    fn differences(&self, machine: &Machine, table: &Facts, store: bool) -> Vec<Difference> {
        let text = text_model(&self.text.facts, &self.vocabulary);
        let table = Model::new(table, &self.vocabulary)
            .with_replacements(machine.replacements.iter().copied())
            .with_tracked(tracked(&self.text.facts));
        let mut cache = self.cache.borrow_mut();
        compare::compare_states(&text, &table, &self.possible_words, &mut cache, store)
    }

    fn finding(&self, difference: Difference) -> Finding {
        let place = report::line_of_arm(
            &self.loaded.sources,
            &difference.state,
            difference.arm.as_deref(),
        );
        let (file, line) = place.unzip();
        let nothing = difference.text.is_empty() && difference.table.is_empty();
        Finding {
            kind: difference.kind.wording().to_owned(),
            state: Some(difference.state),
            section: Some(difference.section),
            arm: difference.arm,
            file,
            line,
            text_line: difference.text_arm.map(|(_, line)| line),
            inputs: difference.inputs,
            case: Some(difference.case).filter(|_| !nothing),
            text: difference.text,
            table: difference.table,
        }
    }
}

/// A text and a table that have little in common are not of the same thing.
fn refuse_unrelated(text: &Facts, table: &Facts) -> Result<(), String> {
    let names = |facts: &Facts| -> BTreeSet<String> {
        let own = facts.states.iter().filter(|state| !state.inner);
        own.map(|state| state.name.clone()).collect()
    };
    let (text, table) = (names(text), names(table));
    let both = text.intersection(&table).count();
    if both * 2 >= text.len().min(table.len()) {
        return Ok(());
    }
    Err(format!(
        "of its {} states the table has {both}: it is the text of something else",
        text.len()
    ))
}

/// The model of the text.
fn text_model<'f>(facts: &'f Facts, vocabulary: &'f Vocabulary) -> Model<'f> {
    let stream = &facts.stream;
    Model::new(facts, vocabulary)
        .with_replaced(stream.replace.iter().map(|fact| fact.value))
        .with_replacements(stream.replacements.iter().map(|fact| fact.value))
        .with_tracked(tracked(facts))
}

/// Numbers that the text sets to fixed values.
fn tracked(facts: &Facts) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for state in facts.states.iter().filter(|state| !state.inner) {
        state.steps(&mut |step| {
            if let Step::Do(Action::SetNumber(register, _)) = step {
                found.insert(register.clone());
            }
        });
    }
    found
}
