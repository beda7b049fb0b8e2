//! Single changes of a table of tree construction, and whether `diff` finds a document for each that documents tell apart.

use std::fmt;
use std::path::PathBuf;

use speclex_analysis::tree::errors::TreeError;
use speclex_analysis::tree::{Context, Environment, Node, Parser, Scripting};
use speclex_analysis::tree_cover::Test;
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;

use crate::random::Random;
use crate::random_documents::{CONTEXTS, document};
use crate::tree_cases::read_dat;
use crate::{files, shared, workspace};

/// Words that are exchanged for each other.
const WORDS: [[&str; 2]; 12] = [
    [" and ", " or "],
    [" is not ", " is "],
    [" is ", " is not "],
    [" does not have ", " has "],
    ["in button scope", "in list item scope"],
    ["in list item scope", "in button scope"],
    ["in table scope", "in scope"],
    ["in scope", "in table scope"],
    ["to not ok", "to ok"],
    ["enable foster", "disable foster"],
    ["disable foster", "enable foster"],
    ["RCDATA", "raw text"],
];

/// How many of a hundred changes that documents tell apart may have no document.
const MISSED: usize = 5;

/// What became of the changes.
#[derive(Debug, Default)]
pub struct Trees {
    planted: usize,
    shown: usize,
    /// Those without a document: the edit, whether both do the same is said of it, and a document on which the tables differ, if there
    /// is one.
    unshown: Vec<(String, bool, Option<String>)>,
    /// How many make another tree or number of errors of a test, for each suite.
    noticed: [usize; 2],
    /// Those that only one suite notices.
    by_one: Vec<(String, &'static str)>,
}

/// The suites that are asked.
const SUITES: [&str; 2] = ["html5lib-tests", "the cover suite"];

impl Trees {
    /// Whether few are missed of those that documents tell apart, at most this many if that is given, and none of these is said to make no
    /// difference.
    pub fn is_well(&self, most: Option<usize>) -> bool {
        let missed = self.missed();
        let is_wrong =
            |(_, is_alike, found): &(String, bool, Option<String>)| *is_alike && found.is_some();
        let are_few = match most {
            Some(most) => missed <= most,
            None => missed * 100 <= MISSED * (self.shown + missed),
        };
        are_few && !self.unshown.iter().any(is_wrong)
    }

    fn missed(&self) -> usize {
        self.unshown
            .iter()
            .filter(|(_, _, it)| it.is_some())
            .count()
    }
}

impl fmt::Display for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (planted, shown) = (self.planted, self.shown);
        write!(
            f,
            "{planted} changes; {shown} have a document; of the {} others, documents tell {} apart",
            self.unshown.len(),
            self.missed()
        )?;
        for (suite, noticed) in SUITES.iter().zip(self.noticed) {
            write!(f, "\n{suite} notices {noticed}")?;
        }
        for (edit, suite) in &self.by_one {
            write!(f, "\n  only {suite}: {edit}")?;
        }
        let mut others = self.unshown.iter();
        others.try_for_each(|(edit, is_alike, document)| match (document, is_alike) {
            (Some(document), false) => write!(f, "\n  missed: {edit}: {document:?}"),
            (Some(document), true) => write!(f, "\n  wrongly alike: {edit}: {document:?}"),
            (None, false) => write!(f, "\n  no difference known: {edit}"),
            (None, true) => write!(f, "\n  alike: {edit}"),
        })
    }
}

/// Plants changes in a shipped table, one at a time. Whether those without a document make a difference is asked of the suites and
/// of random documents, not of the search.
///
/// # Errors
/// When there is no such table, or a file cannot be written.
pub fn prove_trees(
    table: &str,
    count: usize,
    documents: usize,
    seed: u64,
) -> Result<Trees, Box<dyn std::error::Error>> {
    let text = speclex_tables::tree(table).ok_or("no such table")?.text;
    let lines: Vec<&str> = text.lines().collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("element types:"));
    let first = first.unwrap_or_default();
    let path = std::env::temp_dir().join(format!("speclex-planted-{}.yaml", std::process::id()));
    let file = path.display().to_string();
    let mut random = Random::new(seed);
    let mut trees = Trees::default();
    let suites = [
        shared("html5lib-tests/tree-construction").map_or_else(Vec::new, |it| files(&it, &["dat"])),
        // Its documents are tried on all tables.
        vec![workspace().join("tests/suites/html-tree-living.dat")],
    ];
    let [html5lib, cover] = suites.map(|paths| tests(&paths));
    let suites = [html5lib?, cover?];
    while trees.planted < count {
        let at = first + random.below(lines.len() - first);
        let Some((edit, edited)) = edited(&lines, at, &mut random) else {
            continue;
        };
        std::fs::write(&path, edited)?;
        // Most edits that make no table are steps that others need.
        let Ok(comparison) = speclex_cli::diff_trees(table, &file) else {
            continue;
        };
        if comparison.changes.is_empty() {
            continue;
        }
        trees.planted += 1;
        let line = format!("line {}: {edit}", at + 1);
        if let [Ok(one), Ok(other)] = [table, &file].map(speclex_cli::tree_machines) {
            let notices = suites
                .each_ref()
                .map(|suite| notices([&one, &other], suite));
            for (noticed, notices) in trees.noticed.iter_mut().zip(notices) {
                *noticed += usize::from(notices);
            }
            let only = SUITES[usize::from(notices[1])];
            let is_by_one = notices[0] != notices[1];
            trees.by_one.extend(is_by_one.then(|| (line.clone(), only)));
        }
        match comparison
            .changes
            .iter()
            .any(|(_, witness)| witness.is_some())
        {
            true => trees.shown += 1,
            false => {
                let machines = [table, &file].map(speclex_cli::tree_machines);
                let [Ok(one), Ok(other)] = machines else {
                    continue;
                };
                let found = difference([&one, &other], documents, seed);
                let is_alike = comparison.changes.iter().all(|(change, _)| change.is_alike);
                trees.unshown.push((line.clone(), is_alike, found));
            }
        }
        eprintln!("{} of {count}: {line}", trees.planted);
    }
    std::fs::remove_file(&path)?;
    Ok(trees)
}

/// The table with another line, and what is other; `None` if this line cannot be changed in the chosen way.
fn edited(lines: &[&str], at: usize, random: &mut Random) -> Option<(String, String)> {
    let line = lines[at];
    let indent = |at: usize| {
        let line = lines.get(at)?;
        Some(line.len() - line.trim_start().len())
    };
    let is_step = |at: usize| {
        let is_whole = indent(at + 1) <= indent(at);
        is_whole
            && lines
                .get(at)
                .is_some_and(|line| line.trim_start().starts_with("- ") && !line.contains("- ? "))
    };
    let mut others = lines.to_vec();
    let changed;
    let edit = match random.below(4) {
        0 if is_step(at) => {
            others.remove(at);
            format!("without `{}`", line.trim())
        }
        1 if is_step(at) && is_step(at + 1) && indent(at) == indent(at + 1) => {
            others.swap(at, at + 1);
            format!("`{}` after the next step", line.trim())
        }
        2 => {
            let [from, to] = *random.one(&WORDS);
            let (before, after) = line.split_once(from)?;
            changed = format!("{before}{to}{after}");
            others[at] = &changed;
            format!("`{}` with `{to}` for `{from}`", line.trim())
        }
        3 => {
            // A name of a list is dropped.
            let names: Vec<&str> = line.split(", ").collect();
            let dropped = 1 + random.below(names.len());
            let name = *names.get(dropped)?;
            if name.len() > 24 || dropped + 1 == names.len() {
                return None;
            }
            let kept = names.iter().enumerate().filter(|(it, _)| *it != dropped);
            let kept: Vec<&str> = kept.map(|(_, name)| *name).collect();
            changed = kept.join(", ");
            others[at] = &changed;
            format!("without {name} in `{}`", line.trim())
        }
        _ => return None,
    };
    Some((edit, others.join("\n") + "\n"))
}

/// The tests of files, with and without scripting where both make the same tree.
fn tests(paths: &[PathBuf]) -> Result<Vec<Test>, Box<dyn std::error::Error>> {
    let mut cases = Vec::new();
    for path in paths {
        cases.extend(read_dat("", &std::fs::read_to_string(path)?)?);
    }
    let tests = cases.into_iter().flat_map(|case| {
        let scripting = case.scripting.map_or(vec![false, true], |on| vec![on]);
        scripting.into_iter().map(move |scripting| Test {
            input: case.data.clone(),
            context: case.context.clone(),
            scripting,
        })
    });
    Ok(tests.collect())
}

/// Whether a test makes another tree, or another number of errors.
fn notices(tables: [&(TreeMachine, Machine); 2], tests: &[Test]) -> bool {
    let mut parsers = tables.map(|(tree, tokenizer)| Parser::new(tokenizer, tree));
    tests.iter().any(|test| {
        let [one, other] = parsers.each_mut().map(|parser| {
            let parsed = parser.parse(&test.input, &test.environment()).ok()?;
            let errors = parsed.tree_errors.len() + parsed.tokenizer_errors.len();
            Some((parsed.tree.dump(), errors))
        });
        one != other
    })
}

/// A document on which two tables differ: of the suites, or a random one.
fn difference(tables: [&(TreeMachine, Machine); 2], documents: usize, seed: u64) -> Option<String> {
    let mut parsers = tables.map(|(tree, tokenizer)| Parser::new(tokenizer, tree));
    let mut differ = |input: &str, environment: &Environment| {
        let [one, other] = parsers.each_mut().map(|parser| {
            let parsed = parser.parse(input, environment).ok()?;
            let errors = parsed
                .tree_errors
                .iter()
                .map(|TreeError { offset, code, .. }| (*offset, *code));
            let errors: Vec<_> = errors.collect();
            // Numbers of nodes say only in which order they were made.
            let calls = parsed.host_calls.iter().map(|(host, node)| {
                let Some(Node::Element(element)) = node.map(|node| parsed.tree.node(node)) else {
                    return (*host, None);
                };
                (*host, Some(element.name.to_string()))
            });
            Some((parsed.tree.dump(), calls.collect::<Vec<_>>(), errors))
        });
        one != other
    };
    let modes = [Scripting::Disabled, Scripting::Normal, Scripting::Inert];
    let own = workspace().join("tests/tree-construction");
    let suites = shared("html5lib-tests/tree-construction")
        .into_iter()
        .chain([own]);
    for path in suites.flat_map(|folder| files(&folder, &["dat"])) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for case in read_dat("", &text).unwrap_or_default() {
            for scripting in modes {
                let environment = Environment {
                    scripting,
                    context: case.context.as_deref().map(Context::parse),
                    ..Environment::default()
                };
                if differ(&case.data, &environment) {
                    return Some(case.data);
                }
            }
        }
    }
    let contexts: Vec<String> = CONTEXTS
        .split(' ')
        .map(|name| name.replace('·', " "))
        .collect();
    let random = &mut Random::new(seed);
    (0..documents).find_map(|_| {
        let input = document(random).concat();
        let environment = Environment {
            scripting: *random.one(&modes),
            context: (random.below(4) == 0).then(|| Context::parse(random.one(&contexts).as_str())),
            has_shadow_roots: random.below(8) == 0,
            ..Environment::default()
        };
        differ(&input, &environment).then_some(input)
    })
}
