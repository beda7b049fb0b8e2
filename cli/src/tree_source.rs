//! Tables of tree construction by name or path, with the tokenizers that they name.

use std::cell::RefCell;
use std::fs::File;
use std::path::Path;

#[cfg(feature = "analysis")]
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::{self, LoadedTree};
use speclex_codegen::{Loaded, Source, files};
use speclex_tables::Table;

use crate::Failure;
use crate::source::{Spec, readable};

/// A table of tree construction that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeSpec(pub(crate) Spec);

/// A table of tree construction and its tokenizer's.
#[derive(Debug)]
// `check` only asks whether there is one.
#[cfg_attr(not(feature = "analysis"), allow(dead_code))]
pub(crate) struct TreeWithTokenizer {
    pub(crate) tree: LoadedTree,
    pub(crate) loaded: Loaded,
}

impl TreeSpec {
    /// The table that a word of the command line means: a shipped name, or else a path.
    pub(crate) fn parse(word: &str) -> Result<Self, Failure> {
        let spec = Spec::find(word, speclex_tables::tree)?.map(Self);
        spec.ok_or_else(|| {
            Failure::Other(format!(
                "there is no table of tree construction `{word}`: neither a file nor one of {}",
                names(speclex_tables::trees().iter().map(|table| table.name))
            ))
        })
    }

    /// The shipped table that says that it belongs to a tokenizer: the youngest, if there are several.
    pub(crate) fn for_tokenizer(word: &str) -> Result<Self, Failure> {
        let tokenizers = || {
            speclex_tables::trees()
                .iter()
                .filter_map(|table| Some((tree::tokenizer(table.text)?, table)))
        };
        if let Some((_, table)) = tokenizers().rfind(|(name, _)| name == word) {
            return Ok(Self(Spec::Shipped(table)));
        }
        Err(Failure::Other(format!(
            "no table of tree construction ships for `{word}`, only for {}; name one of your own with --tree",
            names(tokenizers().map(|(name, _)| name))
        )))
    }

    /// Whether a word of the command line means a table of tree construction.
    pub(crate) fn is_meant_by(word: &str) -> bool {
        speclex_tables::tree(word).is_some()
            || read(Path::new(word)).is_ok_and(|source| tree::is_tree(&source.text))
    }

    /// Checks it, and loads its tokenizer.
    pub(crate) fn load(&self) -> Result<TreeWithTokenizer, Failure> {
        let (source, folder) = match &self.0 {
            Spec::Shipped(table) => (shipped(table), None),
            Spec::File(path) => (read(path)?, path.parent()),
        };
        Self::load_text(source, folder)
    }

    /// The machine of a table that extends this one, if it has no fault.
    #[cfg(feature = "analysis")]
    pub(crate) fn extended(&self, tokenizer: &str, changes: &str) -> Option<TreeMachine> {
        let (base, folder) = match &self.0 {
            Spec::Shipped(table) => (table.name, None),
            Spec::File(path) => (path.file_name()?.to_str()?, path.parent()),
        };
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let text = format!(
            "tree: extended\nextends: {}\ntokenizer: {}\n{changes}",
            quoted(base),
            quoted(tokenizer)
        );
        let source = Source {
            name: "extended.yaml".to_owned(),
            text,
        };
        let loaded = Self::load_text(source, folder).ok()?;
        Some(loaded.tree.machine)
    }

    /// Checks a text, and loads its tokenizer; what it names lies in the folder.
    pub(crate) fn load_text(
        source: Source,
        folder: Option<&Path>,
    ) -> Result<TreeWithTokenizer, Failure> {
        let own: Vec<_> = folder.map(Path::to_owned).into_iter().collect();
        let readable = readable().and_also(&own);
        let beside = |name: &str| {
            let path = folder?.join(name);
            let files = [path.clone(), path.with_extension("yaml")];
            files
                .into_iter()
                .find(|path| path.is_file() && readable.has(path))
        };
        let base = |name: &str| match speclex_tables::tree(name) {
            Some(table) => Some(shipped(table)),
            None => read(&beside(name)?).ok(),
        };
        let tokenizer = RefCell::new(None);
        let vocabulary = |name: &str| {
            let spec = match speclex_tables::get(name) {
                Some(table) => Spec::Shipped(table),
                None => Spec::File(beside(name)?),
            };
            let loaded = spec.load();
            let vocabulary = loaded
                .as_ref()
                .ok()
                .map(|it| tree::Vocabulary::from(&it.machine));
            tokenizer.replace(Some(loaded));
            vocabulary
        };
        let tree = tree::load(source, &base, &vocabulary);
        match (tree, tokenizer.into_inner()) {
            // What is wrong with the tokenizer is told by its own report.
            (_, Some(Err(failure))) => Err(failure),
            (Err(report), _) => Err(report.into()),
            (Ok(tree), Some(Ok(loaded))) => Ok(TreeWithTokenizer { tree, loaded }),
            // A table without a tokenizer has been refused.
            (Ok(_), None) => Err(Failure::Other("the table names no tokenizer".to_owned())),
        }
    }
}

fn names(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut names: Vec<_> = names.map(|name| name.as_ref().to_owned()).collect();
    names.dedup();
    names.join(", ")
}

fn shipped(table: &Table) -> Source {
    Source {
        name: format!("spec-tables/{}", table.file),
        text: table.text.to_owned(),
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let file = File::open(path).map_err(Failure::io("cannot read", path))?;
    Ok(files::text(&path.display().to_string(), file)?)
}
