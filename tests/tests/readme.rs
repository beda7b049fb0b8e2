//! The README says what is so: its tables' numbers, and what its first command prints.

use speclex_analysis::engine::Request;
use speclex_codegen::statistics::statistics;
use speclex_tests::workspace;

fn readme() -> String {
    std::fs::read_to_string(workspace().join("README.md")).expect("a README")
}

#[test]
fn the_sizes_of_the_tables_are_those_of_the_readme() {
    let readme = readme();
    for table in speclex_tables::all() {
        let loaded =
            speclex_cli::load(table.name).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let found = statistics(&loaded);
        let row = format!(
            "| `{}` | {} | {} | {} | {} |",
            table.name, loaded.machine.title, found.states, found.arms, found.actions
        );
        assert!(readme.contains(&row), "the README lacks\n{row}");
    }
}

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let readme = readme();
    let (_, rest) = readme.split_once("```text\n").expect("a block of output");
    let (shown, _) = rest.split_once("```").expect("its end");
    let page =
        std::fs::read_to_string(workspace().join("tests/pages/welcome.html")).expect("a page");
    let printed = speclex_cli::printed(
        "html-living",
        &Request {
            input: &page,
            ..Request::default()
        },
    )
    .unwrap_or_else(|e| panic!("{}", e.render(false)));
    let mut lines = printed.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(
            lines.any(|printed| printed == line),
            "the command does not print, or not in this order:\n{line}\nIt prints:\n{printed}"
        );
    }
}

/// Each block of `docs/how-tables-read.md` is in the table that its heading names, under that section.
#[test]
fn the_states_shown_are_those_of_the_tables() {
    let page =
        std::fs::read_to_string(workspace().join("docs/how-tables-read.md")).expect("a page");
    let mut shown = Vec::new();
    for part in page.split("\n## `").skip(1) {
        let (table, rest) = part.split_once("`, ").expect("a section");
        let (section, rest) = rest.split_once('\n').expect("a text");
        let (_, rest) = rest.split_once("```yaml\n").expect("a state");
        let (state, _) = rest.split_once("```").expect("its end");
        let source = speclex_tables::get(table).expect("a shipped table").text;
        assert!(source.contains(state), "{table} does not have\n{state}");
        let name = state.trim_start().split_once(':').expect("a name").0;
        let machine = speclex_cli::machine(table).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let found = machine.states.iter().find(|state| state.origin == name);
        let found = found.unwrap_or_else(|| panic!("{table} has no {name}"));
        assert_eq!(found.section, section, "{table}: {name}");
        shown.push(table);
    }
    let all: Vec<_> = speclex_tables::all()
        .iter()
        .map(|table| table.name)
        .collect();
    assert_eq!(shown, all);
}
