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
    // The reader of a pipe may close it early, which is no error here.
    let _ = writeln!(io::stdout(), "{}", comments_example::clean(&comment));
    ExitCode::SUCCESS
}
