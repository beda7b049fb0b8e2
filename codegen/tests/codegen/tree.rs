//! Tables of tree construction: what is said about them, word for word, as in `diagnostics.rs`, and what they
//! lower to.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen tree::` writes what is said now to the `expected.txt`
//! files of `tree/`; read the difference before you keep it.

use crate::support;
use speclex_codegen::Source;
use speclex_codegen::tree::{self, Action, Branch, CHARACTER, Guard, Place, Step};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree");
    let cases = fs::read_dir(folder).expect("the folder of cases");
    let mut cases: Vec<PathBuf> = cases.map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    cases
}

#[test]
fn every_case_says_what_is_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let report = match support::load_tree(&case.join("tree.yaml")) {
            Ok(loaded) => loaded.warnings,
            Err(report) => report,
        };
        let said = report.to_string();
        let expected = case.join("expected.txt");
        if update {
            fs::write(&expected, &said).expect("a writable case");
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn phrases_and_branches_become_actions() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree/sound/tree.yaml");
    let loaded = support::load_tree(&case).unwrap_or_else(|report| panic!("{report}"));
    let machine = &loaded.machine;
    assert_eq!((machine.phases.len(), loaded.arms), (2, 15));
    assert_eq!(machine.section, "1.10");
    let arm = |phase: usize, kind: &str| {
        let number = machine.kinds.iter().position(|name| name == kind);
        &machine.phases[phase].arms[number.expect("a kind")]
    };
    let attributes = Some(2);
    // "insert" is three actions, and kinds that share an arm have it each.
    assert_eq!(
        arm(1, "start tag")[..],
        [
            Step::Do(Action::CreateElement {
                name: 0,
                attributes
            }),
            Step::Do(Action::AppendElement(Place::CurrentElement)),
            Step::Do(Action::PushElement { name: 0 }),
        ]
    );
    assert_eq!(arm(0, "empty tag"), arm(0, "end tag"));
    assert_eq!(arm(1, "comment")[..], []);
    assert_eq!(
        machine.phases[1].arms[CHARACTER][..],
        [Step::Do(Action::AppendCharacter(Place::CurrentElement))]
    );
    // The opposite of a guard is another answer.
    let guard = Guard::InScope { name: 0 };
    let named_error = Action::ParseError { name: Some(0) };
    let branch = |guard, answer, action| Branch {
        guard,
        answer,
        steps: Vec::from_iter(action).into_iter().map(Step::Do).collect(),
    };
    assert_eq!(
        arm(1, "end tag")[..2],
        [
            Step::If {
                branches: vec![branch(
                    Guard::CurrentHasName { name: 0 },
                    false,
                    Some(named_error)
                )],
                otherwise: Vec::new(),
            },
            Step::If {
                branches: vec![
                    branch(guard.clone(), true, Some(Action::PopUntil { name: 0 })),
                    branch(guard, false, None),
                ],
                otherwise: vec![Step::Do(named_error)],
            },
        ]
    );
    let text = "amp".to_owned();
    let resolved = Action::AppendCodePoint {
        character: '&',
        place: Place::CurrentElement,
    };
    let kept = Action::AppendEntityReference {
        name: 0,
        place: Place::CurrentElement,
    };
    assert_eq!(
        arm(1, "entity reference")[..],
        [Step::If {
            branches: vec![
                branch(Guard::TokenHasName { name: 0, text }, true, Some(resolved)),
                branch(
                    Guard::TokenHasName {
                        name: 0,
                        text: "a the".to_owned()
                    },
                    false,
                    Some(kept)
                ),
            ],
            otherwise: Vec::new(),
        }]
    );
    let keys: Vec<_> = loaded
        .errata
        .iter()
        .map(|e| (e.phase.as_deref(), e.key.as_str()))
        .collect();
    let start = Some("start");
    assert_eq!(
        keys,
        [
            (None, "initial phase"),
            (None, "switch to PHASE"),
            (start, "phase"),
            (start, "empty tag, end tag"),
        ]
    );
}

#[test]
fn arms_of_a_base_give_up_kinds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree/extends");
    let load = |text: &str| {
        let table = Source {
            name: "mine.yaml".to_owned(),
            text: text.to_owned(),
        };
        let loaded = support::load_tree_beside(table, &folder.join("mine.yaml"));
        loaded.unwrap_or_else(|report| panic!("{report}"))
    };
    let head = "tree: mine\nextends: base\ntokenizer: markup\n";
    // `comment` keeps its arm, and what is said of it; `end tag` has the new one.
    let half = load(&format!("{head}phases: {{main: {{end tag: parse error}}}}"));
    assert_eq!((half.arms, half.errata.len()), (6, 1));
    let whole = load(&format!(
        "{head}phases: {{main: {{'end tag, comment': parse error}}}}"
    ));
    assert_eq!((whole.arms, whole.errata.len()), (5, 0));
    let without = load(&format!("{head}phases: {{main: {{comment: removed}}}}"));
    assert_eq!((without.arms, without.errata.len()), (5, 1));
    let kind = |name: &str| half.machine.kinds.iter().position(|kind| kind == name);
    let arms = &half.machine.phases[0].arms;
    assert_eq!(arms[kind("comment").expect("a kind")][..], []);
    assert_eq!(
        arms[kind("end tag").expect("a kind")][..],
        [Step::Do(Action::ParseError { name: Some(0) })]
    );
    assert_eq!(
        without.machine.phases[0].arms[kind("comment").expect("a kind")][..],
        [Step::Do(Action::SwitchTo(1))]
    );
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
