//! Names looked up, phrases read: a table becomes a machine.

mod arms;
mod bodies;
mod kinds;
mod names;
mod phrases;
mod reading;

pub(super) use bodies::Move;
pub(crate) use phrases::{GUARDS, PHRASES};
pub(super) use phrases::{is_phrase, is_steps};

use self::bodies::Procedure;
use super::machine::{Body, BodyId, Kind, Mode, TreeMachine, Type, Variable};
use super::written::{TOP, Table};
use crate::diagnostic::{Code, Faults};
use crate::lexer::normal;
use crate::machine::Vocabulary;
use crate::phrase::templates_of;
use crate::read::At;
use crate::suggest::which_of;
use crate::written::{Text, names};
use std::collections::{HashMap, HashSet};

/// A machine, and how tokens go from insertion mode to insertion mode in it.
pub(super) struct Checked {
    pub(super) machine: TreeMachine,
    pub(super) moves: Vec<Move>,
    /// Which body runs which.
    pub(super) runs: Vec<(BodyId, BodyId)>,
    /// Where the insertion modes are named.
    pub(super) names: Vec<At>,
}

/// Checks a table. The machine is sound only if there are no faults.
pub(super) fn check(
    table: &Table,
    vocabulary: &dyn Fn(&str) -> Option<Vocabulary>,
    faults: &mut Faults,
) -> Checked {
    for key in [
        "tree",
        "tokenizer",
        "initial insertion mode",
        "insertion modes",
    ] {
        if !table.keys.iter().any(|k| k == key) {
            let about = TOP.iter().find(|of| of.key.name == key);
            let about = about.map_or("", |of| of.key.about);
            let message = format!("the table has no `{key}`");
            faults.add(Code::MissingKey, table.at, message).help(about);
        }
    }
    if table.modes.is_empty() && !faults.any_error() {
        let message = "the table has no insertion modes";
        faults
            .add(Code::MissingBody, table.at, message)
            .help("name at least one: `insertion modes: {main: {end-of-file: stop parsing, …}}`");
    }
    let mut checker = Checker {
        table,
        kinds: vocabulary_of(table, vocabulary, faults).map_or_else(Vec::new, kinds::kinds),
        modes: (0..)
            .zip(&table.modes)
            .map(|(n, mode)| (&*mode.name.text, n))
            .collect(),
        variables: Vec::new(),
        used: HashSet::new(),
        nesting: 0,
        runs: Vec::new(),
        procedures: HashMap::new(),
        bodies: Vec::new(),
        moves: Vec::new(),
        faults,
    };
    checker.variables();
    checker.procedures();
    let modes: Vec<Mode> = table.modes.iter().map(|mode| checker.mode(mode)).collect();
    checker.unused();
    let mut keys: Vec<&str> = names(TOP).collect();
    keys.extend(templates_of(PHRASES).map(|template| template.pattern));
    keys.extend(table.procedures.iter().map(|it| &*it.name.text));
    let keys = keys.into_iter();
    checker.errata(
        &table.errata,
        keys,
        "a top-level key, a phrase or a procedure",
    );
    let initial = table
        .initial
        .as_ref()
        .map(|name| checker.mode_named(&normal(&name.text), name.span()));
    let text = |text: &Option<Text>| text.as_ref().map(|t| t.text.clone()).unwrap_or_default();
    Checked {
        moves: checker.moves,
        runs: checker.runs,
        names: table.modes.iter().map(|mode| mode.name.at).collect(),
        machine: TreeMachine {
            name: text(&table.name),
            title: text(&table.title),
            section: text(&table.section),
            tokenizer: text(&table.tokenizer),
            called: table.called().to_owned(),
            kinds: checker.kinds,
            variables: checker.variables,
            modes,
            initial: initial.unwrap_or(0),
            bodies: checker.bodies,
        },
    }
}

fn vocabulary_of(
    table: &Table,
    vocabulary: &dyn Fn(&str) -> Option<Vocabulary>,
    faults: &mut Faults,
) -> Option<Vocabulary> {
    let name = table.tokenizer.as_ref()?;
    let found = vocabulary(&name.text);
    if found.is_none() {
        faults
            .unknown(
                Code::UnknownTokenizer,
                name.at,
                "tokenizer table",
                &name.text,
            )
            .help("it is named as its file is, beside this table or as a relative path");
    }
    found
}

pub(crate) struct Checker<'t, 'f> {
    table: &'t Table,
    /// None if the tokenizer is not known: then nothing is said of tokens.
    kinds: Vec<Kind>,
    modes: HashMap<&'t str, usize>,
    variables: Vec<Variable>,
    /// Names of variables that steps use, and of procedures without articles.
    used: HashSet<String>,
    /// By their names without articles.
    procedures: HashMap<String, Procedure<'t>>,
    /// How many procedures are being read.
    nesting: usize,
    bodies: Vec<Body>,
    moves: Vec<Move>,
    /// Which body runs which.
    runs: Vec<(BodyId, BodyId)>,
    faults: &'f mut Faults,
}

impl Checker<'_, '_> {
    fn variables(&mut self) {
        for entry in &self.table.variables {
            let Some(written) = &entry.value else {
                continue;
            };
            let all = Type::ALL.map(Type::as_str);
            let ty = Type::ALL.into_iter().find(|ty| ty.as_str() == written.text);
            if ty.is_none() {
                self.faults
                    .unknown(Code::UnknownWord, written.at, "type", &written.text)
                    .help(which_of(&written.text, all));
            }
            if ty == Some(Type::InsertionMode)
                && self.variables.iter().any(|it| it.ty == Type::InsertionMode)
            {
                let message = "only one variable can hold the insertion mode";
                self.faults
                    .add(Code::DuplicateName, entry.name.at, message)
                    .help("remove it, or the one above");
            }
            // Of a variable without a type nothing more is said.
            let ty = ty.unwrap_or(Type::StackOfElements);
            let name = entry.name.text.clone();
            self.variables.push(Variable { name, ty });
        }
    }
}
