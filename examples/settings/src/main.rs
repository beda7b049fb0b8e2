//! Prints a setting of a file.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

use settings_example::Settings;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, section, name] = &arguments[..] else {
        eprintln!("usage: settings-example FILE SECTION NAME");
        return ExitCode::from(2);
    };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let settings = Settings::read(&text);
    for (offset, code) in settings.errors() {
        eprintln!("{path}: {code} at byte {offset}");
    }
    let Some(value) = settings.get(section, name) else {
        eprintln!("{path}: there is no {name} in {section}");
        return ExitCode::from(1);
    };
    // The reader of a pipe may close it early, which is no error here.
    let _ = writeln!(io::stdout(), "{value}");
    ExitCode::SUCCESS
}
