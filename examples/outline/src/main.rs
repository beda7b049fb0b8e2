//! Writes an outline as HTML.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: outline-example FILE");
        return ExitCode::from(2);
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let (html, errors) = outline_example::to_html(&text);
    for line in &errors {
        eprintln!("{path}:{line}: a heading of a rank below 3");
    }
    // The reader of a pipe may close it early, which is no error here.
    let _ = writeln!(io::stdout(), "{html}");
    ExitCode::from(u8::from(!errors.is_empty()))
}
