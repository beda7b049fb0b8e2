//! The suites that `cargo xtask cover` made: every case with both engines, in all ways of cutting; what
//! they reach; and whether they are what it would make now.

use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::html5lib::Case;
use speclex_analysis::html5lib::read_tests;
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
