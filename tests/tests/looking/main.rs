//! Looking at a table: diagrams show all that a table says and are well formed, traces tell what the
//! interpreter does.

mod beside;
mod conform;
mod diagrams;
mod readers;
mod traces;

use speclex_analysis::diff::Setup;
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::html5lib::Case;
use speclex_analysis::html5lib::read_tests;
use speclex_codegen::machine::Machine;
use speclex_tests::revision::Revision;
use speclex_tests::workspace;

pub(crate) fn machine(name: &str) -> Machine {
    Revision::shared(name).machine.clone()
}

pub(crate) fn machines() -> impl Iterator<Item = Machine> {
    speclex_tables::all()
        .iter()
        .map(|table| machine(table.name))
}

pub(crate) fn setup(case: &Case, starts: &EntryStates) -> Option<Setup> {
    let request = case.request(starts)?;
    Some(Setup {
        content: request.content.map(str::to_owned),
        last_start_tag: request.last_start_tag.map(str::to_owned),
        answer: request.cdata_allowed,
        ..Setup::default()
    })
}

pub(crate) fn suite(table: &str) -> Vec<Case> {
    let path = workspace().join(format!("tests/suites/{table}.test"));
    let text = std::fs::read_to_string(path).expect("a suite");
    read_tests(table, &text).expect("tests").cases
}
