//! Names and headers of generated files.

use std::path::PathBuf;

use proc_macro2::TokenStream;
pub(crate) use speclex_codegen::emit::module_name;
use speclex_codegen::{Loaded, emit, escape, statistics};

use crate::source::Spec;
use crate::{Failure, Home};

/// A file to be written.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) path: PathBuf,
    pub(crate) contents: String,
}

impl Generated {
    /// Whether what stands in the file's place was generated too.
    pub(crate) fn is_ours(&self, found: &str) -> bool {
        match self.path.extension() {
            Some(extension) if extension == "json" => is_schema(found),
            // Only what stands between two of its lines is generated.
            Some(extension) if extension == "toml" => true,
            _ => emit::is_generated(found),
        }
    }
}

/// Whether a text is a schema that this project wrote. JSON has no comments: its first keys tell.
pub(crate) fn is_schema(found: &str) -> bool {
    let schema = speclex_codegen::schema();
    let (mut found, mut ours) = (found.lines(), schema.lines());
    // Older schemas are those of tokenizer tables alone.
    let is_title = |line: &str| line.starts_with("  \"title\": \"Tokenizer table");
    found.by_ref().take(2).eq(ours.by_ref().take(2)) && found.next().is_some_and(is_title)
}

/// The file of a table's module.
pub(crate) fn module_file(spec: &Spec) -> String {
    let name = match spec {
        Spec::Shipped(table) => table.name.to_owned(),
        Spec::File(path) => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    format!("{}.rs", module_name(&name))
}

/// The command that makes the module of a table.
pub(crate) fn command(home: &Home, spec: &Spec) -> String {
    match spec {
        Spec::Shipped(_) if home.repository.is_some() => "cargo xtask gen".to_owned(),
        Spec::Shipped(table) => format!("speclex gen --spec {}", table.name),
        // Where the table lies differs from machine to machine.
        Spec::File(path) => format!(
            "{} gen {}",
            home.command(),
            escape::shell_word(&path.file_name().unwrap_or_default().to_string_lossy())
        ),
    }
}

/// The comment on top: what made the file from what, and how large the table is.
pub(crate) fn header(home: &Home, spec: &Spec, loaded: &Loaded) -> Vec<String> {
    statistics::header(loaded, &command(home, spec))
}

/// Formats items below a header.
pub(crate) fn source(items: TokenStream, header: &[String]) -> Result<String, Failure> {
    emit::file(items, header).map_err(|e| {
        Failure::Other(format!(
            "the generator made invalid Rust, please report it: {e}"
        ))
    })
}
