//! `explain`: an entry of the reference, or what a table says of an error, a state or an insertion mode.

mod table;
mod tree;

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
    let in_table = table::look_up(args.spec.as_deref(), &words)?;
    let of_reference = explain(&words);
    if !in_table.texts.is_empty() {
        // What only resembles the word is not meant.
        let same = |entry: &&Entry| entry.name.eq_ignore_ascii_case(&words);
        let entries = of_reference.iter().flatten().filter(same).map(text);
        let texts: Vec<_> = entries.chain(in_table.texts).collect();
        terminal::print(texts.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    match of_reference {
        Ok(found) => {
            let texts: Vec<_> = found.iter().map(text).collect();
            terminal::print(texts.join("\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(meant) => {
            let similar = in_table.similar.as_deref().into_iter().chain(meant);
            let help = match (
                speclex_codegen::closest(&words, similar),
                in_table.elsewhere,
            ) {
                (_, Some(command)) => format!("`{command}` explains that of another table"),
                (Some(meant), None) => format!("did you mean `{meant}`?"),
                (None, None) => {
                    "`speclex explain` lists the words of the table language".to_owned()
                }
            };
            let words = speclex_codegen::escape::line(&words);
            terminal::note(format_args!(
                "error: `{words}` is not a diagnostic code, phrase, guard, value, class, key or type, nor a parse error, \
                 state, insertion mode, arm or procedure of the table; {help}"
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
