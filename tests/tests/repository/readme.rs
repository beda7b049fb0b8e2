//! The README and docs/conformance.md say what is so: the tables' sizes, the code shown, and what the first command prints.

use speclex_analysis::engine::Request;
use speclex_analysis::graph;
use speclex_codegen::machine::Feedback;
use speclex_codegen::statistics::statistics;
use speclex_tests::workspace;

use crate::generate::FOLDERS;

fn readme() -> String {
    std::fs::read_to_string(workspace().join("README.md")).expect("a README")
}

#[test]
fn the_sizes_of_the_tables_are_those_of_the_page() {
    let path = workspace().join("docs/conformance.md");
    let page = std::fs::read_to_string(path).expect("a page");
    for table in speclex_tables::all() {
        let loaded =
            speclex_cli::load(table.name).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let found = statistics(&loaded);
        let row = format!(
            "| `{}` | {} | {} | {} | {} |",
            table.name, loaded.machine.title, found.states, found.arms, found.actions
        );
        assert!(page.contains(&row), "docs/conformance.md lacks\n{row}");
    }
}

/// The block of the README that begins so, without its fences.
fn block<'r>(readme: &'r str, fence: &str) -> &'r str {
    let (_, rest) = readme.split_once(fence).expect(fence);
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_first_command_prints_what_the_readme_shows() {
    let readme = readme();
    let path = workspace().join("tests/pages/hello.html");
    let page = std::fs::read_to_string(path).expect("a page");
    let printed = speclex_cli::printed(
        "html-living",
        &Request {
            input: &page,
            feedback: Feedback::Scripting,
            ..Request::default()
        },
    )
    .unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(block(&readme, "```text\n"), printed);
}

#[test]
fn the_state_and_its_function_are_those_of_the_readme() {
    let readme = readme();
    assert!(readme.lines().count() <= 100, "it is short");
    let function = block(&readme, "```rust,ignore\n").replace(" // …\n", "");
    let paths = FOLDERS.map(|folder| workspace().join(folder).join("html_living.rs"));
    let generated = paths
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok());
    assert!(
        generated.expect("a module").contains(&function),
        "the generator writes\n{function}"
    );
    let arms = block(&readme, "```yaml\n");
    for arm in arms.lines().skip(2) {
        let tables = ["html-living", "html-2026-06"];
        let is_there = |name: &&str| {
            speclex_tables::get(name)
                .expect("a table")
                .text
                .contains(arm)
        };
        assert!(tables.iter().any(is_there), "no table has\n{arm}");
    }
    let machine = speclex_cli::machine("html-living").expect("a table");
    let shown = graph::state(&machine, "tag open", graph::Form::Svg).expect("a state");
    let path = workspace().join("docs/pictures/tag-open.svg");
    let picture = std::fs::read_to_string(path).expect("a picture");
    assert!(
        picture == shown,
        "cargo xtask graph --spec html-living --state 'tag open' draws it"
    );
}

#[test]
fn the_index_has_every_page() {
    let docs = workspace().join("docs");
    let index = std::fs::read_to_string(docs.join("README.md")).expect("an index");
    for entry in std::fs::read_dir(docs).expect("pages") {
        let name = entry
            .expect("a page")
            .file_name()
            .into_string()
            .expect("a name");
        if name.ends_with(".md") && name != "README.md" {
            assert!(
                index.contains(&format!("]({name})")),
                "the index lacks {name}"
            );
        }
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
