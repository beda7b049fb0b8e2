//! lexbor's full parse, in C: a process that `bench/lexbor.sh` builds.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::{cargo, worker};

/// The program; none, loudly, where it is not built.
///
/// # Errors
/// When this program does not know where it is.
pub fn program() -> io::Result<Option<PathBuf>> {
    let program = cargo::target()?.join("lexbor/lexbor");
    let is_built = program.is_file();
    if !is_built {
        eprintln!("LEFT OUT: lexbor. bench/lexbor.sh builds it");
    }
    Ok(is_built.then_some(program))
}

/// The contender. It is given the documents of the class, each behind its length.
///
/// # Errors
/// When it cannot be started, or does not take them.
pub fn contender(program: &Path, corpus: &Corpus) -> io::Result<Contender> {
    let name = "lexbor, full parse".to_owned();
    worker::contender(name, &mut Command::new(program), |requests| {
        writeln!(requests, "{}", corpus.documents.len())?;
        let mut pages = corpus.documents.iter();
        pages.try_for_each(|page| write!(requests, "{}\n{page}", page.len()))
    })
}
