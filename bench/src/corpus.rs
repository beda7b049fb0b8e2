//! The documents, by class.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder with `corpora/`.
pub const SHARED: &str = "SPECLEX_SHARED";

/// Classes and their folders under `corpora/`.
const CLASSES: [(&str, &str); 5] = [
    ("web", "html/web"),
    ("docs", "html/docs"),
    ("intl", "html/intl"),
    ("big", "html/big"),
    ("xml", "xml"),
];

/// A document in memory.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its file's name.
    pub name: String,
    /// It.
    pub text: String,
}

/// The documents of a class.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The class.
    pub class: &'static str,
    /// In the order of their names.
    pub documents: Vec<Document>,
}

impl Corpus {
    /// All bytes.
    pub fn bytes(&self) -> usize {
        self.documents.iter().map(|d| d.text.len()).sum()
    }

    /// Whether the documents are XML.
    pub fn is_xml(&self) -> bool {
        self.class == "xml"
    }
}

/// The names of all classes.
pub fn classes() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().map(|(class, _)| *class)
}

/// The folder that holds the corpora.
pub fn folder(root: &Path) -> PathBuf {
    match std::env::var_os(SHARED) {
        Some(shared) => PathBuf::from(shared).join("corpora"),
        None => root.join("../shared/corpora"),
    }
}

/// Reads the documents of a class.
///
/// # Errors
/// When the class is unknown, its folder cannot be read or a document is not UTF-8.
pub fn load(root: &Path, class: &str) -> io::Result<Corpus> {
    let known = CLASSES.iter().find(|(name, _)| *name == class);
    let &(class, inside) = known.ok_or_else(|| {
        let all: Vec<_> = classes().collect();
        let message = format!("no class `{class}`; there are {}", all.join(", "));
        io::Error::other(message)
    })?;
    let folder = folder(root).join(inside);
    let explain = |e: io::Error, path: &Path| {
        io::Error::other(format!(
            "{}: {e} ({SHARED} names the folder with `corpora`)",
            path.display()
        ))
    };
    let mut paths = fs::read_dir(&folder)
        .and_then(|entries| {
            entries
                .map(|e| e.map(|e| e.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(|e| explain(e, &folder))?;
    paths.sort();
    let documents = paths
        .iter()
        .map(|path| {
            Ok(Document {
                name: path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                text: fs::read_to_string(path).map_err(|e| explain(e, path))?,
            })
        })
        .collect::<io::Result<Vec<_>>>()?;
    Ok(Corpus { class, documents })
}
