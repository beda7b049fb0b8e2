//! Tables that differ in what one rule of the prover is about: an input tells them apart, and they are not proven equal.

use std::fs;
use std::path::{Path, PathBuf};

use speclex_analysis::diff::{self, ErrorComparison};
use speclex_analysis::prove::prove;
use speclex_codegen::machine::Machine;
use speclex_codegen::{Source, load};
use speclex_tests::outside::{Act, Script, Yes};

use super::rules;

/// A file of `rules/`: an input with what the outside does, a table, and changes of it.
pub(super) struct Pair {
    pub(super) tables: [Machine; 2],
    pub(super) script: Script,
}

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diff/rules")
}

impl Pair {
    /// Reads a file.
    pub(super) fn named(name: &str) -> Self {
        let text = fs::read_to_string(folder().join(name).with_extension("yaml"));
        let text = text.unwrap_or_else(|e| panic!("{name}: {e}"));
        let parts: Vec<&str> = text.split("\n---\n").collect();
        let [script, base, other] = parts[..] else {
            panic!("{name} has {} parts", parts.len());
        };
        Self {
            tables: [base, other].map(|text| table(name, text, base)),
            script: script_of(script),
        }
    }
}

fn table(name: &str, text: &str, base: &str) -> Machine {
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let references = |file: &str| {
        let names = [("a", "1"), ("ab;", "2"), ("amp", "&"), ("bc", "4")];
        let has_all = file == "others.json";
        let names = names.iter().take(if has_all { 4 } else { 3 });
        Some(
            names
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
        )
    };
    let loaded = load(
        source(name, text),
        &|base_name| Some(source(base_name, base)),
        &references,
    );
    loaded.unwrap_or_else(|report| panic!("{report}")).machine
}

/// What the lines say, each a key with a value in JSON.
fn script_of(text: &str) -> Script {
    let mut script = Script {
        input: String::new(),
        contents: Vec::new(),
        last_start_tag: None,
        yes: Yes::After(Vec::new()),
        answers: Vec::new(),
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (key, value) = line.split_once(": ").expect("a key");
        let strings = || serde_json::from_str(value).expect("strings");
        let string = || serde_json::from_str(value).expect("a string");
        match key {
            "input" => script.input = string(),
            "last start tag" => script.last_start_tag = Some(string()),
            "contents" => script.contents = strings(),
            "yes after" => script.yes = Yes::After(strings()),
            "answers" => script.answers = answers(value),
            _ => panic!("{key}"),
        }
    }
    script
}

/// For each answer what is done, such as `[[], [{"insert": "a"}]]`.
fn answers(text: &str) -> Vec<Vec<Act>> {
    let all: Vec<Vec<serde_json::Map<_, _>>> = serde_json::from_str(text).expect("lists of acts");
    let acts = |acts: Vec<serde_json::Map<String, serde_json::Value>>| {
        let acts = acts.into_iter().flatten();
        let acts = acts.map(|(what, value)| {
            let value = value.as_str().expect("a string").to_owned();
            match what.as_str() {
                "insert" => Act::Insert(value),
                "content" => Act::Switch(value),
                "last start tag" => Act::Name(value),
                _ => panic!("{what}"),
            }
        });
        acts.collect()
    };
    all.into_iter().map(acts).collect()
}

#[test]
fn an_input_tells_each_pair_apart_and_none_is_proven() {
    let mut names = Vec::new();
    for file in fs::read_dir(folder()).expect("pairs") {
        let file = file.expect("a file").path();
        let name = file.file_stem().and_then(|name| name.to_str());
        let name = name.expect("a name that is text");
        let Pair { tables, script } = Pair::named(name);
        let [one, other] = &tables;
        let outputs = [one, other].map(|table| script.output(table).expect("an output"));
        let compared = ErrorComparison::of(one, other);
        let difference = diff::difference(&outputs[0], &outputs[1], compared);
        assert!(difference.is_some(), "{name}: {outputs:?}");
        for tables in [[one, other], [other, one]] {
            assert!(prove(tables[0], tables[1], compared).is_err(), "{name}");
        }
        names.push(name.replace('-', "_"));
    }
    names.sort();
    assert_eq!(names, rules::NAMES, "each has a test of its own");
}
