//! Edits a page, and says how much of it was read again: `editor-example PAGE START..END=TEXT...`.
#![forbid(unsafe_code)]

use std::ops::Range;
use std::process::ExitCode;
use std::{env, fs};

use editor_example::Page;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let Some((name, edits)) = arguments.split_first() else {
        eprintln!("usage: editor-example PAGE START..END=TEXT...");
        return ExitCode::from(2);
    };
    match run(name, edits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str, edits: &[String]) -> Result<(), String> {
    let text = fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?;
    let mut page = Page::new(&text);
    println!(
        "{name}: {} bytes, {} tokens",
        text.len(),
        page.tokens().len()
    );
    for edit in edits {
        let text = page.text();
        let (range, new) = parse(edit).ok_or_else(|| format!("`{edit}` is not START..END=TEXT"))?;
        if text.get(range.clone()).is_none() {
            return Err(format!(
                "{edit}: there are no such bytes, or they end inside a character"
            ));
        }
        let read = page.edit(range, new);
        let (bytes, tokens) = (page.text().len(), page.tokens().len());
        println!(
            "{edit}: {read} of {bytes} bytes read again; {tokens} tokens, {} errors",
            page.errors().len()
        );
    }
    Ok(())
}

/// An edit, such as `17..20=<b>`.
fn parse(edit: &str) -> Option<(Range<usize>, &str)> {
    let (range, text) = edit.split_once('=')?;
    let (start, end) = range.split_once("..")?;
    Some((start.parse().ok()?..end.parse().ok()?, text))
}
