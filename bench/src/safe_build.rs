//! The build without `unsafe` code: this program once more without the feature `simd`. It runs in a process of its
//! own, which loads the documents of the class and times itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::contender::Contender;
use crate::contenders::baseline;
use crate::corpus::Corpus;
use crate::{cargo, worker};

/// Builds the program.
///
/// # Errors
/// When it cannot be built.
pub fn build() -> io::Result<PathBuf> {
    eprintln!("building the program without `unsafe` code");
    cargo::build("speclex-bench", &[], &cargo::target()?.join("safe-build"))
}

/// The baseline of a class, in that program.
///
/// # Errors
/// When the program cannot be started.
pub fn contender(program: &Path, corpus: &Corpus) -> io::Result<Contender> {
    let name = baseline(corpus);
    let mut command = Command::new(program);
    command.args(["serve", name, corpus.class]);
    worker::contender(format!("{name}, safe build"), &mut command, |_| Ok(()))
}
