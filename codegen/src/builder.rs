//! Generated code on disk, for build scripts.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use crate::either::Either;
use crate::emit::{self, Paths};
use crate::escape;
use crate::files::{self, Place, Readable};

/// Writes the tokenizers and parsers of tables as Rust modules: for a build script whose crate wants the code on disk. A
/// table of tree construction makes a module with its builder and its tokenizer, as `speclex::parser!` does.
///
/// In `build.rs`:
///
/// ```no_run
/// fn main() -> Result<(), speclex_codegen::BuildError> {
///     speclex_codegen::Builder::new().table("tables/csv.yaml").generate()
/// }
/// ```
///
/// and in the crate, which needs `speclex` without its feature `macros`, and for trees with `trees`:
///
/// ```ignore
/// #[allow(clippy::all, clippy::pedantic)]
/// pub mod csv {
///     include!(concat!(env!("OUT_DIR"), "/csv.rs"));
/// }
/// ```
///
/// The files are what `speclex gen` writes, without `#![allow(clippy::all)]` for builders of trees, as `include!` takes no
/// such line. One that has its contents already is not touched. A file whose
/// first line does not say that it is generated is never overwritten, unless [`force`](Self::force) says so.
#[derive(Clone, Debug)]
pub struct Builder {
    tables: Vec<Place>,
    out: Option<PathBuf>,
    force: bool,
    allow_read: Vec<PathBuf>,
    paths: Paths,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// No table yet; modules go to `OUT_DIR`.
    pub fn new() -> Self {
        Self {
            tables: Vec::new(),
            out: None,
            force: false,
            allow_read: Vec::new(),
            paths: Paths::default(),
        }
    }

    /// Adds a table; `tables/csv.yaml` becomes `csv.rs`. The path starts where the build script runs: at
    /// the folder of the package's `Cargo.toml`.
    #[must_use]
    pub fn table(mut self, path: impl AsRef<Path>) -> Self {
        self.tables.push(Place::File(path.as_ref().to_owned()));
        self
    }

    /// Adds a table that ships; `html-2012` becomes `html_2012.rs`.
    #[must_use]
    pub fn builtin(mut self, name: &str) -> Self {
        self.tables.push(Place::Shipped(name.to_owned()));
        self
    }

    /// Where the modules go instead of `OUT_DIR`: `src`, say, for code that is checked in.
    #[must_use]
    pub fn out_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.out = Some(folder.as_ref().to_owned());
        self
    }

    /// Overwrites files that were not generated, too.
    #[must_use]
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Tables may name files in this folder too: besides those of the package's workspace or repository.
    #[must_use]
    pub fn allow_read(mut self, folder: impl AsRef<Path>) -> Self {
        self.allow_read.push(folder.as_ref().to_owned());
        self
    }

    /// The path of the crate `speclex` in the code, where it is not `::speclex`.
    ///
    /// # Panics
    /// When it is no Rust at all.
    #[must_use]
    pub fn runtime(mut self, path: &str) -> Self {
        match path.parse() {
            Ok(path) => self.paths.runtime = path,
            Err(error) => panic!("`{path}` is no path: {error}"),
        }
        self
    }

    /// Generates all modules, and tells Cargo which files they come from. Warnings about tables become
    /// Cargo's.
    ///
    /// # Errors
    /// The first table that is not there or has faults, with all of its faults; a file that was not generated
    /// and stands where a module goes; or one that cannot be written. Unless all modules can be made and none
    /// of them would replace such a file, nothing is written.
    pub fn generate(&self) -> Result<(), BuildError> {
        let out = match &self.out {
            Some(folder) => folder.clone(),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| {
                BuildError(
                    "there is no OUT_DIR: this is no build script; say `out_dir(…)`".to_owned(),
                )
            })?,
        };
        let readable = Readable::around(Path::new("")).and_also(&self.allow_read);
        let mut modules = Vec::new();
        for table in &self.tables {
            let found = Either::find(table.clone(), Path::new(""), &readable)?;
            for file in found.files() {
                println!("cargo::rerun-if-changed={}", file.display());
            }
            for warning in &found.warnings().diagnostics {
                let (file, line, col) = (&warning.file, warning.line, warning.col);
                println!("cargo::warning={file}:{line}:{col}: {}", warning.message);
            }
            let (name, command) = origin(table);
            let items = found.module(&self.paths).map_err(BuildError)?;
            let path = out.join(emit::module_name(&name)).with_extension("rs");
            modules.push((path, source(items, &found.header(&command))?));
        }
        if !self.force {
            modules.iter().try_for_each(|(path, _)| refuse(path))?;
        }
        modules
            .iter()
            .try_for_each(|(path, contents)| write(path, contents))
    }
}

/// The table's name, and the command that makes the same file.
fn origin(table: &Place) -> (String, String) {
    match table {
        Place::Shipped(name) => (name.clone(), format!("speclex gen --spec {name}")),
        Place::File(path) => {
            let text = |part: Option<&std::ffi::OsStr>| {
                part.unwrap_or_default().to_string_lossy().into_owned()
            };
            let command = format!(
                "speclex gen {}",
                escape::shell_word(&text(path.file_name()))
            );
            (text(path.file_stem()), command)
        }
        Place::Text(source) => (source.name.clone(), "speclex".to_owned()),
    }
}

fn source(items: TokenStream, header: &[String]) -> Result<String, BuildError> {
    emit::file(items, header).map_err(|error| {
        BuildError(format!(
            "the generator made invalid Rust, please report it: {error}"
        ))
    })
}

/// Refuses a file that was not generated.
fn refuse(path: &Path) -> Result<(), BuildError> {
    match files::regular(path).and_then(io::read_to_string) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(found) if emit::is_generated(&found) => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(cannot_write(path, &error)),
        _ => Err(BuildError(format!(
            "{} was not generated, and is not overwritten: its first line does not say so; `force()` overwrites it",
            escape::line(&path.display().to_string())
        ))),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> BuildError {
    let path = escape::line(&path.display().to_string());
    BuildError(format!("cannot write {path}: {error}"))
}

/// Writes a file beside its place, which links may name, and moves it there, unless it has the contents already. It keeps its
/// mode.
fn write(path: &Path, contents: &str) -> Result<(), BuildError> {
    let found = files::regular(path).and_then(io::read_to_string);
    if found.is_ok_and(|found| found == contents) {
        return Ok(());
    }
    let failed = |error: io::Error| cannot_write(path, &error);
    let path = &files::target(path).map_err(failed)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // Two build scripts may write the same file at once.
    let beside = path.with_extension(format!("rs.{}", std::process::id()));
    let moved = fs::write(&beside, contents)
        .and_then(|()| match fs::metadata(path) {
            Ok(before) => fs::set_permissions(&beside, before.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // What is left of it, if anything is.
        let _ = fs::remove_file(&beside);
    }
    moved.map_err(failed)
}

/// Why there is no module. A build script that returns it shows it as it is to be read.
pub struct BuildError(String);

impl From<files::Failure> for BuildError {
    fn from(failure: files::Failure) -> Self {
        Self(failure.to_string())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What `main` prints: a report over many lines, not a string with escapes.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.0)
    }
}

impl std::error::Error for BuildError {}
