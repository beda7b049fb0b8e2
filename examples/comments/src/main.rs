//! Cleans a comment on the standard input.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let comment = match io::read_to_string(io::stdin()) {
        Ok(comment) => comment,
        Err(error) => {
            eprintln!("the standard input: {error}");
            return ExitCode::from(2);
        }
    };
    // Whoever reads the output may have read enough.
    let _ = writeln!(io::stdout(), "{}", comments_example::clean(&comment));
    ExitCode::SUCCESS
}
