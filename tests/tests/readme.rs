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
