//! Users' tables become code that compiles without a warning and does what the interpreter does: two tables with vocabularies that
//! they declare, and the shipped ones with a change each.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use libtest_mimic::Failed;
use speclex_analysis::tree::{Environment, HostEvent};
use speclex_codegen::Severity;
use speclex_codegen::emit::Paths;
use speclex_codegen::files::{Place, Readable, find_tree};
use speclex_codegen::tree::emit::module;
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::{document, xml};
use speclex_tests::workspace;

use crate::html::Pair;
use crate::xml::mutants_of;

/// Tables that are written from nothing, and what stands in their documents.
const OWN: [(&str, &[&str]); 2] = [
    (
        "cli/src/init/outline-tree.yaml",
        &["(", "(a ", "(b\n", ")", "x", " ", "\n", "é", "\0", "\r\n"],
    ),
    (
        "tests/tables/sections-tree.yaml",
        &[
            "[names]",
            "[sets]",
            "[a x=y]",
            "[a x=Y old=1]",
            "[b/]",
            "[raw]",
            "[new r=s]",
            "[image]",
            "[",
            "{names}",
            "{a}",
            "{b}",
            "{}",
            "{raw}",
            "{img}",
            "|",
            "#c\n",
            "@x ",
            "@y ",
            "@ ",
            "x",
            "y\n",
            " ",
            "é",
            "\0",
        ],
    ),
];

/// A program that answers each document with its tree and errors, whatever way it comes.
const PROGRAM: &str = r#"
use std::io::{Read, Write};

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
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut rest = &*input;
    while let Some((head, after)) = rest.split_once('\n') {
        let (table, length) = head.split_once(' ').unwrap();
        let (text, after) = after.split_at(length.parse().unwrap());
        rest = after;
        let answer = answer(table, text);
        write!(std::io::stdout(), "{}\n{answer}", answer.len()).unwrap();
    }
}
"#;

/// The host of the second table: its names meet each other and those of a sink. It says no, and what it was given.
const HOST: &str = r#"
thread_local!(pub static EVENTS: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) });

fn event<const N: usize>(step: &str, given: [Option<&speclex::NodeId>; N]) {
    let given = given.map(|node| if node.is_some() { " node" } else { " null" });
    EVENTS.with_borrow_mut(|all| *all += &format!("{step}{}\n", given.concat()));
}

impl<const ERRORS: bool> t1::Host for speclex::DomSink<'_, ERRORS> {
    fn detach(&mut self, node_1: Option<&Self::Node>, node_2: Option<&Self::Node>) {
        event("detach", [node_1, node_2]);
    }
    fn frob_nicate(&mut self, node: Option<&Self::Node>) -> bool {
        event("frob-nicate", [node]);
        false
    }
    fn frob_nicate_2(&mut self) -> speclex::tree::HostAnswer {
        event("frob nicate", []);
        speclex::tree::HostAnswer::No
    }
    fn set_document_mode_2(&mut self, node: Option<&Self::Node>) -> speclex::tree::HostAnswer {
        event("set document mode", [node]);
        speclex::tree::HostAnswer::No
    }
    fn sections_are_numbered(&mut self) -> bool {
        false
    }
    fn kind_of_remarks(&mut self) -> t1::KindOfRemarks {
        t1::KindOfRemarks::Plain
    }
    fn host(&mut self) -> Option<Self::Node> {
        None
    }
}
"#;

/// Both tables of a file.
fn own(path: &str) -> Result<Pair, Failed> {
    let path = workspace().join(path);
    let found = find_tree(
        Place::File(path),
        Path::new(""),
        &Readable::around(workspace()),
    );
    let found = found.map_err(|failure| failure.to_string())?;
    if found.tree.warnings.count(Severity::Warning) > 0 {
        return Err(found.tree.warnings.to_string().into());
    }
    Ok(Pair {
        tree: found.tree.machine,
        tokenizer: found.tokenizer.machine,
    })
}

/// A shipped table with another body in the place of one.
fn changed(table: &str, random: &mut Random) -> Pair {
    let mut pair = Pair::named(table);
    let body = random.below(pair.tree.bodies.len());
    let mutants = mutants_of(&pair.tree.bodies[body]);
    if !mutants.is_empty() {
        pair.tree.bodies[body] = random.one(&mutants).clone();
    }
    pair
}

/// What the interpreter makes of a document, as the program writes it; nothing where the steps come to no end.
fn expected(pair: &Pair, text: &str) -> Option<String> {
    let parsed = pair.parse(text, &Environment::default()).ok()?;
    let mut answer = parsed.tree.dump();
    for error in &parsed.tree_errors {
        let (mode, kind) = (
            &pair.tree.modes[error.mode].name,
            &pair.tree.kinds[error.kind].name,
        );
        let _ = writeln!(answer, "{} {mode} {kind}", error.offset);
    }
    for HostEvent {
        step, arguments, ..
    } in &parsed.host_events
    {
        answer += step;
        for argument in arguments {
            answer += [" node", " null"][usize::from(argument == "null")];
        }
        answer.push('\n');
    }
    Some(answer)
}

/// Compiles the builders of some tables; the program.
fn compile(pairs: &[Pair]) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builders");
    let source = folder.join("src");
    fs::create_dir_all(&source)?;
    let runtime = workspace().join("runtime");
    let manifest = format!(
        "[package]\nname = \"tables\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nspeclex = {{ path = {runtime:?}, \
         default-features = false, features = [\"trees\"] }}\n\n[profile.dev]\ndebug = false\nincremental = false\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    let mut library = format!("#![deny(warnings)]\n{HOST}");
    let mut arms = String::new();
    for (index, pair) in pairs.iter().enumerate() {
        let items = module(&pair.tree, Some(&pair.tokenizer), &Paths::default().runtime);
        let items = items.map_err(|faults| format!("{}: {}", pair.tree.name, faults.join("; ")))?;
        let file = speclex_codegen::emit::file(items, &[]).map_err(|error| error.to_string())?;
        fs::write(source.join(format!("t{index}.rs")), file)?;
        let _ = writeln!(library, "pub mod t{index};");
        let _ = writeln!(arms, "        \"{index}\" => run!(t{index}, text),");
    }
    fs::write(source.join("lib.rs"), library)?;
    let answer = format!(
        "fn answer(table: &str, text: &str) -> String {{\n    match table {{\n{arms}        _ => unreachable!(),\n    }}\n}}\n"
    );
    fs::write(source.join("main.rs"), format!("{PROGRAM}\n{answer}"))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()?;
    match built.status.success() {
        true => Ok(folder.join("target/debug/tables")),
        false => Err(String::from_utf8_lossy(&built.stderr).into_owned().into()),
    }
}

fn tables(changes: usize, documents: usize) -> Result<(), Failed> {
    let mut random = Random::named("tables of one's own");
    let mut pairs: Vec<Pair> = OWN
        .iter()
        .map(|(path, _)| own(path))
        .collect::<Result<_, _>>()?;
    for table in ["xml5-tree", "html-tree-living"] {
        pairs.extend((0..changes).map(|_| changed(table, &mut random)));
    }
    let program = compile(&pairs)?;
    let (mut requests, mut answers) = (Vec::new(), Vec::new());
    for (index, pair) in pairs.iter().enumerate() {
        for _ in 0..documents {
            let text = match OWN.get(index) {
                Some((_, pieces)) => {
                    let pieces = (0..random.below(20)).map(|_| *random.one(pieces));
                    pieces.collect()
                }
                None if pair.tree.fragments.is_none() => xml(&mut random).concat(),
                None => document(&mut random).concat(),
            };
            if let Some(answer) = expected(pair, &text) {
                write!(requests, "{index} {}\n{text}", text.len())?;
                answers.push((index, text, answer));
            }
        }
    }
    let mut running = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = running.stdin.take().ok_or("no input")?;
    let writer = std::thread::spawn(move || input.write_all(&requests));
    let output = running.wait_with_output()?;
    writer.join().map_err(|_| "the writer panics")??;
    let output = String::from_utf8(output.stdout)?;
    let mut rest = &*output;
    for (index, text, answer) in answers {
        let (length, after) = rest
            .split_once('\n')
            .ok_or_else(|| format!("{index}: {text:?} breaks it"))?;
        let (found, after) = after.split_at(length.parse()?);
        rest = after;
        if found != answer {
            let table = &pairs[index].tree.name;
            return Err(format!(
                "{table} ({index}), {text:?}: builder\n{found}interpreter\n{answer}"
            )
            .into());
        }
    }
    Ok(())
}

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_ignored("builders: tables of one's own", || tables(4, 3_000));
}
