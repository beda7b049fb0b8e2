//! Tree construction of HTML: html5lib-tests, web-platform-tests and tests of our own, with and without scripting.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use libtest_mimic::Failed;
use speclex_analysis::tree::{Context, ContextMode, Environment, Event, Node, Scripting, Tree};
use speclex_tests::cases::Cases;
pub(crate) use speclex_tests::fuzz::trees::Pair;
use speclex_tests::random_documents::CONTEXTS;
use speclex_tests::tree_cases::{TreeCase, read_dat};
use speclex_tests::{files, shared, workspace};

use crate::built;

/// A table, and tests that it passes.
struct Plan {
    tree: &'static str,
    tests: Tests,
    /// How many runs there are: a test whose tree is the same with and without scripting is two.
    runs: usize,
}

enum Tests {
    /// The files of a folder of the shared test data, but not of folders in it: those need scripts.
    Shared(&'static str),
    /// A file of ours.
    Own(&'static str),
}

const PLANS: &[Plan] = &[
    Plan {
        tree: "html-tree-2026-06",
        tests: Tests::Shared("html5lib-tests/tree-construction"),
        runs: 3549,
    },
    Plan {
        tree: "html-tree-2026-08",
        tests: Tests::Shared("html5lib-tests/tree-construction"),
        runs: 3549,
    },
    Plan {
        tree: "html-tree-2026-08",
        tests: Tests::Own("tests/tree-construction/processing-instructions.dat"),
        runs: 156,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Shared("html5lib-tests/tree-construction"),
        runs: 3549,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/processing-instructions.dat"),
        runs: 156,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/since-2026-08.dat"),
        runs: 20,
    },
    Plan {
        tree: "html-tree-2026-06",
        tests: Tests::Own("tests/tree-construction/selectedcontent.dat"),
        runs: 146,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/selectedcontent.dat"),
        runs: 146,
    },
    Plan {
        tree: "html-tree-2026-06",
        tests: Tests::Own("tests/tree-construction/selectedcontent-fragments.dat"),
        runs: 8,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/selectedcontent-fragments.dat"),
        runs: 8,
    },
    Plan {
        tree: "html-tree-2026-06",
        tests: Tests::Own("tests/tree-construction/web-platform-tests.dat"),
        runs: 44,
    },
    Plan {
        tree: "html-tree-2026-08",
        tests: Tests::Own("tests/tree-construction/web-platform-tests.dat"),
        runs: 44,
    },
    Plan {
        tree: "html-tree-2026-08",
        tests: Tests::Own("tests/tree-construction/web-platform-tests-instructions.dat"),
        runs: 253,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/web-platform-tests.dat"),
        runs: 44,
    },
    Plan {
        tree: "html-tree-living",
        tests: Tests::Own("tests/tree-construction/web-platform-tests-instructions.dat"),
        runs: 253,
    },
];

/// Shared tests that list another number of errors than the table gives: `FILE:NUMBER | LISTED | GIVEN | REASON`, numbers
/// from 1.
const ERROR_COUNTS: &str = include_str!("../../tree-construction/error-counts.txt");

/// Tests that expect another tree than a table builds: `TABLE | FILE:NUMBER | REASON`.
const OTHER_TREES: &str = include_str!("../../tree-construction/other-trees.txt");

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("html: what the environment says", environment);
    for plan in PLANS {
        let (files, listed) = match plan.tests {
            Tests::Shared(folder) => {
                let Some(folder) = shared(folder) else {
                    continue;
                };
                let mut files = files(&folder, &["dat"]);
                files.retain(|path| path.parent() == Some(&folder));
                (files, listed())
            }
            Tests::Own(file) => (vec![workspace().join(file)], BTreeMap::new()),
        };
        add_plan(suite, plan, &files, &listed);
    }
}

fn add_plan(suite: &mut Cases, plan: &'static Plan, files: &[PathBuf], listed: &Listed) {
    let pair: Arc<OnceLock<Pair>> = Arc::default();
    let mut runs = 0;
    for path in files {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let cases = read_dat(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        for (case, number) in cases.into_iter().zip(1..) {
            let row = format!("{} | {name}:{number} | ", plan.tree);
            let is_other = OTHER_TREES.lines().any(|line| line.starts_with(&row));
            let listed = listed.get(&(name.clone(), number)).copied();
            let modes = match case.scripting {
                Some(on) => vec![on],
                None => vec![false, true],
            };
            runs += modes.len();
            let (pair, case) = (Arc::clone(&pair), Arc::new(case));
            let trial = format!("{}/{name}", plan.tree);
            suite.add(trial.clone(), format!("{trial}:{}", case.line), move || {
                let pair = pair.get_or_init(|| Pair::named(plan.tree));
                for (at, on) in modes.into_iter().enumerate() {
                    let checked = check(pair, &case, number, on, (at == 0).then_some(listed));
                    match is_other {
                        true if checked.is_ok() => {
                            return Err("it is listed with another tree, but passes".into());
                        }
                        true => {}
                        false => checked?,
                    }
                }
                Ok(())
            });
        }
    }
    let name = match plan.tests {
        Tests::Shared(name) | Tests::Own(name) => name,
    };
    suite.add_trial(
        format!("{}/{name}: count of runs", plan.tree),
        move || match runs == plan.runs {
            true => Ok(()),
            false => Err(format!("{runs} runs, expected {}", plan.runs).into()),
        },
    );
}

/// Numbers of errors that differ, by file and number of the test: those listed and those given.
type Listed = BTreeMap<(String, usize), (usize, usize)>;

fn listed() -> Listed {
    let lines = ERROR_COUNTS.lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let read = |line: &str| {
        let mut parts = line.split(" | ");
        let (file, number) = parts.next()?.rsplit_once(':')?;
        let mut count = || parts.next()?.parse().ok();
        Some((
            (file.to_owned(), number.parse().ok()?),
            (count()?, count()?),
        ))
    };
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("not a line of error counts: {line}")))
        .collect()
}

/// One run: the tree, the places of its tags, and in the first run of a test the number of errors.
fn check(
    pair: &Pair,
    case: &TreeCase,
    number: usize,
    scripting: bool,
    listed: Option<Option<(usize, usize)>>,
) -> Result<(), Failed> {
    let environment = Environment {
        scripting: match (scripting, &case.context) {
            (false, _) => Scripting::Disabled,
            (true, None) => Scripting::Normal,
            (true, Some(_)) => Scripting::Inert,
        },
        context: case.context.as_deref().map(Context::parse),
        ..Environment::default()
    };
    let context = case.context.as_ref().map(|name| name.replace(' ', "·"));
    if context.is_some_and(|name| !CONTEXTS.split(' ').any(|it| it == name)) {
        return Err("random fragments have no such context".into());
    }
    let parsed = pair.parse(&case.data, &environment)?;
    let dump = parsed.tree.dump();
    let dump = dump.trim_end_matches('\n');
    if dump != case.document {
        return Err(format!(
            "{:?}, scripting {scripting}\nexpected\n{}\nfound\n{dump}",
            case.data, case.document
        )
        .into());
    }
    check_places(&parsed.tree, &case.data)?;
    let characters: Vec<&str> = case.data.split_inclusive(|_: char| true).collect();
    for pieces in [&[&*case.data][..], &characters] {
        built::compare(pair, &parsed, &case.data, &environment, pieces)?;
    }
    let (Some(listed), Some(errors)) = (listed, &case.errors) else {
        return Ok(());
    };
    let counts = (
        errors.len(),
        parsed.tokenizer_errors.len() + parsed.tree_errors.len(),
    );
    let is_right = match listed {
        Some(listed) => counts == listed,
        None => counts.0 == counts.1,
    };
    match is_right {
        true => Ok(()),
        false => Err(format!(
            "COUNT {}:{number} | {} | {} | {:?}",
            case.file, counts.0, counts.1, case.data
        )
        .into()),
    }
}

/// A `srcdoc` document needs no DOCTYPE, and the mode of the context element's document counts.
fn environment() -> Result<(), Failed> {
    let pair = Pair::named("html-tree-2026-06");
    let built = |input: &str, environment: &Environment| {
        let parsed = pair.parse(input, environment)?;
        Ok::<_, String>((parsed.tree.dump(), parsed.tree_errors.len()))
    };
    let fragment = |context_mode| Environment {
        context: Some(Context::parse("div")),
        context_mode,
        ..Environment::default()
    };
    let srcdoc = Environment {
        is_srcdoc: true,
        ..Environment::default()
    };
    let beside = "| <p>\n| <table>\n";
    let inside = "| <p>\n|   <table>\n";
    let indented = |tree: &str| tree.replace("| ", "|     ");
    let page = |tree: &str| format!("| <html>\n|   <head>\n|   <body>\n{}", indented(tree));
    let input = "<p><table></table>";
    let limited = ContextMode::LimitedQuirks;
    for (environment, expected) in [
        (Environment::default(), (page(inside), 1)),
        (srcdoc, (page(beside), 0)),
        (fragment(ContextMode::NoQuirks), (beside.to_owned(), 0)),
        (fragment(limited), (beside.to_owned(), 0)),
        (fragment(ContextMode::Quirks), (inside.to_owned(), 0)),
    ] {
        let found = built(input, &environment)?;
        if found != expected {
            return Err(format!("{environment:?}: {found:?}").into());
        }
    }
    // XML has no fragments.
    match Pair::named("xml5-tree").parse("<a/>", &fragment(limited)) {
        Err(why) if why.contains("xml5-tree") => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// The places of elements are those of their tags, and those of comments begin like one.
fn check_places(tree: &Tree, input: &str) -> Result<(), String> {
    let is_tag = |span: Range<u64>, start: &str, name: &str| {
        let tag = input
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        // The tokenizer replaces U+0000, and `image` becomes `img`.
        let name = if name == "img" { "im" } else { name };
        let name = name.split('\u{FFFD}').next().unwrap_or_default();
        let found = tag
            .strip_prefix(start)
            .and_then(|rest| rest.get(..name.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    for (event, _) in tree.events() {
        let Event::Enter(id) = event else { continue };
        let (span, end_tag, name) = match tree.node(id) {
            Node::Element(element) => (tree.span(id), element.end_tag.clone(), &*element.name),
            Node::Comment(_) => (tree.span(id), None, ""),
            _ => continue,
        };
        let fits = span.clone().is_none_or(|span| is_tag(span, "<", name))
            && end_tag.clone().is_none_or(|span| is_tag(span, "</", name));
        if !fits {
            return Err(format!(
                "{input:?}: {name} does not stand at {span:?}, {end_tag:?}"
            ));
        }
    }
    Ok(())
}
