//! Tables by name or path.

use std::path::{Path, PathBuf};
use std::sync::RwLock;

use speclex_codegen::Loaded;
use speclex_codegen::files::{Place, Readable, find};

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
        Ok(find(place, Path::new(""), &readable())?.loaded)
    }
}

/// The folders of `--allow-read`.
static ALLOWED: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Lets tables read in these folders too, from now on.
pub(crate) fn allow_read(folders: &[PathBuf]) {
    if let Ok(mut allowed) = ALLOWED.write() {
        folders.clone_into(&mut allowed);
    }
}

/// Where tables may read what they name: in the project around the current folder, and where the caller says.
pub(crate) fn readable() -> Readable {
    let allowed = ALLOWED.read().map(|folders| folders.clone());
    Readable::around(Path::new("")).and_also(&allowed.unwrap_or_default())
}
