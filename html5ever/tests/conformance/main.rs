//! html5lib's tests of tree construction through every revision. What comes of them is `docs/tree-conformance.md`.

mod arm;
#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../tests/src/data.rs"]
mod data;
#[allow(dead_code)]
#[path = "../common/deviations.rs"]
mod deviations;
#[path = "../../../analysis/tests/analysis/common/mod.rs"]
mod machines;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../analysis/src/html5lib/trees.rs"]
mod tree_cases;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use arm::Tables;
use common::html5lib::Tree;
use data::{files, shared, workspace};
use deviations::{DEVIATIONS, TREE};
use speclex_html5ever::Revision;
use tree_cases::{TreeCase, read_dat};

/// The revisions and their tables.
const REVISIONS: [(Revision, &str); 5] = [
    (Revision::Html2009, "html-2009"),
    (Revision::Html2012, "html-2012"),
    (Revision::Html2014, "html-2014"),
    (Revision::Html2026June, REFERENCE),
    (Revision::HtmlLiving, "html-living"),
];

/// The table that makes what the tests expect.
const REFERENCE: &str = "html-2026-06";

/// What writes the page.
const UPDATE: &str = "UPDATE_EXPECT=1 cargo test --package speclex-html5ever --test conformance";

/// A test as it is run.
#[derive(Debug)]
struct Run {
    case: TreeCase,
    scripting: bool,
    /// What html5ever makes of it with its own tokenizer.
    theirs: Tree,
}

impl Run {
    fn new(case: &TreeCase, scripting: bool) -> Self {
        Self {
            case: case.clone(),
            scripting,
            theirs: Tree::parse(&case.data, case.context.as_deref(), scripting, None),
        }
    }

    fn parse(&self, revision: Revision) -> Tree {
        let context = self.case.context.as_deref();
        Tree::parse(&self.case.data, context, self.scripting, Some(revision))
    }

    /// How many errors the test lists.
    fn errors(&self) -> usize {
        self.case.errors.as_ref().map_or(0, Vec::len)
    }
}

/// All runs, and how many tests there are that need a script to be run.
fn runs() -> Option<(Vec<Run>, usize)> {
    let folder = shared("html5lib-tests/tree-construction")?;
    let (mut runs, mut scripts) = (Vec::new(), 0);
    for path in files(&folder, &["dat"]) {
        let name = path.strip_prefix(&folder).expect("a file in the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        let cases = read_dat(&name, &file).unwrap_or_else(|e| panic!("{e}"));
        if name.starts_with("scripted/") {
            scripts += cases.len();
            continue;
        }
        for case in cases {
            let both = [false, true].into_iter();
            let wanted = both.filter(|it| case.scripting.is_none_or(|scripting| scripting == *it));
            runs.extend(wanted.map(|scripting| Run::new(&case, scripting)));
        }
    }
    Some((runs, scripts))
}

/// The lines that differ first.
fn first_lines<'t>(expected: &'t str, got: &'t str) -> [&'t str; 2] {
    let [mut expected, mut got] = [expected, got].map(str::lines);
    loop {
        match [expected.next(), got.next()] {
            [None, None] => return [""; 2],
            lines if lines[0] != lines[1] => return lines.map(Option::unwrap_or_default),
            _ => {}
        }
    }
}

/// A text as code in a table.
fn code(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '|' => "\\|".to_owned(),
        '"' | '\'' => c.to_string(),
        c => c.escape_debug().to_string(),
    });
    let escaped: String = escaped.collect();
    match (text, text.contains('`')) {
        ("", _) => "nothing".to_owned(),
        (_, true) => format!("`` {escaped} ``"),
        (_, false) => format!("`{escaped}`"),
    }
}

/// A table of runs with what came of them. A test that is run with and without scripting has one row if both came to the same.
fn table<'r>(differences: impl IntoIterator<Item = &'r (&'r Run, &'r Tree)>, who: &str) -> String {
    let mut rows: Vec<(String, String, Vec<&Run>)> = Vec::new();
    for (run, tree) in differences {
        let lines = first_lines(&run.case.document, &tree.dump);
        let [expected, got] = lines.map(|line| code(line.trim_start_matches(['|', ' '])));
        let place = format!("{}:{}", run.case.file, run.case.line);
        let cells = format!("{} | {expected} | {got}", code(&run.case.data));
        match rows.last_mut() {
            Some((last, same, runs)) if (&*last, &*same) == (&place, &cells) => runs.push(run),
            _ => rows.push((place, cells, vec![run])),
        }
    }
    let mut out = format!("\n| test | input | expected | {who} |\n|---|---|---|---|\n");
    for (place, cells, runs) in rows {
        let only = match runs[..] {
            [run] if run.case.scripting.is_none() && run.scripting => ", scripting on",
            [run] if run.case.scripting.is_none() => ", scripting off",
            _ => "",
        };
        let _ = writeln!(out, "| {place}{only} | {cells} |");
    }
    out
}

/// A row of the summary.
fn summary(name: &str, runs: &[Run], trees: &[&Tree], [builder, tokenizer]: [usize; 2]) -> String {
    let errors: usize = trees.iter().map(|tree| tree.errors).sum();
    let same = runs
        .iter()
        .zip(trees)
        .filter(|(run, tree)| run.errors() == tree.errors);
    let passes = runs.len() - builder - tokenizer;
    format!(
        "| {name} | {passes} | {builder} | {tokenizer} | {errors} | {} |\n",
        same.count()
    )
}

/// What html5ever's tree builder does in no test of html5lib's.
fn random_documents() -> String {
    let rows = DEVIATIONS.iter().map(|it| {
        let (text, context) = it.shortest;
        let context = context.map(|name| format!(" in `{name}`"));
        let input = code(text) + &context.unwrap_or_default();
        format!("| {} | {} | {input} |\n", it.section, it.what)
    });
    let rows: String = rows.collect();
    format!(
        "
## Random documents

`html5ever/tests/random_trees.rs` compares html5ever's trees of random documents and fragments with those of the interpreter of
`{TREE}`, the table that html5ever follows. They are equal but where html5ever does not do what the text says:

| section | html5ever | shortest input |
|---|---|---|
{rows}"
    )
}

/// The page.
fn page(runs: &[Run], scripts: usize) -> String {
    let is_expected = |run: &Run, tree: &Tree| run.case.document == tree.dump;
    let theirs = runs.iter().map(|run| (run, &run.theirs));
    let theirs: Vec<_> = theirs
        .filter(|(run, tree)| !is_expected(run, tree))
        .collect();
    let trees: Vec<&Tree> = runs.iter().map(|run| &run.theirs).collect();
    let mut rows = summary(
        "html5ever's own, and its tree builder",
        runs,
        &trees,
        [theirs.len(), 0],
    );
    let mut sections = String::new();
    let reference = machines::machine(REFERENCE);
    for (revision, name) in REVISIONS {
        let machine = machines::machine(name);
        let tables = Tables::new(&machine, &reference);
        let trees = runs.iter().map(|run| run.parse(revision));
        let trees: Vec<Tree> = trees.collect();
        let differing = runs
            .iter()
            .zip(&trees)
            .filter(|(run, tree)| !is_expected(run, tree));
        let (builder, differing): (Vec<_>, Vec<_>) =
            differing.partition(|(run, tree)| tree.dump == run.theirs.dump);
        let trees: Vec<&Tree> = trees.iter().collect();
        let numbers = [builder.len(), differing.len()];
        rows += &summary(&format!("`{name}`"), runs, &trees, numbers);
        let mut by_arm: BTreeMap<String, Vec<(&Run, &Tree)>> = BTreeMap::new();
        for (run, tree) in differing {
            let case = &run.case;
            let arm = tables.arm(&case.data, case.context.as_deref(), run.scripting);
            let arm = arm.unwrap_or_else(|| panic!("no arm makes {tree:?} of {run:?}"));
            by_arm.entry(arm).or_default().push((run, tree));
        }
        if !by_arm.is_empty() {
            let _ = writeln!(sections, "\n## {name}");
        }
        for (arm, differences) in by_arm {
            let _ = write!(sections, "\n**{arm}**\n{}", table(&differences, name));
        }
    }
    let expected: usize = runs.iter().map(Run::errors).sum();
    format!(
        "# html5lib's trees, by every revision of HTML

Written by `{UPDATE}`.

Each test of html5lib's suite of tree construction is parsed into an `RcDom` with html5ever, and with
[`speclex-html5ever`](porting.md#from-html5ever), whose tree builder is that of `{TREE}`, over the tokenizer of each revision:
documents and fragments, with scripting as the test says, or both ways. These are {} runs. {scripts} tests are left out, for they need
a script to be run. The suite is that of [22 June 2026](https://github.com/html5lib/html5lib-tests/tree/9329e64694e7835d0dcff9811e22856ef6ad16f9),
the last one before it moved to web-platform-tests.

| tokenizer | as expected | other trees: html5ever's, too | the tokenizer's | errors | runs with as many errors as expected |
|---|--:|--:|--:|--:|--:|
{rows}
The tests expect {expected} errors: the lines of `#errors`, without those of `#new-errors`, which name errors of the tokenizer once more.
Only the numbers are compared, for html5ever's tree builder has messages of its own.

Another tree is no fault of the tokenizer's if html5ever makes the same: those come of `RcDom`, which clones no option into
`selectedcontent`. All others are below, with the first line that differs, under the arm that makes them: the rule of the revision's
table that puts out another character or token, or gives a part of a token another value, than `{REFERENCE}` does.

## html5ever's
{}{}{sections}",
        runs.len(),
        table(&theirs, "html5ever"),
        random_documents()
    )
}

#[test]
fn every_table_of_html_has_a_row() {
    let names = speclex_tables::all().iter().map(|table| table.name);
    let names: Vec<_> = names.filter(|name| name.starts_with("html-")).collect();
    assert_eq!(REVISIONS.map(|(_, name)| name).as_slice(), names);
}

#[test]
fn the_page_of_html5lib_s_trees_is_up_to_date() {
    let Some((runs, scripts)) = runs() else {
        return;
    };
    let page = page(&runs, scripts);
    let path = workspace().join("docs/tree-conformance.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, page).expect("the page is written");
        return;
    }
    let checked_in = fs::read_to_string(path).expect("a page");
    let mut lines = page.lines().zip(checked_in.lines());
    let differing = lines.find(|(new, old)| new != old);
    assert!(
        page == checked_in,
        "docs/tree-conformance.md is stale, {differing:?}: {UPDATE}"
    );
}
