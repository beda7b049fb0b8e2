//! Documents on which two tables differ, and whether `diff --input` names a change for each.

use std::fmt;

use speclex_analysis::diff::{Blame, ErrorComparison, difference};
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::StreamErrors;
use speclex_codegen::machine::Feedback;

use crate::fuzz::generate::{Corpus, Generator};
use crate::random::Random;
use crate::revision::Revision;
use crate::{files, shared, workspace};

/// How much of a real document is read.
const DOCUMENT: usize = 60_000;

/// What became of the documents of a comparison.
#[derive(Debug)]
pub struct Documents {
    names: [String; 2],
    read: usize,
    differ: usize,
    /// Documents on which the tables differ for no reason that was found.
    without_cause: Vec<String>,
}

impl fmt::Display for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.names;
        let without = self.without_cause.len();
        write!(
            f,
            "{one} and {other}: {} documents, {} differ, {without} without a cause",
            self.read, self.differ
        )?;
        let mut shown = self.without_cause.iter().take(10);
        shown.try_for_each(|document| write!(f, "\n  {document:?}"))
    }
}

impl Documents {
    /// Whether each difference has a cause.
    pub fn all_have_causes(&self) -> bool {
        self.without_cause.is_empty()
    }
}

/// The checked-in comparisons of tokenizers.
pub fn comparisons() -> Vec<[String; 2]> {
    let pages = files(&workspace().join("docs/diffs"), &["md"]);
    let pages = pages.iter().filter_map(|page| page.file_stem()?.to_str());
    let pairs = pages.filter_map(|stem| stem.split_once("--"));
    // Some pages compare tables of tree construction.
    let pairs = pairs.filter(|(a, _)| speclex_tables::get(a).is_some());
    pairs.map(|(a, b)| [a.to_owned(), b.to_owned()]).collect()
}

/// Reads random documents, made of what both tables tell apart, and all real ones.
pub fn read(names: &[String; 2], random_documents: usize, seed: u64) -> Documents {
    let revisions = names.each_ref().map(|name| Revision::shared(name));
    let machines = revisions.map(|revision| &revision.machine);
    let compared = ErrorComparison::of(machines[0], machines[1]);
    let blame = Blame::new(machines[0], machines[1]);
    let mut engines = machines.map(InterpreterEngine::new);
    let streams = machines.map(StreamErrors::of);
    let mut documents = Documents {
        names: names.clone(),
        read: 0,
        differ: 0,
        without_cause: Vec::new(),
    };
    let mut read = |input: &str| {
        let request = Request {
            input,
            feedback: Feedback::Scripting,
            ..Request::default()
        };
        documents.read += 1;
        let mut sides = engines.iter_mut().zip(&streams);
        let mut output = || {
            let (engine, stream) = sides.next()?;
            let output = engine.tokenize(&request).ok()?;
            Some(output.coalesced().with_sorted_errors(stream))
        };
        let outputs = output().zip(output());
        let kind = outputs.and_then(|(one, other)| difference(&one, &other, compared));
        if let Some(kind) = kind {
            documents.differ += 1;
            let blamed = blame.find(&request, kind);
            if blamed.is_none_or(|blamed| blamed.labels.iter().any(String::is_empty)) {
                documents.without_cause.push(input.to_owned());
            }
        }
    };
    let corpus = Corpus::read();
    let generators = machines.map(|machine| Generator::new(machine, &corpus));
    for (index, generator) in (0..random_documents).zip(generators.iter().cycle()) {
        let seed = seed.wrapping_add(index as u64);
        read(&generator.input(&mut Random::new(seed)));
    }
    let folder = shared("corpora");
    for path in folder
        .iter()
        .flat_map(|folder| files(folder, &["html", "xml", "svg"]))
    {
        let bytes = std::fs::read(path).unwrap_or_default();
        let bytes = &bytes[..bytes.len().min(DOCUMENT)];
        read(&String::from_utf8_lossy(bytes));
    }
    documents
}
