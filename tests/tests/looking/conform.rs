//! Changes planted in a table: `conform`, which sees only what a tokenizer answers, nearly always blames an arm of the state that was
//! changed. Where it does not, a wrong target or a text that is not kept shows in the next states only.

use speclex_analysis::conform::{self, Foreign};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::engine::InterpreterEngine;
use speclex_analysis::jsonl::Protocol;
use speclex_analysis::tree::Parser;
use speclex_analysis::tree_cover::{self, Test};
use speclex_analysis::tree_diff::{self, Side};
use speclex_codegen::machine::{Feedback, Machine};
use speclex_tests::mutations;

/// A machine as a tokenizer of someone else.
struct Planted<'m> {
    protocol: Protocol,
    engine: InterpreterEngine<'m>,
}

impl Foreign for Planted<'_> {
    fn ask(&mut self, request: &str) -> Result<String, String> {
        let mut answer = Vec::new();
        let answered = self
            .protocol
            .answer(&mut self.engine, request.as_bytes(), &mut answer);
        answered.map_err(|e| e.to_string())?;
        String::from_utf8(answer).map_err(|e| e.to_string())
    }

    fn restart(&mut self) {}
}

/// Every how manyth change is planted.
const ONE_IN: usize = 19;
/// How many random inputs each gets.
const INPUTS: usize = 200;

#[test]
fn planted_changes_are_found_where_they_are() {
    let base: Machine = speclex_cli::machine("html-living").expect("a table");
    let items = Items::of(&base);
    let covered = cover::search(&items, &mut |_| {}).expect("a suite");
    let inputs = conform::inputs(&items, &covered, &[], INPUTS, 0);
    let (mut changes, mut planted, mut seen, mut blamed) = (0, 0, 0, 0);
    let mut elsewhere = Vec::new();
    for (index, state) in base.states.iter().enumerate() {
        mutations::of_state(&base, index, &mut |what, mutant| {
            changes += 1;
            if changes % ONE_IN != 0 {
                return;
            }
            planted += 1;
            // The changes come without the references.
            let mutant = Machine {
                references: base.references.clone(),
                ..mutant.clone()
            };
            let mut foreign = Planted {
                protocol: Protocol::of(&mutant),
                engine: InterpreterEngine::new(&mutant),
            };
            let report = conform::run(
                &items,
                &covered,
                &inputs,
                Feedback::Off,
                &mut foreign,
                &mut |_| {},
            );
            let report = report.expect("a report");
            if report.deviations.is_empty() {
                return;
            }
            seen += 1;
            // Parts of one state of the text have one section.
            let section = format!("{} ", state.section);
            let is_here = |arm: &str| arm.starts_with(&section);
            if report.deviations.iter().any(|d| is_here(&d.arm)) {
                blamed += 1;
            } else {
                let arms: Vec<_> = report.deviations.iter().map(|d| d.arm.as_str()).collect();
                elsewhere.push(format!("{what}: {arms:#?}"));
            }
        });
    }
    println!("{planted} changes, {seen} of them seen, {blamed} of these blamed");
    assert!(seen > 100 && blamed * 10 >= seen * 9, "{elsewhere:#?}");
}

/// A table as a tree builder of someone else.
struct Built<'m>(Parser<'m>);

impl Foreign for Built<'_> {
    fn ask(&mut self, request: &str) -> Result<String, String> {
        let request: serde_json::Value =
            serde_json::from_str(request).map_err(|e| e.to_string())?;
        let test = Test {
            input: request["document"].as_str().unwrap_or_default().to_owned(),
            context: request["context"].as_str().map(str::to_owned),
            scripting: request["scripting"] == true,
        };
        let parsed = self.0.parse(&test.input, &test.environment());
        let tree = parsed.map_err(|e| e.to_string())?.tree.dump();
        Ok(serde_json::json!({"id": request["id"], "tree": tree}).to_string())
    }

    fn restart(&mut self) {}
}

#[test]
#[ignore = "takes ten seconds; .ci/run runs it"]
fn a_tree_builder_of_another_revision_deviates_where_the_table_has_changed() {
    let pairs = ["html-tree-2026-08", "html-tree-living"];
    let pairs = pairs.map(|table| speclex_cli::tree_machines(table).expect("a table"));
    let [old, new] = pairs
        .each_ref()
        .map(|(tree, tokenizer)| Side { tokenizer, tree });
    let covered = tree_cover::search(new, false, &mut |_| {});
    let inputs = conform::tree_inputs(new, &covered, Vec::new(), 400, 0);
    let run = |side: Side<'_>| {
        let mut foreign = Built(Parser::new(side.tokenizer, side.tree));
        conform::run_trees(new, &inputs, &mut foreign, &mut |_| {}).expect("a report")
    };
    assert!(run(new).agrees());
    let report = run(old);
    let places: Vec<String> = tree_diff::changes(old.tree, new.tree)
        .into_iter()
        .map(|change| match change.place.as_str() {
            "procedures" => change.what,
            _ => change.place,
        })
        .collect();
    for deviation in &report.deviations {
        let is_changed = places
            .iter()
            .any(|place| deviation.arm.starts_with(place.as_str()));
        assert!(is_changed, "{}: {:#?}", deviation.arm, deviation.example);
    }
    assert!(!report.deviations.is_empty());
}
