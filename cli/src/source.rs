//! Tables by name or path.

use std::path::{Path, PathBuf};

use speclex_codegen::Loaded;
use speclex_codegen::files::{Place, find};

use crate::Failure;

/// A table that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// One that ships with this program.
    Shipped(&'static speclex_tables::Table),
    /// A file.
    File(PathBuf),
}

impl Spec {
    /// The table that a word of the command line means: a shipped name, or else a path.
    pub(crate) fn parse(word: &str) -> Result<Self, Failure> {
        if let Some(table) = speclex_tables::get(word) {
            return Ok(Self::Shipped(table));
        }
        let path = PathBuf::from(word);
        if path.exists() || word.contains(['/', '\\', '.']) {
            return Ok(Self::File(path));
        }
        let names: Vec<_> = speclex_tables::all().iter().map(|t| t.name).collect();
        let all = names.join(", ");
        let meant = speclex_codegen::closest(word, names)
            .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Err(Failure::Other(format!(
            "there is no table `{word}`: neither a file nor one of {all}{meant}"
        )))
    }

    /// Checks and lowers it.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let place = match self {
            Self::Shipped(table) => Place::Shipped(table.name.to_owned()),
            Self::File(path) => Place::File(path.clone()),
        };
        Ok(find(place, Path::new(""))?.loaded)
    }
}
