//! The suites that `cargo xtask cover` made: every case with both engines, in all ways of cutting; what
//! they reach; and whether they are what it would make now.

use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::html5lib::Case;
use speclex_analysis::html5lib::read_tests;
use speclex_analysis::html5lib::trees::read_dat;
use speclex_analysis::tree_cover::{self, Kind, Test};
use speclex_analysis::tree_diff::Side;
use speclex_tests::cases::Cases;
use speclex_tests::revision::Revision;
use speclex_tests::{runs, workspace};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut cases = Cases::new("cover");
    for table in speclex_tables::all() {
        add_table(&mut cases, table.name);
    }
    for (table, least) in TREES {
        cases.add_trial(format!("{table}/coverage"), move || trees(table, least));
    }
    cases.add_trial("xml5-tree/the same twice".to_owned(), same_twice);
    cases.run(arguments).exit_code()
}

fn path(table: &str) -> PathBuf {
    workspace().join(format!("tests/suites/{table}.test"))
}

fn add_table(cases: &mut Cases, table: &'static str) {
    let text = std::fs::read_to_string(path(table)).unwrap_or_default();
    let suite = read_tests(table, &text).map(|suite| suite.cases);
    let revision = Revision::shared(table);
    for (engine, generated) in runs::ENGINES {
        for case in suite.iter().flatten() {
            let case = case.clone();
            let name = format!("{table}/{engine}/{}", case.name());
            cases.add(format!("{table}/{engine}"), name, move || {
                Ok(runs::run(revision, &case, generated)?)
            });
        }
    }
    let unreachable = listed(&text);
    cases.add_trial(format!("{table}/coverage"), move || {
        coverage(revision, &suite?, &unreachable?)
    });
    cases.add_trial(format!("{table}/fresh"), move || fresh(revision, &text));
}

/// Tables of tree construction with a suite, and how many of a hundred arms it reaches at least. `tests/tests/tree` builds its trees.
const TREES: [(&str, usize); 1] = [("html-tree-living", 97)];

/// What the suite of a table of tree construction reaches.
fn trees(table: &str, least: usize) -> Result<(), Failed> {
    let machines = speclex_cli::tree_machines(table);
    let (tree, tokenizer) = machines.map_err(|failure| failure.render(false))?;
    let side = Side {
        tokenizer: &tokenizer,
        tree: &tree,
    };
    let path = workspace().join(format!("tests/suites/{table}.dat"));
    let text = std::fs::read_to_string(&path)?;
    let tests = read_dat(table, &text)?.into_iter().map(|case| Test {
        input: case.data,
        context: case.context,
        scripting: case.scripting == Some(true),
    });
    let tests: Vec<Test> = tests.collect();
    let items = tree_cover::items(&tree);
    let reached = tree_cover::measure(side, &tests);
    let unreached = tree_cover::unreached(&tree, &items, &reached, &Default::default());
    for kind in [Kind::Arm, Kind::Name, Kind::Steps, Kind::Answer] {
        let all = items.iter().filter(|item| item.kind == kind).count();
        let missed = unreached.iter().filter(|it| it.item.kind == kind);
        let missed: Vec<_> = missed.map(|it| &it.item.label).collect();
        println!("{table}: {} of {all} {kind:?}", all - missed.len());
        if kind == Kind::Arm && missed.len() * 100 > all * (100 - least) {
            return Err(format!(
                "{} of {all} arms are not reached: {missed:#?}",
                missed.len()
            )
            .into());
        }
    }
    let written = tree_cover::write(side, &tests)?;
    match written == text {
        true => Ok(()),
        // What the tests are stays: only a search finds others.
        false if std::env::var_os("UPDATE_EXPECT").is_some() => Ok(std::fs::write(path, written)?),
        false => Err(format!("stale: run `cargo xtask cover --spec {table}`").into()),
    }
}

/// A search finds the same each time.
fn same_twice() -> Result<(), Failed> {
    let machines = speclex_cli::tree_machines("xml5-tree");
    let (tree, tokenizer) = machines.map_err(|failure| failure.render(false))?;
    let side = Side {
        tokenizer: &tokenizer,
        tree: &tree,
    };
    let [one, other] = [(); 2].map(|()| tree_cover::search(side, true, &mut |_| {}));
    match one.tests == other.tests && !one.tests.is_empty() {
        true => Ok(()),
        false => Err(format!("{:#?}\n{:#?}", one.tests, other.tests).into()),
    }
}

/// What a suite says cannot be reached.
fn listed(text: &str) -> Result<Vec<String>, String> {
    let json: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let listed = json["unreachable"].as_array().ok_or("no `unreachable`")?;
    let what = listed
        .iter()
        .map(|item| item["what"].as_str().map(str::to_owned));
    Ok(what
        .collect::<Option<_>>()
        .ok_or("an item without `what`")?)
}

/// The suite reaches everything but what it lists, which it does not reach.
fn coverage(revision: &Revision, cases: &[Case], unreachable: &[String]) -> Result<(), Failed> {
    let items = Items::of(&revision.machine);
    let reached = cover::measure(&items, cases)?;
    let missed = (0..reached.len()).filter(|&id| !reached[id]);
    let missed: Vec<String> = missed.map(|id| items.label(id)).collect();
    let count = |is_arm: bool| {
        let of_kind = items.all().iter().zip(&reached);
        let of_kind = of_kind.filter(|(item, _)| item.branch.is_none() == is_arm);
        let (mut covered, mut all) = (0, 0);
        for (_, &reached) in of_kind {
            covered += usize::from(reached);
            all += 1;
        }
        format!("{covered} of {all}")
    };
    println!(
        "{}: {} tests cover {} arms and {} branches; {} are listed as unreachable",
        revision.machine.name,
        cases.len(),
        count(true),
        count(false),
        unreachable.len(),
    );
    if missed != unreachable {
        return Err(format!("not covered: {missed:#?}\nlisted: {unreachable:#?}").into());
    }
    Ok(())
}

/// A search finds just this suite.
fn fresh(revision: &Revision, text: &str) -> Result<(), Failed> {
    let items = Items::of(&revision.machine);
    let found = cover::search(&items, &mut |_| {}).map_err(|fault| fault.to_string())?;
    if !found.complete {
        return Err("the search was stopped".into());
    }
    if cover::write(&items, &found)? != text {
        return Err("stale: run `cargo xtask cover`".into());
    }
    Ok(())
}
