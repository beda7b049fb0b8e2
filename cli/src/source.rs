//! Tables by name or path.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::RwLock;

use speclex_codegen::files::{self, Place, Readable, find};
use speclex_codegen::{Loaded, Report, Source, escape, tree};

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
        if let Some(spec) = Self::find(word, speclex_tables::get)? {
            return Ok(spec);
        }
        if let Some(table) = speclex_tables::tree(word) {
            return Err(of_trees(word, tree::tokenizer(table.text).as_deref()));
        }
        Err(no_table("table", word, speclex_tables::all()))
    }

    /// The table that a word means among those of one kind.
    pub(crate) fn find(
        word: &str,
        shipped: fn(&str) -> Option<&'static speclex_tables::Table>,
    ) -> Result<Option<Self>, Failure> {
        let path = Path::new(word);
        Ok(match shipped(word) {
            Some(table) => Some(Self::Shipped(table)),
            None if path.is_dir() => return Err(folder(path)),
            None if path.exists() || word.contains(['/', '\\', '.']) => {
                Some(Self::File(path.to_owned()))
            }
            None => None,
        })
    }

    /// Checks and lowers it.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let found = find(self.place()?, Path::new(""), &readable());
        let is_of_trees = |report: &Report| {
            let source = report.sources.first();
            source.is_some_and(|source| tree::is_tree(&source.text))
        };
        match found {
            Err(files::Failure::Faults(report)) if is_of_trees(&report) => {
                let source = &report.sources[0];
                let tokenizer = tree::tokenizer(&source.text);
                Err(of_trees(&source.name, tokenizer.as_deref()))
            }
            found => Ok(found?.loaded),
        }
    }

    /// Where its text is.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        Ok(match self {
            Self::Shipped(table) if speclex_tables::get(table.name).is_some() => {
                Place::Shipped(table.name.to_owned())
            }
            // It will ship: `cargo xtask revision` is making it.
            Self::Shipped(table) => Place::Text(Source {
                name: table.file.to_owned(),
                text: table.text.to_owned(),
            }),
            // The user names it: what it names lies in the current folder.
            Self::File(path) if is_stream(path) => {
                let stream = File::open(path).map_err(Failure::io("cannot read", path))?;
                Place::Text(files::text(&path.display().to_string(), stream)?)
            }
            Self::File(path) => Place::File(path.clone()),
        })
    }
}

/// There is neither a file nor a shipped table of this name; which one may be meant.
pub(crate) fn no_table(what: &str, word: &str, tables: &[speclex_tables::Table]) -> Failure {
    let names: Vec<_> = tables.iter().map(|table| table.name).collect();
    let all = names.join(", ");
    let starts = |name: &&str| word.len() > 3 && name.starts_with(word);
    let longer = names.iter().copied().rfind(starts);
    let meant = longer
        .or_else(|| speclex_codegen::closest(word, names))
        .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Failure::Other(format!(
        "there is no {what} `{word}`: neither a file nor one of {all}{meant}"
    ))
}

/// A table of a tokenizer is named where one of tree construction belongs.
pub(crate) fn of_a_tokenizer(name: &str) -> Failure {
    Failure::Other(format!(
        "`{name}` is a table of a tokenizer, and this needs one of tree construction, such as {}",
        speclex_tables::trees()
            .last()
            .map_or("", |table| table.name)
    ))
}

/// A table of tree construction is named where one of a tokenizer belongs.
fn of_trees(name: &str, tokenizer: Option<&str>) -> Failure {
    let tokenizer = tokenizer.map_or(String::new(), |name| format!(", such as its own, `{name}`"));
    Failure::Other(format!(
        "`{name}` is a table of tree construction, and this needs one of a tokenizer{tokenizer}; `analyze`, `check`, `conform`, \
         `cover`, `diff`, `explain`, `gen`, `graph`, `trace` and `tree` take tables of tree construction"
    ))
}

/// Whether something is there that is no file and no folder: a device or a pipe. What it holds may never end. It can be read only
/// once, and is written to, not replaced.
pub(crate) fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// How many tables of a folder are named.
const NAMED: usize = 5;

/// A folder is no table: which tables it has.
fn folder(path: &Path) -> Failure {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let is_table = |file: &PathBuf| file.extension().is_some_and(|e| e == "yaml" || e == "yml");
    let mut tables: Vec<_> = files.filter(is_table).collect();
    tables.sort_unstable();
    let more = tables.len().saturating_sub(NAMED);
    let shown = |path: &Path| escape::line(&path.display().to_string());
    let names: Vec<_> = tables
        .iter()
        .take(NAMED)
        .map(|table| shown(table))
        .collect();
    let help = match (names.is_empty(), more) {
        (true, _) => "a table is a file, and no file in it ends in .yaml".to_owned(),
        (false, 0) => format!("name the tables in it: {}", names.join(" ")),
        (false, more) => format!("name the tables in it: {} and {more} more", names.join(" ")),
    };
    Failure::Other(format!("`{}` is a folder; {help}", shown(path)))
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
