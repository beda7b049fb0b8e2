//! Tables by name, those that ship and those of the user, and edits of them: from texts alone.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use speclex_codegen::files::{Found, FoundTree};
use speclex_codegen::tree::{self, TreeMachine, Vocabulary};
use speclex_codegen::{Either, Report, Source};

use crate::case::Table;

/// How many tables stay loaded.
const KEPT: usize = 24;

/// What faults call the text of an edit.
const EDIT: &str = "edit.yaml";

/// The tables that a page can name.
#[derive(Debug, Default)]
pub struct Library {
    own: Own,
    loaded: RefCell<Vec<(Table, Rc<Either>)>>,
}

/// Tables and data that do not ship.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Own {
    /// The names of the tables that the page offers.
    pub offered: Vec<String>,
    /// And of those that it offers as examples.
    pub examples: Vec<String>,
    /// File names and texts: the tables, what they extend, and their data files.
    pub files: Vec<(String, String)>,
}

impl Own {
    /// A table, by the name of its file with or without `.yaml`.
    fn table(&self, name: &str) -> Option<&(String, String)> {
        let is_it = |file: &str| file == name || file.strip_suffix(".yaml") == Some(name);
        self.files.iter().find(|(file, _)| is_it(file))
    }
}

impl Library {
    /// The tables that ship and these.
    pub fn new(own: Own) -> Self {
        Self {
            own,
            loaded: RefCell::default(),
        }
    }

    /// The names of the user's own tables.
    pub(crate) fn own(&self) -> &[String] {
        &self.own.offered
    }

    /// The names of examples.
    pub(crate) fn examples(&self) -> &[String] {
        &self.own.examples
    }

    /// The text of a table, and the name that faults give it.
    pub(crate) fn source(&self, name: &str) -> Option<Source> {
        let shipped = speclex_tables::get(name).or_else(|| speclex_tables::tree(name));
        if let Some(table) = shipped {
            return Some(Source {
                name: table.file.to_owned(),
                text: table.text.to_owned(),
            });
        }
        let (file, text) = self.own.table(name)?;
        Some(Source {
            name: file.clone(),
            text: text.clone(),
        })
    }

    fn references(&self, file: &str) -> Option<Vec<(String, String)>> {
        let own = || self.own.files.iter().find(|(name, _)| name == file);
        let text = speclex_tables::references(file).or_else(|| Some(own()?.1.as_str()))?;
        let read: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
        let character =
            |code: &serde_json::Value| char::from_u32(u32::try_from(code.as_u64()?).ok()?);
        let meant = |(name, codes): (String, serde_json::Value)| {
            let codes = codes.as_array()?.iter().map(character);
            Some((name, codes.collect::<Option<String>>()?))
        };
        read.into_iter().map(meant).collect()
    }

    /// Loads a table, or an edit of it; once, as long as it is among the last that were asked for.
    pub(crate) fn load(&self, table: &Table) -> Result<Rc<Either>, Refused> {
        let found = self
            .loaded
            .borrow()
            .iter()
            .find(|(key, _)| key == table)
            .cloned();
        if let Some((_, loaded)) = found {
            return Ok(loaded);
        }
        let mut source = self
            .source(&table.name)
            .ok_or_else(|| Refused::no_table(&table.name))?;
        if let Some(text) = &table.text {
            source.text.clone_from(text);
            // It may extend the table that it is an edit of.
            EDIT.clone_into(&mut source.name);
        }
        let loaded = Rc::new(self.either(source)?);
        let mut kept = self.loaded.borrow_mut();
        let most = KEPT.min(kept.len() + 1) - 1;
        kept.truncate(most);
        kept.insert(0, (table.clone(), Rc::clone(&loaded)));
        Ok(loaded)
    }

    /// A table of tree construction that extends another one, which may be an edit, if it has no fault.
    pub(crate) fn extended(
        &self,
        base: &Table,
        found: &FoundTree,
        changes: &str,
    ) -> Option<TreeMachine> {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let tokenizer = quoted(&found.tree.machine.tokenizer);
        let source = |name: &str, text: String| Source {
            name: name.to_owned(),
            text,
        };
        let text = format!("tree: extended\nextends: base\ntokenizer: {tokenizer}\n{changes}");
        let resolve = |name: &str| match (name, &base.text) {
            ("base", Some(text)) => Some(source("base", text.clone())),
            ("base", None) => self.source(&base.name),
            _ => self.source(name),
        };
        let vocabulary = |_: &str| Some(Vocabulary::from(&found.tokenizer.machine));
        let loaded = tree::load(source("extended", text), &resolve, &vocabulary);
        loaded.ok().map(|loaded| loaded.machine)
    }

    fn either(&self, source: Source) -> Result<Either, Refused> {
        let resolve = |name: &str| self.source(name);
        if !tree::is_tree(&source.text) {
            let references = |file: &str| self.references(file);
            let loaded = speclex_codegen::load(source, &resolve, &references)?;
            let files = Vec::new();
            return Ok(Either::States(Box::new(Found { loaded, files })));
        }
        let tokenizer = RefCell::new(None);
        let loaded = tree::load(source, &resolve, &|name| {
            let found = self.load(&Table::named(name));
            let vocabulary = match found.as_deref() {
                Ok(Either::States(found)) => Some(Vocabulary::from(&found.loaded.machine)),
                _ => None,
            };
            tokenizer.replace(Some(found));
            vocabulary
        });
        match (loaded, tokenizer.into_inner()) {
            (_, Some(Err(Refused::Faults(report)))) => Err(Refused::Faults(report)),
            (Err(report), _) => Err(report.into()),
            (Ok(tree), found) => match found.transpose()?.as_deref() {
                Some(Either::States(found)) => {
                    let tokenizer = found.loaded.clone();
                    let files = Vec::new();
                    Ok(Either::Tree(Box::new(FoundTree {
                        tree,
                        tokenizer,
                        files,
                    })))
                }
                _ => Err(Refused::no_table(&tree.machine.tokenizer)),
            },
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The table has faults.
    Faults(Box<Report>),
    /// Something else, for people.
    Other(String),
}

impl Refused {
    pub(crate) fn no_table(name: &str) -> Self {
        let all = speclex_tables::all().iter().chain(speclex_tables::trees());
        let meant = speclex_codegen::closest(name, all.map(|table| table.name));
        let meant = meant.map_or(String::new(), |meant| format!(" Did you mean “{meant}”?"));
        Self::Other(format!("There is no table “{name}” here.{meant}"))
    }
}

impl From<Report> for Refused {
    fn from(report: Report) -> Self {
        Self::Faults(Box::new(report))
    }
}
