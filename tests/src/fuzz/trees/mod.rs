//! The target `trees`: tables of tree construction mean the same in the interpreter and as compiled builders: random ones, two whose
//! tokens are their own, and shipped ones with a change each.

mod edits;
mod program;
mod write;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use speclex_analysis::tree::{Environment, HostEvent, Parsed, parse};
use speclex_codegen::Severity;
use speclex_codegen::files::{Place, Readable, find_tree};
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;

use super::{Failure, Run};
use crate::random::Random;
use crate::random_documents::{document, xml};
use crate::workspace;

/// A table of tree construction, and its tokenizer's.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Tree construction.
    pub tree: TreeMachine,
    /// The tokenizer.
    pub tokenizer: Machine,
}

impl Pair {
    /// A table that ships.
    ///
    /// # Panics
    /// When there is none of this name.
    pub fn named(tree: &str) -> Self {
        let machines = speclex_cli::tree_machines(tree);
        let (tree, tokenizer) = machines.unwrap_or_else(|e| panic!("{}", e.render(false)));
        Self { tree, tokenizer }
    }

    /// The table of a file.
    fn of_file(path: &str) -> Result<Self, String> {
        let place = Place::File(workspace().join(path));
        let found = find_tree(place, Path::new(""), &Readable::around(workspace()));
        let found = found.map_err(|failure| failure.to_string())?;
        match found.tree.warnings.count(Severity::Warning) {
            0 => Ok(Self {
                tree: found.tree.machine,
                tokenizer: found.tokenizer.machine,
            }),
            _ => Err(found.tree.warnings.to_string()),
        }
    }

    /// A shipped table with a change of its text, and that text.
    fn changed(table: &str, random: &mut Random) -> (Self, String) {
        let Self { tokenizer, .. } = Self::named(table);
        let text = speclex_tables::tree(table).map_or("", |it| it.text);
        loop {
            let text = edits::changed(text, random);
            if let Some(tree) = write::machine(&text, &tokenizer) {
                return (Self { tree, tokenizer }, text);
            }
        }
    }

    /// The interpreter's tree.
    ///
    /// # Errors
    /// When the steps come to no end.
    pub fn parse(&self, input: &str, environment: &Environment) -> Result<Parsed, String> {
        parse(&self.tokenizer, &self.tree, input, environment)
            .map_err(|refusal| refusal.to_string())
    }

    /// What the interpreter makes of a document, as the program writes it; nothing where the steps come to no end.
    fn expected(&self, text: &str) -> Option<String> {
        let parsed = self.parse(text, &Environment::default()).ok()?;
        let mut answer = parsed.tree.dump();
        for error in &parsed.tree_errors {
            let (mode, kind) = (
                &self.tree.modes[error.mode].name,
                &self.tree.kinds[error.kind].name,
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
}

/// Tables that are written from nothing, what stands in their documents, and the methods of their hosts.
const OWN: [(&str, &[&str], &str); 2] = [
    (
        "cli/src/init/outline-tree.yaml",
        &["(", "(a ", "(b\n", ")", "x", " ", "\n", "é", "\0", "\r\n"],
        "",
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
        SECTIONS_HOST,
    ),
];

/// The host of the second table: its names meet each other and those of a sink.
const SECTIONS_HOST: &str = r#"
        fn detach(&mut self, node_1: Given<'_>, node_2: Given<'_>) {
            event("detach", [node_1, node_2]);
        }
        fn frob_nicate(&mut self, node: Given<'_>) -> bool {
            event("frob-nicate", [node]);
            false
        }
        fn frob_nicate_2(&mut self) -> speclex::tree::HostAnswer {
            event("frob nicate", []);
            speclex::tree::HostAnswer::No
        }
        fn set_document_mode_2(&mut self, node: Given<'_>) -> speclex::tree::HostAnswer {
            event("set document mode", [node]);
            speclex::tree::HostAnswer::No
        }
        fn sections_are_numbered(&mut self) -> bool {
            false
        }
        fn kind_of_remarks(&mut self) -> KindOfRemarks {
            KindOfRemarks::Plain
        }
        fn host(&mut self) -> Option<Self::Node> {
            None
        }
"#;

/// What the run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Tables that were compiled.
    pub compiled: usize,
    /// Documents that were parsed.
    pub documents: usize,
}

/// A table with what documents for it are made of; nothing for those of HTML and XML.
struct Tried {
    pair: Pair,
    pieces: Option<Vec<String>>,
    /// What the table is: its text, or its name.
    shown: String,
    /// The methods of its own host.
    host: &'static str,
}

/// How many documents each table gets.
const DOCUMENTS: usize = 1_000;

/// After so many documents with which its steps come to no end a table gets no more: each takes long.
const ENDLESS: usize = 3;

/// How many tables are compiled at once.
const BATCH: usize = 48;

/// Runs so many random tables, a change of a shipped one for each two of them, and those with tokens of their own.
///
/// # Errors
/// The first document for which something differs, with its table.
pub fn run(run: Run) -> Result<Summary, Failure> {
    let failure = |what: String, reproducer: String| Failure {
        what,
        reproducer,
        command: format!(
            "cargo xtask fuzz trees --runs {} --seed {}",
            run.runs, run.seed
        ),
    };
    let mut summary = Summary::default();
    let mut tried = Vec::new();
    for (path, pieces, host) in OWN {
        tried.push(Tried {
            pair: Pair::of_file(path).map_err(|what| failure(what, path.to_owned()))?,
            pieces: Some(pieces.iter().map(|piece| (*piece).to_owned()).collect()),
            shown: path.to_owned(),
            host,
        });
    }
    let tokenizers = write::TOKENIZERS.map(|name| Pair::named(name).tokenizer);
    for index in 0..run.runs {
        let mut random = Random::new(run.seed.wrapping_add(index));
        let tokenizer = random.one(&tokenizers);
        let (shown, tree) = write::table(tokenizer, &mut random);
        tried.push(Tried {
            pair: Pair {
                tree,
                tokenizer: tokenizer.clone(),
            },
            pieces: Some(write::PIECES.map(str::to_owned).to_vec()),
            shown,
            host: write::HOST,
        });
        if index % 2 == 0 {
            let shipped = *random.one(&["xml5-tree", "html-tree-2026-06"]);
            let (pair, shown) = Pair::changed(shipped, &mut random);
            tried.push(Tried {
                pair,
                pieces: None,
                shown,
                host: "",
            });
        }
    }
    let mut random = Random::new(run.seed);
    for tried in tried.chunks(BATCH) {
        summary.documents +=
            compare(tried, &mut random).map_err(|(what, shown)| failure(what, shown))?;
        summary.compiled += tried.len();
    }
    Ok(summary)
}

/// Gives documents to both; how many.
fn compare(tried: &[Tried], random: &mut Random) -> Result<usize, (String, String)> {
    let (mut documents, mut expected) = (Vec::new(), Vec::new());
    for (index, it) in tried.iter().enumerate() {
        let mut endless = 0;
        for _ in 0..DOCUMENTS {
            if endless == ENDLESS {
                break;
            }
            let text = match &it.pieces {
                Some(pieces) => {
                    let pieces = (0..random.below(20)).map(|_| random.one(pieces).as_str());
                    pieces.collect()
                }
                None if it.pair.tree.fragments.is_none() => xml(random).concat(),
                None => document(random).concat(),
            };
            if let Some(answer) = it.pair.expected(&text) {
                documents.push((index, text));
                expected.push(answer);
            } else {
                endless += 1;
            }
        }
    }
    let folder = workspace().join("target/fuzz/trees");
    let answers = program::answers(&folder, tried, &documents);
    let all = || tried.iter().map(|it| it.shown.as_str()).collect::<Vec<_>>();
    let answers = answers.map_err(|error| (error.to_string(), all().join("\n---\n")))?;
    // The shortest document of each table.
    let mut differing: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for (((index, text), answer), expected) in documents.iter().zip(answers).zip(expected) {
        if answer != expected
            && (differing.get(index)).is_none_or(|(length, _)| text.len() < *length)
        {
            let what = format!("{text:?}: builder\n{answer}interpreter\n{expected}");
            differing.insert(*index, (text.len(), what));
        }
    }
    let found = differing
        .iter()
        .map(|(index, (_, what))| (what.as_str(), tried[*index].shown.as_str()));
    let (what, tables): (Vec<_>, Vec<_>) = found.unzip();
    match what.is_empty() {
        true => Ok(documents.len()),
        false => Err((what.join("\n---\n"), tables.join("\n---\n"))),
    }
}
