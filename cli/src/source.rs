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
        if let Some(spec) = Self::find(word, speclex_tables::get) {
            return Ok(spec);
        }
        let names: Vec<_> = speclex_tables::all().iter().map(|t| t.name).collect();
        let all = names.join(", ");
        let meant = speclex_codegen::closest(word, names)
            .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Err(Failure::Other(format!(
            "there is no table `{word}`: neither a file nor one of {all}{meant}"
        )))
    }

    /// The table that a word means among those of one kind.
    pub(crate) fn find(
        word: &str,
        shipped: fn(&str) -> Option<&'static speclex_tables::Table>,
    ) -> Option<Self> {
        let path = Path::new(word);
        match shipped(word) {
            Some(table) => Some(Self::Shipped(table)),
            None if path.exists() || word.contains(['/', '\\', '.']) => {
                Some(Self::File(path.to_owned()))
            }
            None => None,
        }
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
