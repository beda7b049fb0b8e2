//! What tables lower to: a folder of `lowering/` is a table and its machine.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test codegen lowering::` writes the machines as they are
//! now; read the difference before you keep it.

use crate::support::{self, dump::dump};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_case_lowers_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let got = match support::load(&case.join("table.yaml")) {
            Ok(loaded) => format!("{}{}", loaded.warnings, dump(&loaded.machine)),
            Err(report) => panic!("{}:\n{report}", case.display()),
        };
        let expected = case.join("expected.txt");
        if update {
            fs::write(&expected, &got).expect("a writable case");
        } else if fs::read_to_string(&expected).unwrap_or_default() != got {
            wrong.push(format!("{}:\n{got}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} machines differ; UPDATE_EXPECT=1 accepts them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The properties that the documentation of the machine promises.
#[test]
fn every_machine_is_canonical() {
    use speclex_codegen::charset::CharSet;
    use speclex_codegen::machine::StateKind;
    for case in cases() {
        let Ok(loaded) = support::load(&case.join("table.yaml")) else {
            continue;
        };
        let machine = loaded.machine;
        let mut names: Vec<&str> = machine.states.iter().map(|s| s.name.as_str()).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{}: names are unique", case.display());
        for state in &machine.states {
            let StateKind::Consume(consume) = &state.kind else {
                continue;
            };
            let mut union = CharSet::new();
            for arm in &consume.arms {
                assert!(
                    arm.set.intersection(&union).is_empty(),
                    "{}: {} is disjoint",
                    state.name,
                    arm.label
                );
                union = union.union(&arm.set);
            }
            assert_eq!(union, CharSet::all(), "{}: all characters", state.name);
        }
    }
}
