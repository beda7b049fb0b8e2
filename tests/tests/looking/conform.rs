//! Changes planted in a table: `conform`, which sees only what a tokenizer answers, nearly always blames an arm of the state that was
//! changed. Where it does not, a wrong target or a text that is not kept shows in the next states only.

use speclex_analysis::conform::{self, Foreign};
use speclex_analysis::cover::{self, Items};
use speclex_analysis::engine::InterpreterEngine;
use speclex_analysis::jsonl::Protocol;
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
