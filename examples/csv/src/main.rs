//! Prints the records of a CSV file, one a line, and says what is wrong with it and where.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

use speclex::LineIndex;

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: csv-example FILE");
        return ExitCode::from(2);
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let (records, errors) = csv_example::read(&text);
    let mut out = io::stdout().lock();
    for record in records {
        // Whoever reads the output may have read enough.
        if writeln!(out, "{record:?}").is_err() {
            return ExitCode::SUCCESS;
        }
    }
    let mut lines = LineIndex::new();
    lines.push(&text);
    for error in &errors {
        let at = lines.locate(error.offset);
        eprintln!("{path}:{}:{}: {}", at.line, at.column, error.code);
    }
    ExitCode::from(u8::from(!errors.is_empty()))
}
