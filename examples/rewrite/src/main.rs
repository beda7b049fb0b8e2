//! Copies a page from the standard input to the standard output and puts a prefix in front of every `href`.
#![forbid(unsafe_code)]

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(prefix), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: rewrite-example PREFIX <PAGE >REWRITTEN");
        return ExitCode::from(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let change = |href: &str| Some(format!("{prefix}{href}"));
    let rewritten = rewrite_example::rewrite(io::stdin().lock(), &mut out, change);
    match rewritten.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output may have read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rewrite-example: {error}");
            ExitCode::from(1)
        }
    }
}
