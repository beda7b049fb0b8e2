//! Tables of either language, and the modules that are made of them: what the macros, the command and build scripts share.

use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use crate::emit::{self, Paths};
use crate::files::{Failure, Found, FoundTree, Place, Readable, find, find_tree, regular};
use crate::statistics;
use crate::tree;
use crate::{Diagnostic, Report, Severity};

/// A table of either language that was found and is free of faults.
#[derive(Clone, Debug)]
pub enum Either {
    /// A tokenizer.
    States(Box<Found>),
    /// Tree construction, with its tokenizer.
    Tree(Box<FoundTree>),
}

impl Either {
    /// Finds and loads a table of the language that its text is in, as [`find`] and [`find_tree`] do.
    ///
    /// # Errors
    /// When it is not there or has faults.
    pub fn find(place: Place, folder: &Path, readable: &Readable) -> Result<Self, Failure> {
        let is_tree = match &place {
            Place::Shipped(name) => speclex_tables::tree(name).is_some(),
            Place::Text(source) => tree::is_tree(&source.text),
            Place::File(path) => {
                let text = regular(&folder.join(path)).and_then(io::read_to_string);
                text.is_ok_and(|text| tree::is_tree(&text))
            }
        };
        Ok(match is_tree {
            true => Self::Tree(find_tree(place, folder, readable)?.into()),
            false => Self::States(find(place, folder, readable)?.into()),
        })
    }

    /// The warnings of the table; perhaps none. Notes are for `speclex check`: nothing is wrong with the table.
    pub fn warnings(&self) -> Report {
        let mut report = match self {
            Self::States(found) => found.loaded.warnings.clone(),
            Self::Tree(found) => found.tree.warnings.clone(),
        };
        let is_warning = |it: &Diagnostic| it.severity == Severity::Warning;
        report.diagnostics.retain(is_warning);
        report
    }

    /// The files that were read, those of a tokenizer too: absolute, or relative to the folder that was given.
    pub fn files(&self) -> &[PathBuf] {
        match self {
            Self::States(found) => &found.files,
            Self::Tree(found) => &found.files,
        }
    }

    /// The items of its module. That of tree construction has its tokenizer's inside.
    ///
    /// # Errors
    /// What of a table of tree construction no builder can do.
    pub fn module(&self, paths: &Paths) -> Result<TokenStream, String> {
        match self {
            Self::States(found) => Ok(emit::module(&found.loaded.machine, paths)),
            Self::Tree(found) => {
                let machine = &found.tree.machine;
                let tokenizer = Some(&found.tokenizer.machine);
                tree::emit::module(machine, tokenizer, &paths.runtime).map_err(|faults| {
                    let faults = faults.join("; ");
                    let name = &machine.name;
                    format!("no builder can be generated from the table {name}: {faults}")
                })
            }
        }
    }

    /// The lines at the top of its file: the command that makes it, from which table, and how large that is.
    pub fn header(&self, command: &str) -> Vec<String> {
        match self {
            Self::States(found) => statistics::header(&found.loaded, command),
            Self::Tree(found) => statistics::tree_header(&found.tree, command),
        }
    }
}
