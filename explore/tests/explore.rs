//! The page is built from its sources, and requests have answers, whatever they ask.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::html5lib::{self, Form};
use speclex_analysis::token::StreamErrors;
use speclex_codegen::Source;
use speclex_explore::api::{Request, answer};
use speclex_explore::{Library, Own};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// FNV-1a over names and contents, as `page/build.mjs` computes it.
#[test]
fn the_page_is_built_from_its_sources() {
    let page = crate_folder().join("page");
    let sources = fs::read_dir(page.join("src")).expect("a folder");
    let source = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        format!("src/{}", name.to_string_lossy())
    };
    let mut names: Vec<String> = sources.map(source).collect();
    names.extend(["build.mjs", "package-lock.json"].map(str::to_owned));
    names.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in &names {
        let text = fs::read(page.join(name)).expect("a file");
        for byte in name.bytes().chain(text) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    let built = fs::read_to_string(page.join("dist/sources.txt")).expect("a file");
    assert_eq!(
        built.trim(),
        format!("{hash:016x}"),
        "page/dist is stale: (cd explore/page && npm ci && npm run build) writes it anew"
    );
}

#[test]
fn the_lock_file_names_no_registry() {
    let lock = fs::read_to_string(crate_folder().join("page/package-lock.json")).expect("a file");
    assert!(lock.contains("\"integrity\""));
    assert!(!lock.contains("http://") && !lock.contains("\"resolved\""));
}

/// The answer to a request.
fn ask(library: &Library, request: Value) -> Value {
    let request: Request = serde_json::from_value(request).expect("a request");
    serde_json::to_value(answer(library, &request, &mut |_, _| {})).expect("an answer")
}

#[test]
fn each_comparison_has_examples_that_differ() {
    let library = Library::default();
    let known = ask(&library, json!({"ask": "start"}));
    let comparisons = known["comparisons"].as_array().expect("a list");
    let pages = fs::read_dir(crate_folder().join("../docs/diffs")).expect("a folder");
    assert_eq!(comparisons.len(), pages.count());
    for comparison in comparisons {
        let tables = comparison["tables"].as_array().expect("two names");
        let examples = comparison["examples"].as_array().expect("a list");
        assert!(!examples.is_empty(), "{tables:?}");
        for example in examples {
            let tables = tables.iter().map(|name| json!({"name": name}));
            let asked = json!({
                "ask": "compare", "tables": tables.collect::<Vec<_>>(), "input": example["input"], "start": example["start"],
            });
            let outcomes = &ask(&library, asked)["outcomes"];
            let [one, other] = [0, 1].map(|side| {
                let outcome = &outcomes[side];
                [&outcome["tokens"], &outcome["errors"], &outcome["tree"]]
            });
            assert_ne!(one, other, "{example}");
        }
    }
}

#[test]
fn every_table_can_be_traced_and_read() {
    let library = Library::default();
    for table in speclex_tables::all().iter().chain(speclex_tables::trees()) {
        let name = table.name;
        let table = json!({"name": name});
        let input = "<!DOCTYPE html><p a=b>x&amp;<!-- y --><table><td>z</p>\0";
        let trace = ask(
            &library,
            json!({"ask": "trace", "table": table, "input": input, "start": {}}),
        );
        let steps = trace["trace"]["steps"].as_array().expect("steps");
        let read = ask(&library, json!({"ask": "read", "table": table}));
        let rules = read["contents"]["rules"].as_array().expect("rules");
        // Each arm that is taken is one of a rule that can be read.
        for arm in steps
            .iter()
            .flat_map(|step| step["arms"].as_array().expect("arms"))
        {
            let found = rules.iter().any(|rule| rule["name"] == arm["of"]);
            assert!(found || arm["of"] == "foreign content", "{name}: {arm}");
        }
        assert!(steps.len() > 5 && !rules.is_empty(), "{name}");
        for rule in rules {
            for to in rule["leadsTo"].as_array().expect("a list") {
                assert!(rules.iter().any(|rule| rule["name"] == *to), "{name}: {to}");
            }
        }
    }
}

/// A test that is saved is what those who read such tests take, and holds.
#[test]
fn saved_tests_hold() {
    let library = Library::default();
    let save = |name: &str, input: &str, start: Value| {
        let asked = json!({"ask": "test", "table": {"name": name}, "input": input, "start": start});
        let text = ask(&library, asked)["text"].as_str().map(str::to_owned);
        text.expect("a text")
    };
    for (name, input, start) in [
        ("html-living", "<a b=&amp\u{e9}><?x y>\0", json!({})),
        (
            "html-2014",
            "a</title x><b",
            json!({"content": "RCDATA", "lastStartTag": "title", "statesAlone": true}),
        ),
        ("xml5", "<a:b c='d'/>", json!({})),
    ] {
        let suite = html5lib::read_tests(name, &save(name, input, start)).expect("a suite");
        let [case] = &suite.cases[..] else {
            panic!("{name}: one test")
        };
        let source = Source {
            name: name.to_owned(),
            text: format!("table: mine\nextends: {name}\n"),
        };
        let table = |name: &str| {
            let table = speclex_tables::get(name)?;
            Some(Source {
                name: table.file.to_owned(),
                text: table.text.to_owned(),
            })
        };
        let references = |file: &str| {
            let text = speclex_tables::references(file)?;
            let read: Vec<(String, Vec<u32>)> = serde_json::from_str::<serde_json::Map<_, _>>(text)
                .ok()?
                .into_iter()
                .map(|(name, codes)| (name, serde_json::from_value(codes).unwrap_or_default()))
                .collect();
            let meant = |codes: Vec<u32>| codes.into_iter().filter_map(char::from_u32).collect();
            Some(
                read.into_iter()
                    .map(|(name, codes)| (name, meant(codes)))
                    .collect(),
            )
        };
        let machine = speclex_codegen::load(source, &table, &references)
            .expect("a table")
            .machine;
        let starts = EntryStates::of(&machine);
        let request = case.request(&starts).expect("a start");
        let output = InterpreterEngine::new(&machine)
            .tokenize(&request)
            .expect("an output");
        let output = output.with_sorted_errors(&StreamErrors::of(&machine));
        assert_eq!(case.check(output, Form::of(&machine)), Ok(()), "{name}");
    }
    let text = save(
        "html-tree-living",
        "<td>a<p>b\nc",
        json!({"context": "tr", "scripting": "disabled"}),
    );
    let cases = html5lib::trees::read_dat("saved", &text).expect("a file");
    let [case] = &cases[..] else {
        panic!("one test")
    };
    assert_eq!(
        (case.data.as_str(), case.context.as_deref(), case.scripting),
        ("<td>a<p>b\nc", Some("tr"), Some(false))
    );
    assert_eq!(case.document, "| <td>\n|   \"a\"\n|   <p>\n|     \"b\nc\"");
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let library = Library::default();
    let start = json!({"content": "no such content"});
    for (table, start) in [("html-livin", json!({})), ("html-living", start)] {
        let asked =
            json!({"ask": "compare", "tables": [{"name": table}], "input": "", "start": start});
        let answer = ask(&library, asked);
        assert_eq!(answer["answer"], "refused", "{answer}");
    }
    let why = ask(
        &library,
        json!({"ask": "read", "table": {"name": "html-livin"}}),
    );
    assert_eq!(
        why["why"],
        "There is no table “html-livin” here. Did you mean “html-living”?"
    );
    let edit = json!({"name": "html-living", "text": "table: html-living\nstates: {}\n"});
    let answer = ask(&library, json!({"ask": "read", "table": edit}));
    assert_eq!(answer["answer"], "faults", "{answer}");
    assert!(answer["diagnostics"][0]["line"].is_u64());
}

/// An own table may extend another, and have data of its own; an edit is of the same name.
#[test]
fn own_tables_find_what_they_name() {
    let own = Own {
        examples: vec!["base".to_owned()],
        offered: vec!["mine.yaml".to_owned()],
        files: vec![
            ("mine.yaml".to_owned(), "table: mine\nextends: base\n".to_owned()),
            (
                "base.yaml".to_owned(),
                "table: base\ntitle: Base\nvocabulary: markup\nentry states: {data: start}\nstates:\n  start:\n    consume:\n      \
                 EOF: emit EOF\n      anything else: emit the current input character\n"
                    .to_owned(),
            ),
        ],
    };
    let library = Library::new(own);
    let known = ask(&library, json!({"ask": "start"}));
    assert_eq!(known["tables"][0]["name"], "mine.yaml");
    let example = known["tables"].as_array().and_then(|all| all.last());
    assert_eq!(
        example,
        Some(&json!({"name": "base", "title": "Base", "isTree": false, "of": "example"}))
    );
    let tables = json!([{"name": "mine.yaml"}, {"name": "mine.yaml", "text": "table: mine\nextends: html-living\n"}]);
    let asked = json!({"ask": "compare", "tables": tables, "input": "<a>", "start": {}});
    let outcomes = &ask(&library, asked)["outcomes"];
    assert_eq!(
        outcomes[0]["tokens"][0]["text"], "characters \"<a>\"",
        "{outcomes}"
    );
    assert_eq!(outcomes[1]["tokens"][0]["text"], "start tag \"a\"");
}
