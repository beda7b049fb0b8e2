//! A program with the builders of some tables, compiled as a user's crate.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use speclex_codegen::emit::Paths;
use speclex_codegen::tree::emit::module;

use super::Tried;
use crate::fuzz::build;
use crate::workspace;

/// A program that answers each document with its tree and errors, whatever way it comes.
const PROGRAM: &str = r#"
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! run {
    ($module:ident, $text:expr) => {{
        use tables::$module::{Builder, NAMES, Parser, parse};
        let (text, options) = ($text, speclex::tree::Options::default());
        let sink = speclex::DomSink::<true>::new(text, &NAMES);
        let mut parser = Parser::new(Builder::new(sink, &options));
        let middle = text.floor_char_boundary(text.len() / 2);
        parser.feed(&text[..middle]).unwrap();
        parser.feed(&text[middle..]).unwrap();
        parser.end().unwrap();
        let dom = parser.into_sink().into_sink().finish();
        let events = tables::EVENTS.take();
        assert_eq!(dom.dump(), parse(text).dump());
        assert_eq!(tables::EVENTS.take(), events);
        let errors = dom.errors().iter();
        let errors = errors.map(|it| format!("{} {} {}\n", it.offset, it.mode, it.kind));
        dom.dump() + &errors.collect::<String>() + &events
    }};
}

fn main() {
    // A document has some twenty tokens.
    static DONE: AtomicUsize = AtomicUsize::new(0);
    std::thread::spawn(|| {
        let mut before = usize::MAX;
        while before != DONE.load(Ordering::Relaxed) {
            before = DONE.load(Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        eprintln!("no end in sight");
        std::process::exit(1);
    });
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut rest = &*input;
    while let Some((head, after)) = rest.split_once('\n') {
        let (table, length) = head.split_once(' ').unwrap();
        let (text, after) = after.split_at(length.parse().unwrap());
        rest = after;
        let answer = answer(table, text);
        write!(std::io::stdout(), "{}\n{answer}", answer.len()).unwrap();
        DONE.fetch_add(1, Ordering::Relaxed);
    }
}
"#;

/// What all builders of a program share. A host notes what it is given, and answers no, null or the first word, as `speclex tree` does.
const LIBRARY: &str = r#"#![deny(warnings, missing_docs)]
//! Builders.

thread_local! {
    /// What hosts were given.
    pub static EVENTS: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

type Given<'n> = Option<&'n speclex::NodeId>;

fn event<const N: usize>(step: &str, given: [Given<'_>; N]) {
    let given = given.map(|node| if node.is_some() { " node" } else { " null" });
    EVENTS.with_borrow_mut(|all| *all += &format!("{step}{}\n", given.concat()));
}
"#;

/// Compiles the builders of some tables in a folder, and gives the answers to documents, each with the number of its table.
///
/// # Errors
/// When a builder does not compile without a warning, or the program ends too soon.
pub(super) fn answers(
    folder: &Path,
    tried: &[Tried],
    documents: &[(usize, String)],
) -> Result<Vec<String>, Box<dyn Error>> {
    let program = compile(folder, tried)?;
    let mut running = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut requests = Vec::new();
    for (table, text) in documents {
        write!(requests, "{table} {}\n{text}", text.len())?;
    }
    let mut input = running.stdin.take().ok_or("the program has no input")?;
    let writer = std::thread::spawn(move || input.write_all(&requests));
    let output = running.wait_with_output()?;
    // A program that ends too soon is noticed by its answers.
    let _ = writer.join();
    let mut rest = &*String::from_utf8_lossy(&output.stdout);
    let mut answers = Vec::new();
    for (table, text) in documents {
        let answer = rest.split_once('\n').and_then(|(length, after)| {
            let (answer, after) = after.split_at_checked(length.parse().ok()?)?;
            rest = after;
            Some(answer.to_owned())
        });
        answers.push(answer.ok_or_else(|| {
            format!(
                "the builder of table {table} breaks at {text:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            )
        })?);
    }
    Ok(answers)
}

/// Compiles the builders of some tables; the program.
fn compile(folder: &Path, tried: &[Tried]) -> Result<PathBuf, Box<dyn Error>> {
    let source = folder.join("src");
    fs::create_dir_all(&source)?;
    let runtime = workspace().join("runtime");
    let manifest = format!(
        "[package]\nname = \"tables\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nspeclex = {{ path = {runtime:?}, \
         default-features = false, features = [\"trees\"] }}\n\n[profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\n\n\
         [workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    let (mut library, mut arms) = (LIBRARY.to_owned(), String::new());
    for (index, Tried { pair, host, .. }) in tried.iter().enumerate() {
        let items = module(&pair.tree, Some(&pair.tokenizer), &Paths::default().runtime);
        let items = items.map_err(|faults| format!("{}: {}", pair.tree.name, faults.join("; ")))?;
        let file = speclex_codegen::emit::file(items, &[]).map_err(|error| error.to_string())?;
        fs::write(source.join(format!("t{index}.rs")), file)?;
        let _ = writeln!(library, "/// One of them.\npub mod t{index};");
        if !host.is_empty() {
            let _ = writeln!(
                library,
                "mod host_of_t{index} {{\n    use super::{{Given, event, t{index}::*}};\n    impl<const ERRORS: bool> Host for speclex::DomSink<'_, ERRORS> \
                 {{\n{host}    }}\n}}"
            );
        }
        let _ = writeln!(arms, "        \"{index}\" => run!(t{index}, text),");
    }
    fs::write(source.join("lib.rs"), library)?;
    let answer = format!(
        "fn answer(table: &str, text: &str) -> String {{\n    match table {{\n{arms}        _ => unreachable!(),\n    }}\n}}\n"
    );
    fs::write(source.join("main.rs"), format!("{PROGRAM}\n{answer}"))?;
    build(folder, folder)?;
    Ok(folder.join("target/debug/tables"))
}
