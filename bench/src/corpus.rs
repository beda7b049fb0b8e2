//! The documents, by class.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{cargo, families};

/// The environment variable that names the folder with `corpora/`.
const SHARED: &str = "SPECLEX_SHARED";

/// Classes and their folders under `corpora/`.
const FOLDERS: [(&str, &str); 5] = [
    ("web", "html/web"),
    ("docs", "html/docs"),
    ("intl", "html/intl"),
    ("big", "html/big"),
    ("xml", "xml"),
];

/// The documents of a class.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The class.
    pub class: &'static str,
    /// In the order of their files' names.
    pub documents: Vec<String>,
}

impl Corpus {
    /// The length of all documents.
    pub fn bytes(&self) -> usize {
        self.documents.iter().map(String::len).sum()
    }

    /// Whether the documents are HTML or XML.
    pub fn is_markup(&self) -> bool {
        classes().any(|class| class == self.class)
    }

    /// Whether the documents are XML.
    pub fn is_xml(&self) -> bool {
        self.class == "xml"
    }
}

/// The names of the classes that have a folder.
pub fn classes() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().map(|(class, _)| *class)
}

/// Reads the documents of a class.
///
/// # Errors
/// When the class is unknown, its folder cannot be read or a document is not UTF-8.
pub fn load(class: &str) -> io::Result<Corpus> {
    if let Some(document) = families::document(class) {
        return Ok(Corpus {
            class: if families::is_xml(class) {
                "xml"
            } else {
                "growth"
            },
            documents: vec![document],
        });
    }
    let known = FOLDERS.iter().find(|(name, _)| *name == class);
    let &(class, folder) = known.ok_or_else(|| {
        let all: Vec<_> = classes().collect();
        io::Error::other(format!("no class `{class}`; there are {}", all.join(", ")))
    })?;
    let folder = shared().join("corpora").join(folder);
    let documents = read(&folder).map_err(|e| {
        let folder = folder.display();
        io::Error::other(format!(
            "{folder}: {e} ({SHARED} names the folder with `corpora`)"
        ))
    })?;
    Ok(Corpus { class, documents })
}

/// The folder with test data.
pub(crate) fn shared() -> PathBuf {
    match std::env::var_os(SHARED) {
        Some(shared) => PathBuf::from(shared),
        None => cargo::root().join("../shared"),
    }
}

fn read(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(fs::read_to_string).collect()
}
