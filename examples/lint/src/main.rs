//! Prints the parse errors of HTML pages.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let names: Vec<_> = env::args().skip(1).collect();
    if names.is_empty() {
        eprintln!("usage: lint-example PAGE...");
        return ExitCode::from(2);
    }
    let mut out = io::stdout().lock();
    let mut status = 0;
    for name in &names {
        match fs::read(name) {
            Ok(page) => {
                let report = lint_example::lint(name, &page);
                status = status.max(u8::from(report.errors > 0));
                // Whoever reads the output may have read enough.
                if out.write_all(report.text.as_bytes()).is_err() {
                    break;
                }
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                status = 2;
            }
        }
    }
    ExitCode::from(status)
}
