//! Tables of tree construction: what is said about mistakes in them, word for word, and what they lower to.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen tree::` writes what is said now to `tree/mistakes.txt`;
//! read the difference before you keep it.

use crate::support;
use speclex_codegen::Source;
use speclex_codegen::tree::{
    self, Block, Body, CHARACTER, Content, Elements, Exit, Guard, LoadedTree, Location, Step, Type,
};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree")
}

/// What is said of a text that stands where the tables are.
fn load(text: String) -> Result<LoadedTree, String> {
    let name = "tree.yaml";
    let table = Source {
        name: name.to_owned(),
        text,
    };
    let loaded = support::load_tree_beside(table, &folder().join(name));
    loaded.map_err(|report| report.to_string())
}

/// Mistakes in a table: `=== NAME` or `=== NAME (TABLE)`; lines of the table behind `- `, each with the lines that stand
/// there instead behind `+ `; and what is said.
#[test]
fn every_mistake_is_said_with_its_place_and_a_help() {
    let path = folder().join("mistakes.txt");
    let text = fs::read_to_string(&path).expect("the mistakes");
    let mut said = Vec::new();
    for mistake in text.split("=== ").skip(1) {
        let (head, rest) = mistake.split_once('\n').expect("edits");
        let (_, table) = head.split_once(" (").unwrap_or((head, "sound)"));
        let table = folder().join(format!("{}.yaml", table.trim_end_matches(')')));
        let table = fs::read_to_string(table).expect("a table");
        let edits = rest.lines().take_while(|line| line.starts_with(['-', '+']));
        let edits: Vec<&str> = edits.collect();
        let report = match load(edited(&table, &edits)) {
            Ok(loaded) => loaded.warnings.to_string(),
            Err(report) => report,
        };
        let count = |part: &str| report.matches(part).count();
        let faults = count("error[") + count("warning[");
        let carets = report
            .lines()
            .filter(|line| line.contains(" ^") || line.contains("|^"));
        assert!(faults > 0, "{head}: nothing is said");
        assert_eq!(
            (carets.count(), count("= help: ")),
            (faults, faults),
            "{head}: {report}"
        );
        said.push(format!(
            "=== {head}\n{}\n\n{}\n",
            edits.join("\n"),
            report.trim_end()
        ));
    }
    assert!(said.len() >= 40, "{} mistakes", said.len());
    let said = said.join("\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, said).expect("a writable file");
    } else {
        assert_eq!(said, text);
    }
}

fn edited(table: &str, edits: &[&str]) -> String {
    let mut lines: Vec<Vec<&str>> = table.lines().map(|line| vec![line]).collect();
    let mut place = 0;
    for edit in edits {
        let (sign, line) = edit.split_at(2);
        if sign == "+ " {
            lines[place].push(line);
            continue;
        }
        let mut places = (0..lines.len()).filter(|&at| lines[at] == [line]);
        place = places.next().unwrap_or_else(|| panic!("no line {line:?}"));
        assert_eq!(places.next(), None, "{line:?} stands twice");
        lines[place].clear();
    }
    lines.concat().join("\n")
}

#[test]
fn phrases_and_branches_become_blocks() {
    let sound = fs::read_to_string(folder().join("sound.yaml")).expect("a table");
    let loaded = load(sound).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(loaded.warnings.to_string(), "");
    let machine = &loaded.machine;
    assert_eq!((machine.modes.len(), loaded.arms), (2, 14));
    assert_eq!(
        (machine.section.as_str(), machine.called.as_str()),
        ("1.10", "phase")
    );
    let types: Vec<Type> = machine.variables.iter().map(|it| it.ty).collect();
    assert_eq!(types, Type::ALL);
    let arm = |mode: usize, kind: &str| {
        let number = machine.kinds.iter().position(|it| it.name == kind);
        machine.modes[mode].arms[number.expect("a kind")]
    };
    let blocks = |mode, kind| &machine.bodies[arm(mode, kind)].blocks[..];
    let block = |steps: &[Step], exit| Block {
        steps: steps.to_vec(),
        exit,
    };
    // Kinds that share an arm share its body.
    assert_eq!(arm(0, "empty tag"), arm(0, "end tag"));
    assert_eq!(blocks(1, "comment"), [block(&[], Exit::Done)]);
    let append = Step::Append(Content::Character, Location::CurrentElement);
    let of_characters = &machine.bodies[machine.modes[1].arms[CHARACTER]];
    assert_eq!(of_characters.blocks[..], [block(&[append], Exit::Done)]);
    // A procedure is a body that others run.
    let [
        Block {
            steps,
            exit: Exit::Done,
        },
    ] = blocks(1, "start tag")
    else {
        panic!("one block")
    };
    let [Step::Run(insert)] = steps[..] else {
        panic!("one step")
    };
    let Body { blocks: inserted } = &machine.bodies[insert];
    assert!(
        matches!(
            inserted[0].steps[..],
            [Step::CreateElement, Step::Run(_), Step::Push(1)]
        ),
        "{inserted:?}"
    );
    // A guard is an exit; its opposite has the same guard, and the blocks the other way round.
    let has = Guard::Has(1, Elements::SameName);
    let exits = blocks(1, "end tag").iter().map(|block| &block.exit);
    let ways: Vec<_> = exits
        .filter_map(|exit| match exit {
            Exit::If { guard, yes, no } if *guard == has => Some(yes < no),
            _ => None,
        })
        .collect();
    assert_eq!(ways, [true, false]);
    let keys: Vec<_> = loaded
        .errata
        .iter()
        .map(|e| (e.mode.as_deref(), e.key.as_str()))
        .collect();
    let start = Some("start");
    assert_eq!(
        keys,
        [
            (None, "initial insertion mode"),
            (None, "switch to MODE"),
            (None, "append it"),
            (start, "phase"),
            (start, "empty tag; end tag"),
        ]
    );
}

#[test]
fn arms_of_a_base_give_up_kinds() {
    let load = |rest: &str| {
        let text = format!("tree: mine\nextends: base\ntokenizer: markup\n{rest}");
        load(text).unwrap_or_else(|report| panic!("{report}"))
    };
    // `comment` keeps its arm, and what is said of it; `end tag` has the new one.
    let half = load("insertion modes: {main: {end tag: parse error}}");
    assert_eq!((half.arms, half.errata.len()), (6, 1));
    let whole = load("insertion modes: {main: {end tag; comment: parse error}}");
    assert_eq!((whole.arms, whole.errata.len()), (5, 0));
    let without = load("insertion modes: {main: {comment: removed}}");
    assert_eq!((without.arms, without.errata.len()), (5, 1));
    let kind = |name: &str| half.machine.kinds.iter().position(|kind| kind.name == name);
    let steps = |loaded: &LoadedTree, name: &str| {
        let arm = loaded.machine.modes[0].arms[kind(name).expect("a kind")];
        loaded.machine.bodies[arm].blocks[0].steps.clone()
    };
    assert_eq!(steps(&half, "comment"), []);
    assert_eq!(steps(&half, "end tag"), [Step::ParseError]);
    assert_eq!(steps(&without, "comment"), [Step::SwitchTo(1)]);
}

#[test]
fn a_table_is_known_by_its_keys() {
    assert!(tree::is_tree("tree: a\ntokenizer: b\n"));
    assert!(!tree::is_tree("table: a\nstates: {tree: {}}\n"));
    assert!(!tree::is_tree("tree: ["));
    assert_eq!(
        tree::tokenizer("tree: a\ntokenizer: b\n").as_deref(),
        Some("b")
    );
    assert_eq!(tree::tokenizer("tree: a\n"), None);
}
