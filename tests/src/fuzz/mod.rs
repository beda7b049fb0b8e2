//! The fuzzers behind `cargo xtask fuzz` and the folder `fuzz`; see docs/fuzzing.md.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

pub mod case;
pub mod drive;
pub mod generate;
pub mod interpreted;
#[cfg(feature = "fuzz")]
pub mod libfuzzer;
pub mod shrink;
pub mod tables;
#[cfg(feature = "fuzz")]
pub mod tokenizer;
pub mod trees;
pub mod verdicts;
pub mod yaml;

/// How many cases are run, and which.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// How many.
    pub runs: u64,
    /// The seed of the first; each one has that of the one before plus one.
    pub seed: u64,
}

/// A case in which something is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong.
    pub what: String,
    /// The smallest case found.
    pub reproducer: String,
    /// What runs the case that it was made of.
    pub command: String,
}

/// Runs a check; a panic is an error, too.
fn caught<T>(check: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!(
            "it panics: {}",
            text.unwrap_or("without a message")
        ))
    })
}

/// Compiles a package of generated code, with its target folder in `folder`.
fn build(package: &Path, folder: &Path) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    match built.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&built.stderr);
            Err(format!("generated code does not compile:\n{said}"))
        }
    }
}

/// Says on standard error how far a long run is.
#[derive(Debug)]
struct Progress<'t> {
    target: &'t str,
    runs: u64,
    done: u64,
}

impl<'t> Progress<'t> {
    /// How many cases are run between two reports.
    const STEP: u64 = 500_000;

    fn new(target: &'t str, runs: u64) -> Self {
        Self {
            target,
            runs,
            done: 0,
        }
    }

    fn step(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(Self::STEP) {
            eprintln!("{}: {} of {} cases", self.target, self.done, self.runs);
        }
    }
}
