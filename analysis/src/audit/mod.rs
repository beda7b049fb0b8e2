//! A table against the text it was made from.
//!
//! The text is read on its own: its sentences become `facts` by patterns of words, without a look at the
//! table. The machine becomes facts of the same form. Then both run, state by state, for every input and
//! case that either tells from others (`compare`). The table's errata say where something else is to be
//! read than is written; its remarks say which sentences no table can hold, and why.

mod arms_actions;
mod arms_input;
mod arms_terms;
mod characters;
mod compare;
mod compare_stream;
mod conditions;
mod cursor;
mod difference;
mod document;
mod errata;
mod facts;
mod flow;
mod inputs;
mod machine;
mod machine_steps;
mod place;
mod possible;
mod read;
mod reference;
mod reference_named;
mod report;
mod resolve;
mod run;
mod scan;
mod show;
mod side;
mod states;
mod states_arms;
mod steps;
mod steps_writes;
mod stream;
mod text_arms;
mod text_html;
mod text_prose;
mod trace;
mod twice;
mod values;
mod variables;
mod words;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::Loaded;
use speclex_codegen::machine::{Machine, RegisterType};

use self::compare::Known;
use self::difference::Difference;
use self::facts::{Act, Facts, Step};
use self::possible::Possible;
use self::side::{Side, Vocabulary};

pub use self::difference::Kind;
pub use self::read::Layout;
pub use self::report::{Finding, Report};
use crate::engine::Engine;

/// A text that was read, ready to be compared with machines.
#[derive(Debug)]
pub struct Audit<'l> {
    loaded: &'l Loaded,
    name: String,
    text: read::Read,
    vocabulary: Vocabulary,
    possible: Possible,
    known: RefCell<Known>,
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
        let mut text = read::read(loaded, text, html)?;
        resolve::rename(&mut text.facts, &table);
        another(&text.facts, &table)?;
        resolve::in_attribute(&mut text.facts);
        text.findings.extend(twice::find(&text.facts));
        let vocabulary = Vocabulary::of(&loaded.machine);
        let possible = {
            let side = text_side(&text.facts, &vocabulary);
            possible::possible(&side, &words(&loaded.machine))
        };
        let audit = Self {
            loaded,
            name: name.to_owned(),
            text,
            vocabulary,
            possible,
            known: RefCell::default(),
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
        findings.extend(differences.into_iter().map(|one| self.finding(one)));
        for mut finding in compare_stream::compare(&facts.stream, &table.stream, machine, part) {
            let place = place::top(sources, &finding.kind);
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

    fn differences(&self, machine: &Machine, table: &Facts, learn: bool) -> Vec<Difference> {
        let text = text_side(&self.text.facts, &self.vocabulary);
        let table = Side::new(table, &self.vocabulary)
            .with_replacements(machine.replacements.iter().copied())
            .with_tracked(tracked(&self.text.facts));
        let mut known = self.known.borrow_mut();
        compare::compare(&text, &table, &self.possible, &mut known, learn)
    }

    fn finding(&self, one: Difference) -> Finding {
        let place = place::place(&self.loaded.sources, &one.state, one.arm.as_deref());
        let (file, line) = place.unzip();
        let nothing = one.text.is_empty() && one.table.is_empty();
        let kind = match one.kind {
            Kind::MissingState => "the text has this state, the table has not",
            Kind::ExtraState => "the table has this state, the text has not",
            Kind::Section => "another section number",
            Kind::Set => "another set of characters",
            Kind::Target => "another successor",
            Kind::Reconsume => "consumes something else",
            Kind::Error => "a parse error more or less",
            Kind::Code => "another error code",
            Kind::Action => "another action",
            Kind::Order => "another order of actions",
            Kind::Case => "another condition of the state",
        };
        Finding {
            kind: kind.to_owned(),
            state: Some(one.state),
            section: Some(one.section),
            arm: one.arm,
            file,
            line,
            text_line: one.text_arm.map(|(_, line)| line),
            inputs: one.inputs,
            case: Some(one.case).filter(|_| !nothing),
            text: one.text,
            table: one.table,
        }
    }
}

/// A text and a table that have little in common are not of the same thing.
fn another(text: &Facts, table: &Facts) -> Result<(), String> {
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

/// The text's side.
fn text_side<'f>(facts: &'f Facts, vocabulary: &'f Vocabulary) -> Side<'f> {
    let stream = &facts.stream;
    Side::new(facts, vocabulary)
        .with_replaced(stream.replace.iter().map(|said| said.what))
        .with_replacements(stream.replacements.iter().map(|said| said.what))
        .with_tracked(tracked(facts))
}

/// Numbers that the text sets to fixed values.
fn tracked(facts: &Facts) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for state in facts.states.iter().filter(|state| !state.inner) {
        state.steps(&mut |step| {
            if let Step::Do(Act::SetNumber(register, _)) = step {
                found.insert(register.clone());
            }
        });
    }
    found
}

/// The words of each variable that has words.
fn words(machine: &Machine) -> BTreeMap<String, Vec<String>> {
    let registers = machine.registers.iter();
    registers
        .filter_map(|register| match &register.ty {
            RegisterType::Finite(words) if !register.name.starts_with("call of ") => {
                Some((register.name.clone(), words.clone()))
            }
            _ => None,
        })
        .collect()
}
