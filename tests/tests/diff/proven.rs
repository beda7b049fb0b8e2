//! What the prover proves.

use speclex_analysis::diff::ErrorComparison;
use speclex_analysis::prove::{Unproved, prove};
use speclex_codegen::machine::Machine;
use speclex_tests::between::without_effect;
use speclex_tests::refactorings;

use super::machine;
use super::shipped::{self, Shipped};

fn proven(one: &Machine, other: &Machine) -> Result<(), Unproved> {
    prove(one, other, ErrorComparison::of(one, other)).map(|_| ())
}

#[test]
fn each_table_is_proven_equal_to_itself_in_other_words() {
    for table in speclex_tables::all() {
        let table = machine(table.name);
        let renamed = ["states in another order", "states under other names"];
        let mut other = table.clone();
        for refactoring in refactorings::ALL {
            if renamed.contains(&refactoring.name) {
                (refactoring.apply)(&mut other);
            }
        }
        for register in &mut other.registers {
            register.name.insert_str(0, "another ");
        }
        if let Err(unproved) = proven(&table, &other) {
            panic!("{}: {unproved}", table.name);
        }
    }
}

/// All ways to write tables differently; how many there were.
fn written_differently_are_proven(names: &[&str]) -> usize {
    let mut unproved = Vec::new();
    let mut count = 0;
    for name in names {
        let table = machine(name);
        for refactoring in refactorings::ALL {
            let mut rewritten = table.clone();
            (refactoring.apply)(&mut rewritten);
            if rewritten != table {
                count += 1;
                if let Err(why) = proven(&table, &rewritten) {
                    unproved.push(format!("{name}: {}: {why}", refactoring.name));
                }
            }
        }
    }
    assert!(unproved.is_empty(), "{unproved:#?}");
    count
}

#[test]
fn a_table_that_is_written_differently_is_proven_equal() {
    assert!(written_differently_are_proven(&["xml5"]) >= 18);
}

#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn all_tables_that_are_written_differently_are_proven_equal() {
    let names: Vec<&str> = speclex_tables::all().iter().map(|it| it.name).collect();
    assert!(written_differently_are_proven(&names) >= 140);
}

/// All changes of a comparison that no input shows, made in the first table, and taken back in the second.
fn changes_without_effect_are_proven(shipped: &Shipped) {
    let tables = shipped.names.map(machine);
    let causes = &shipped.behaviour().causes;
    let compared = ErrorComparison::of(&tables[0], &tables[1]);
    for [one, other] in without_effect(tables.each_ref(), causes) {
        if let Err(unproved) = prove(&one, &other, compared) {
            panic!("{unproved}");
        }
    }
}

#[test]
#[ignore = "the searches take long; .ci/run runs it"]
fn changes_without_effect_of_quick_comparisons_are_proven() {
    for shipped in [&shipped::SINCE_2014, &shipped::JUNE_2026, &shipped::XML5] {
        changes_without_effect_are_proven(shipped);
    }
}

#[test]
#[ignore = "the searches take half a minute; .ci/run runs it"]
fn changes_without_effect_before_2014_are_proven() {
    changes_without_effect_are_proven(&shipped::SINCE_2009);
    changes_without_effect_are_proven(&shipped::SINCE_2012);
}
