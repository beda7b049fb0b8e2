//! Requests of the page and their answers, as JSON; and who answers them, from texts alone.

use serde::{Deserialize, Serialize};
use speclex_codegen::explain::{Entry, entries};
use speclex_codegen::{Diagnostic, Either, Report};

pub use crate::case::{Start, Table};
use crate::case_file;
use crate::compare::{self, Outcome};
use crate::effect::{self, Effect, Progress};
use crate::examples::{self, Comparable};
use crate::library::{Library, Refused};
use crate::read::{self, Contents};
use crate::trace::{self, Trace};

/// What the page asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "ask", deny_unknown_fields)]
pub enum Request {
    /// Which tables and examples there are.
    Start {},
    /// What tables make of an input.
    Compare {
        /// The tables.
        tables: Vec<Table>,
        /// The input.
        input: String,
        /// How it starts.
        start: Start,
    },
    /// What a table does with an input, step by step.
    Trace {
        /// The table.
        table: Table,
        /// The input.
        input: String,
        /// How it starts.
        start: Start,
    },
    /// What is in a table.
    Read {
        /// The table.
        table: Table,
    },
    /// The Rust module that is generated from a table.
    Rust {
        /// The table.
        table: Table,
    },
    /// A test in the form of html5lib-tests, of what a table makes of an input.
    Test {
        /// The table.
        table: Table,
        /// The input.
        input: String,
        /// How it starts.
        start: Start,
    },
    /// The words of the table language.
    Words {},
    /// The text of a table as it is here.
    Source {
        /// Its name.
        name: String,
    },
    /// What leads from one table to another does: a search, which tells how far it is.
    Effect {
        /// The tables.
        tables: [Table; 2],
    },
    /// What is wrong with a table.
    Check {
        /// The table.
        table: Table,
    },
}

/// The answer to a request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "answer")]
pub enum Answer {
    /// The tables and examples.
    Start {
        /// In the order in which they are offered.
        tables: Vec<Row>,
        /// Comparisons with examples.
        comparisons: Vec<Comparable>,
    },
    /// An outcome for each table.
    Compare {
        /// In the order of the request.
        outcomes: Vec<Outcome>,
    },
    /// The steps.
    Trace {
        /// In order.
        trace: Trace,
    },
    /// What is in the table.
    Read {
        /// All of it.
        contents: Box<Contents>,
    },
    /// The module.
    Rust {
        /// Its text.
        text: String,
    },
    /// The test.
    Test {
        /// Its file.
        text: String,
    },
    /// The words.
    Words {
        /// In the order of the reference.
        words: Vec<Word>,
    },
    /// The text.
    Source {
        /// All of it.
        text: String,
    },
    /// What the change does.
    Effect {
        /// With inputs that show it.
        effect: Effect,
    },
    /// A search goes on. Another answer follows.
    Progress {
        /// How much is done.
        done: usize,
        /// Of how much, at most.
        all: usize,
    },
    /// What is wrong with it, and what else there is to say.
    Check {
        /// By place.
        diagnostics: Vec<Fault>,
    },
    /// A table has faults: its diagnostics.
    Faults {
        /// By place.
        diagnostics: Vec<Fault>,
    },
    /// There is no answer: why, for people.
    Refused {
        /// A sentence.
        why: String,
    },
}

/// A table, as it is offered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it is one of tree construction.
    pub is_tree: bool,
    /// Whose it is: `own`, `shipped` or `example`.
    pub of: &'static str,
}

/// A word of the table language: a phrase, a guard, a key, a class.
#[derive(Clone, Debug, Serialize)]
pub struct Word {
    /// What it is.
    pub kind: &'static str,
    /// The word, with open parts in capitals.
    pub name: &'static str,
    /// One that could stand in a table.
    pub example: Option<&'static str>,
    /// What it means.
    pub about: &'static str,
}

impl From<Entry> for Word {
    fn from(entry: Entry) -> Self {
        let Entry {
            kind,
            name,
            example,
            about,
        } = entry;
        Self {
            kind,
            name,
            example,
            about,
        }
    }
}

/// A diagnostic of a table.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Its code, which `speclex explain` explains.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// How many characters it covers.
    pub length: usize,
    /// What stands beside the place; may be empty.
    pub label: String,
    /// What to do about it; may be empty.
    pub help: String,
}

impl From<&Diagnostic> for Fault {
    fn from(it: &Diagnostic) -> Self {
        Self {
            severity: it.severity.to_string(),
            code: it.code.as_str(),
            message: it.message.clone(),
            file: it.file.clone(),
            line: it.line,
            column: it.col,
            length: it.len,
            label: it.label.clone(),
            help: it.help.clone(),
        }
    }
}

/// The diagnostics of a report.
pub(crate) fn faults(report: &Report) -> Vec<Fault> {
    report.diagnostics.iter().map(Fault::from).collect()
}

/// Answers a request. A search tells how far it is.
pub fn answer(library: &Library, request: &Request, progress: &mut Progress<'_>) -> Answer {
    let answered = match request {
        Request::Start {} => Ok(Answer::Start {
            tables: rows(library),
            comparisons: examples::shipped(),
        }),
        Request::Compare {
            tables,
            input,
            start,
        } => {
            let outcomes = tables
                .iter()
                .map(|it| compare::outcome(library, it, input, start));
            let outcomes: Result<Vec<_>, Refused> = outcomes.collect();
            outcomes.map(|outcomes| Answer::Compare { outcomes })
        }
        Request::Trace {
            table,
            input,
            start,
        } => trace::trace(library, table, input, start).map(|trace| Answer::Trace { trace }),
        Request::Read { table } => read::contents(library, table).map(|contents| Answer::Read {
            contents: Box::new(contents),
        }),
        Request::Rust { table } => read::rust(library, table).map(|text| Answer::Rust { text }),
        Request::Source { name } => match library.source(name) {
            Some(source) => Ok(Answer::Source { text: source.text }),
            None => Err(Refused::no_table(name)),
        },
        Request::Effect {
            tables: [one, other],
        } => {
            let found = effect::effect(library, [one, other], progress);
            found.map(|effect| Answer::Effect { effect })
        }
        Request::Check { table } => match library.load(table).as_deref() {
            Ok(Either::States(found)) => Ok(faults(&found.loaded.warnings)),
            Ok(Either::Tree(found)) => Ok(faults(&found.tree.warnings)),
            Err(Refused::Faults(report)) => Ok(faults(report)),
            Err(Refused::Other(why)) => Err(Refused::Other(why.clone())),
        }
        .map(|diagnostics| Answer::Check { diagnostics }),
        Request::Test {
            table,
            input,
            start,
        } => case_file::test(library, table, input, start).map(|text| Answer::Test { text }),
        Request::Words {} => Ok(Answer::Words {
            words: entries().map(Word::from).collect(),
        }),
    };
    answered.unwrap_or_else(|refused| match refused {
        Refused::Faults(report) => Answer::Faults {
            diagnostics: faults(&report),
        },
        Refused::Other(why) => Answer::Refused { why },
    })
}

fn rows(library: &Library) -> Vec<Row> {
    let own = library.own().iter().map(|name| (name.as_str(), "own"));
    let examples = library.examples().iter();
    let examples = examples.map(|name| (name.as_str(), "example"));
    let shipped = speclex_tables::all().iter().chain(speclex_tables::trees());
    let shipped = shipped.map(|table| (table.name, "shipped"));
    let row = |(name, of): (&str, &'static str)| {
        let text = library.source(name).map(|source| source.text);
        let text = text.unwrap_or_default();
        Row {
            name: name.to_owned(),
            title: title(&text).unwrap_or(name).to_owned(),
            is_tree: speclex_codegen::tree::is_tree(&text),
            of,
        }
    };
    own.chain(shipped).chain(examples).map(row).collect()
}

/// The title of a table, from its text: all tables are listed, and none is loaded for that.
fn title(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("title:"))?;
    Some(line.trim().trim_matches(['"', '\'']))
}
