//! Tables of tree construction: what is said about mistakes in them, word for word, and what they lower to.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen tree::` writes what is said now to `tree/mistakes.txt`;
//! read the difference before you keep it.

use crate::support::{self, mistakes};
use speclex_codegen::testing::all_templates;
use speclex_codegen::tree::machine::{
    Arm, Call, Exit, Guard, Node, Step, Tokens, TreeMachine, Types, Variable,
};
use speclex_codegen::tree::{self, LoadedTree};
use speclex_codegen::{Report, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree")
}

/// What is said of a text that stands where the tables are.
fn report(text: String) -> Result<LoadedTree, Report> {
    let name = "tree.yaml";
    let table = Source {
        name: name.to_owned(),
        text,
    };
    support::load_tree_beside(table, &folder().join(name))
}

fn load(text: String) -> Result<LoadedTree, String> {
    report(text).map_err(|report| report.to_string())
}

#[test]
fn every_mistake_is_said_with_its_place_and_a_help() {
    let count = mistakes::compare(&folder().join("mistakes.txt"), |mistake| {
        let name = match mistake.table {
            "" => "sound.yaml".to_owned(),
            name => format!("{name}.yaml"),
        };
        let shipped = folder().join("../../../spec-tables").join(&name);
        let own = fs::read_to_string(folder().join(&name));
        let table = own.or_else(|_| fs::read_to_string(shipped));
        let (text, _) = mistake.made_in(&table.expect("a table"));
        report(text).map_or_else(|report| report, |loaded| loaded.warnings)
    });
    assert!(count >= 40, "{count} mistakes");
}

/// The arm that names a kind of token.
fn arm<'m>(machine: &'m TreeMachine, mode: usize, kind: &str) -> Option<&'m Arm> {
    let number = machine.kinds.iter().position(|it| it.name == kind);
    let takes = Tokens::Kind(number.expect("a kind"));
    let mut arms = machine.modes[mode].arms.iter();
    arms.find(|arm| arm.takes.iter().any(|it| it.tokens == takes))
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
    let variables = [Variable::InsertionMode, Variable::OpenElements];
    assert_eq!(machine.variables, variables);
    let blocks = |mode, kind| {
        let arm = arm(machine, mode, kind).expect("an arm");
        &machine.bodies[arm.body].blocks[..]
    };
    // Kinds that share an arm share its body.
    let shared = arm(machine, 0, "end tag").map(|arm| arm.body);
    assert_eq!(arm(machine, 0, "empty tag").map(|arm| arm.body), shared);
    assert_eq!(arm(machine, 1, "comment"), None);
    // A procedure is a body that others run, with values in its holes.
    let [only] = blocks(1, "start tag") else {
        panic!("one block")
    };
    assert_eq!(only.exit, Exit::Done);
    let [Step::Run(Call { body, .. })] = &only.steps[..] else {
        panic!("one step")
    };
    let inserted = &machine.bodies[*body];
    assert_eq!(inserted.name, "insert an element for the token");
    let [Step::Set(0, _), Step::Run(_), Step::Push(Node::New)] = &inserted.blocks[0].steps[..]
    else {
        panic!("{inserted:?}")
    };
    // The opposite of a guard is the guard with `Not`.
    let exits = blocks(1, "end tag").iter().map(|block| &block.exit);
    let has = |guard: &Guard| matches!(guard, Guard::IsOnStack(Types::NamedAny(_)));
    let ways: Vec<_> = exits
        .filter_map(|exit| match exit {
            Exit::If { guard, .. } if has(guard) => Some(true),
            Exit::If {
                guard: Guard::Not(guard),
                ..
            } if has(guard) => Some(false),
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
    let steps = |loaded: &LoadedTree, name: &str| {
        let arm = arm(&loaded.machine, 0, name)?;
        Some(loaded.machine.bodies[arm.body].blocks[0].steps.clone())
    };
    assert_eq!(steps(&half, "comment"), Some(vec![]));
    assert_eq!(steps(&half, "end tag"), Some(vec![Step::ParseError]));
    assert_eq!(steps(&without, "comment"), None);
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

/// The value of each row, in a step.
fn step_with(value: &str) -> String {
    let types = ["a td", "a special", "an HTML", "HTML", "an element"];
    match value {
        _ if types.iter().any(|start| value.starts_with(start)) && !value.contains(" was ") => {
            format!("pop elements from the stack of open elements until {value} has been popped")
        }
        _ if value.ends_with("namespace") && !value.starts_with("a new")
            || value.starts_with("the namespace of") =>
        {
            format!("let it be a new element with subject in {value}")
        }
        _ if value.ends_with("insertion mode") => {
            format!("push {value} onto the stack of template insertion modes")
        }
        _ if value.contains("the token for")
            || value == "the token"
            || value.contains("start tag token") =>
        {
            format!("append each attribute of {value} to node")
        }
        _ => format!("let it be {value}"),
    }
}

#[test]
fn every_example_of_a_row_is_read() {
    let [.., steps, guards, values] = all_templates();
    let nodes = "node element entry root newElement furthestBlock formattingElement lastNode lastTable lastTemplate \
                 templateElement host targetParent referenceChild";
    let mut lets = String::from(
        "      - insert an HTML element for a \"p\" start tag token with no attributes\n",
    );
    lets += "      - pop the current node off the stack of open elements\n";
    for name in nodes.split_whitespace() {
        lets += &format!("      - let {name} be the current node\n");
    }
    for (name, value) in [
        ("last", "true"),
        ("innerLoopCounter", "0"),
        ("outerLoopCounter", "0"),
        ("subject", "\"b\""),
        ("place", "inside node, after its last child"),
        ("adjustedInsertionLocation", "place"),
        (
            "bookmark",
            "the position of node in the list of active formatting elements",
        ),
    ] {
        lets += &format!("      - let {name} be {value}\n");
    }
    let mut arms = String::new();
    let mut procedures = String::new();
    let mut add = |kind: &str, step: &str| {
        let number = arms.matches(" \"x").count();
        arms += &format!("    {kind} \"x{number}\":\n{lets}{step}");
    };
    for row in &steps {
        match row.example {
            // Only characters have one.
            it if it.contains("token's character")
                || it.starts_with("append the character token") =>
            {
                let locals = lets.lines().skip(2).collect::<Vec<_>>().join("\n");
                procedures += &format!("  do it {}:\n{locals}\n      - {it}\n", procedures.len());
            }
            it if it.contains("ProcessingInstruction") => {
                add("processing instruction token", &format!("      - {it}\n"))
            }
            it if it.contains("Comment") => add("comment token", &format!("      - {it}\n")),
            it if it.contains("DocumentType") => add("DOCTYPE token", &format!("      - {it}\n")),
            "return element" => {
                procedures +=
                    "  an element again: [let element be the current node, return element]\n"
            }
            it @ ("break" | "continue") => add("start tag", &format!("      - while true: {it}\n")),
            it if it.contains("labeled Loop") => add("start tag", &format!("      - Loop: {it}\n")),
            it if it.contains("labeled Done") => {
                add(
                    "start tag",
                    &format!("      - if last is true: {it}\n      - Done: parse error\n"),
                );
            }
            // Its own rules would have the token for ever.
            it if it.contains("the rules for the current insertion mode") => {
                let switch = "switch the insertion mode to \"main\"";
                add("start tag", &format!("      - {switch}\n      - {it}\n"));
            }
            it => add("start tag", &format!("      - {it}\n")),
        }
    }
    for row in &guards {
        let is_of_doctype =
            row.example.contains("identifier") || row.example.contains("conditions");
        add(
            if is_of_doctype {
                "DOCTYPE token"
            } else {
                "start tag"
            },
            &format!("      - ? if {}\n        : parse error\n", row.example),
        );
    }
    for row in &values {
        let step = step_with(row.example);
        match row.example {
            "the popped element" | "the token's character" => {
                let locals = lets.lines().skip(2).collect::<Vec<_>>().join("\n");
                procedures += &format!("  do it {}:\n{locals}\n      - {step}\n", procedures.len());
            }
            _ => add("start tag", &format!("      - {step}\n")),
        }
    }
    let table = format!(
        "tree: examples\nextends: html-tree-living\ntokenizer: html-living\nprocedures:\n{procedures}insertion modes:\n  \
         main: {{anything else: stop parsing}}\n  examples:\n{arms}    anything else: stop parsing\n"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec-tables/examples.yaml");
    let source = Source {
        name: "examples.yaml".to_owned(),
        text: table,
    };
    if let Err(report) = support::load_tree_beside(source, &path) {
        panic!("{report}");
    }
}

#[test]
fn a_table_is_not_larger_than_its_limits() {
    let table = |modes: usize, arms: usize, variables: usize| {
        let mut text = "tree: large\ntokenizer: markup\ninitial insertion mode: m0\n\
                        variables: {stack of open elements: stack of elements}\ninsertion modes:\n"
            .to_owned();
        for mode in 0..modes {
            text += &format!("  m{mode}:\n    anything else: stop parsing\n");
        }
        text += "  m:\n    end tag:\n      - parse error\n";
        for variable in 0..variables {
            text += &format!("      - let v{variable} be the current node\n");
        }
        for arm in 0..arms {
            text += &format!("    start tag \"x{arm}\": ignore the token\n");
        }
        load(text + "    anything else: stop parsing\n")
    };
    if let Err(report) = table(499, 400, 500) {
        panic!("{report}");
    }
    for (modes, arms, variables) in [(500, 1, 1), (1, 10_000, 1), (1, 1, 501)] {
        let report = table(modes, arms, variables).expect_err("a report");
        assert!(report.starts_with("error[too-large]: "), "{report}");
        assert!(report.ends_with("1 error\n"), "{report}");
    }
}

/// There is no clock here: with names that are read in every way at every word, this would take minutes.
#[test]
fn each_part_of_a_long_guard_is_refused_by_itself() {
    let part = |guard: usize, part: usize| format!("x{part} is y{guard}-{part}");
    let guards = (0..40).map(|guard| {
        let parts: Vec<String> = (0..60).map(|it| part(guard, it)).collect();
        format!("  g{guard}: {}\n", parts.join(" or "))
    });
    let guards: String = guards.collect();
    let text = format!(
        "tree: long\ntokenizer: markup\ninitial insertion mode: m\n\
         variables: {{stack of open elements: stack of elements}}\nconditions:\n{guards}\
         \x20 g: the current node is null or {}\n\
         insertion modes:\n  m:\n    anything else: stop parsing\n",
        ["the stack of open elements is empty"; 12].join(" or ")
    );
    let report = load(text).expect_err("a report");
    for guard in 0..40 {
        for it in 0..60 {
            let part = part(guard, it);
            let message = format!("`{part}` is not a guard of tree construction");
            assert!(report.contains(&message), "{part}");
        }
    }
}
