//! `explain`: an entry of the reference.

use std::process::ExitCode;

use speclex_codegen::explain::{Entry, entries, explain};

use crate::args::Explain;
use crate::{Failure, terminal};

/// Explains; exits with 1 if there is no such word.
pub(crate) fn run(args: &Explain) -> Result<ExitCode, Failure> {
    if args.words.is_empty() {
        let mut kind = "";
        let mut list = String::new();
        for entry in entries() {
            if kind != entry.kind {
                kind = entry.kind;
                list += &format!("\n{kind}:\n");
            }
            list += &format!("  {}\n", entry.name);
        }
        terminal::print(list.trim_start())?;
        return Ok(ExitCode::SUCCESS);
    }
    let words = args.words.join(" ");
    match explain(&words) {
        Ok(found) => {
            let texts: Vec<_> = found.iter().map(text).collect();
            terminal::print(texts.join("\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(meant) => {
            let meant = meant.map_or_else(
                || "`speclex explain` lists all words".to_owned(),
                |meant| format!("did you mean `{meant}`?"),
            );
            let words = speclex_codegen::escape::line(&words);
            terminal::note(format_args!(
                "error: `{words}` is not a diagnostic code, phrase, guard, class or key; {meant}"
            ));
            Ok(ExitCode::from(1))
        }
    }
}

fn text(entry: &Entry) -> String {
    let example = match entry.example {
        Some(example) if example != entry.name => format!("  For example: {example}\n"),
        _ => String::new(),
    };
    format!(
        "{} ({})\n  {}\n{example}",
        entry.name, entry.kind, entry.about
    )
}
