//! Tables of tree construction by name or path, with the tokenizers that they name.

use std::fs::File;
use std::path::Path;

#[cfg(feature = "analysis")]
use speclex_codegen::files::extend_tree;
use speclex_codegen::files::{self, FoundTree, Place, find_tree};
#[cfg(feature = "analysis")]
use speclex_codegen::machine::Machine;
#[cfg(feature = "analysis")]
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::{Either, Source, tree};

use crate::Failure;
use crate::source::{Spec, is_stream, no_table, of_a_tokenizer, readable};

/// A table of tree construction that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeSpec(pub(crate) Spec);

impl TreeSpec {
    /// The table that a word of the command line means: a shipped name, or else a path.
    pub(crate) fn parse(word: &str) -> Result<Self, Failure> {
        if speclex_tables::get(word).is_some() {
            return Err(of_a_tokenizer(word));
        }
        let spec = Spec::find(word, speclex_tables::tree)?.map(Self);
        let missing = || no_table("table of tree construction", word, speclex_tables::trees());
        spec.ok_or_else(missing)
    }

    /// The table that `--spec` means: one of tree construction, or that of a tokenizer.
    #[cfg(feature = "analysis")]
    pub(crate) fn of_either(word: &str) -> Result<Self, Failure> {
        // A stream can be read only once. That of a tokenizer would have no tree.
        match is_stream(Path::new(word)) || Self::is_meant_by(word) {
            true => Self::parse(word),
            false => Self::for_tokenizer(word),
        }
    }

    /// The shipped table that says that it belongs to a tokenizer: the youngest, if there are several.
    pub(crate) fn for_tokenizer(word: &str) -> Result<Self, Failure> {
        let tokenizers = || {
            let trees = speclex_tables::trees().iter();
            trees.filter_map(|table| Some((tree::tokenizer(table.text)?, table)))
        };
        if let Some((_, table)) = tokenizers().rfind(|(name, _)| name == word) {
            return Ok(Self(Spec::Shipped(table)));
        }
        // A word that means no table at all has its own message.
        Spec::parse(word)?;
        let mut names: Vec<_> = tokenizers().map(|(name, _)| name).collect();
        names.dedup();
        let names = names.join(", ");
        Err(Failure::Other(format!(
            "no table of tree construction ships for `{word}`, only for {names}; name one of your own with --tree"
        )))
    }

    /// Whether a word of the command line means a table of tree construction.
    pub(crate) fn is_meant_by(word: &str) -> bool {
        speclex_tables::tree(word).is_some()
            || read(Path::new(word)).is_ok_and(|source| tree::is_tree(&source.text))
    }

    /// Checks it, and loads its tokenizer.
    pub(crate) fn load(&self) -> Result<FoundTree, Failure> {
        match find_tree(self.0.place()?, Path::new(""), &readable()) {
            Err(files::Failure::Faults(report)) => match report.sources.first() {
                Some(source) if tree::is_tokenizer(&source.text) => {
                    Err(of_a_tokenizer(&source.name))
                }
                _ => Err(Failure::Table(report)),
            },
            found => Ok(found?),
        }
    }

    /// The machine of a table that extends this one, if it has no fault. Its tokenizer is loaded once for all of them.
    #[cfg(feature = "analysis")]
    pub(crate) fn extended(
        &self,
        name: &str,
        tokenizer: &Machine,
        changes: &str,
    ) -> Option<TreeMachine> {
        let (base, folder) = match &self.0 {
            Spec::Shipped(table) => (table.name, None),
            Spec::File(path) => (path.file_name()?.to_str()?, path.parent()),
        };
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let text = format!(
            "tree: extended\nextends: {}\ntokenizer: {}\n{changes}",
            quoted(base),
            quoted(name)
        );
        let source = Source {
            name: "extended.yaml".to_owned(),
            text,
        };
        let folder = folder.unwrap_or(Path::new(""));
        let readable = readable().and_also(&[folder.to_owned()]);
        let loaded = extend_tree(source, folder, &readable, tokenizer).ok()?;
        Some(loaded.machine)
    }
}

/// Loads the table of either language that an argument names.
pub(crate) fn of(spec: &Spec) -> Result<Either, Failure> {
    match spec {
        // A stream can be read only once.
        Spec::File(path) if is_stream(path) => of_text(read(path)?),
        spec => Ok(Either::find(spec.place()?, Path::new(""), &readable())?),
    }
}

/// The table of either language that a word of the command line means: a shipped name, or else a path.
pub(crate) fn load(word: &str) -> Result<Either, Failure> {
    of(&parse(word)?)
}

/// The same, not loaded.
pub(crate) fn parse(word: &str) -> Result<Spec, Failure> {
    let of_tree = speclex_tables::tree(word).map(Spec::Shipped);
    of_tree.map_or_else(|| Spec::parse(word), Ok)
}

/// The table of a text; what it names lies in the current folder.
pub(crate) fn of_text(source: Source) -> Result<Either, Failure> {
    let here = Path::new("");
    let readable = readable().and_also(&[here.to_owned()]);
    Ok(Either::find(Place::Text(source), here, &readable)?)
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let file = File::open(path).map_err(Failure::io("cannot read", path))?;
    Ok(files::text(&path.display().to_string(), file)?)
}
