//! Who takes part for which class.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::bounds;
use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::ours::{self, style};
use crate::programs;
use crate::worker::Worker;

/// The environment variable that names lexbor's worker; `docs/performance.md` tells how to build it.
pub const LEXBOR_VARIABLE: &str = "SPECLEX_LEXBOR";
/// Its name in tables.
pub const LEXBOR: &str = "lexbor";

/// The revision that has to be measured against others, for a corpus.
pub fn leader(corpus: &Corpus) -> &'static str {
    match corpus.class {
        #[cfg(feature = "peers")]
        crate::csv::CLASS => crate::csv::OURS,
        "xml" => "xml5, borrowed",
        _ => "html-living, borrowed",
    }
}

/// A contender's revision.
pub fn revision(name: &str) -> &str {
    name.split(',').next().unwrap_or_default()
}

/// Everyone. The program without `unsafe` code, if given, runs in a process of its own.
///
/// # Errors
/// When a worker cannot be started.
pub fn contenders(corpus: &'static Corpus, safe: Option<&Path>) -> io::Result<Vec<Contender>> {
    #[cfg(feature = "peers")]
    if corpus.class == crate::csv::CLASS {
        return Ok(crate::csv::contenders(corpus));
    }
    let mut all = ours::contenders(corpus);
    if let Some(program) = safe {
        let name = ours::name(revision(leader(corpus)), style::SAFE);
        all.push(programs::elsewhere(name, program, corpus)?);
    }
    #[cfg(feature = "peers")]
    all.extend(crate::peers::contenders(corpus));
    if let (Some(program), false) = (std::env::var_os(LEXBOR_VARIABLE), corpus.is_xml()) {
        let worker = Worker::start(&mut Command::new(program), corpus)?;
        all.push(Contender::elsewhere(LEXBOR, corpus.documents.len(), worker));
    }
    all.extend(bounds::contenders(corpus));
    Ok(all)
}
