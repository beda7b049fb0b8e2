//! Changes that show only on a string that is not empty, which both tables have: no comparison may call one equal.

use speclex_analysis::diff;
use speclex_codegen::machine::Machine;
use speclex_tests::mutations;

use super::machine;

#[test]
#[ignore = "takes long; .ci/run runs it"]
fn setting_a_field_anew_is_not_appending_to_it() {
    let base = machine("html-living");
    let name = "DOCTYPE public identifier (double-quoted)";
    let mut states = base.states.iter();
    let state = states
        .position(|state| state.name == name)
        .expect("a state");
    let mut found = 0;
    mutations::of_state(&base, state, &mut |what, mutant| {
        if !what.contains(": Set(") {
            return;
        }
        let mutant = Machine {
            references: base.references.clone(),
            ..mutant.clone()
        };
        let searched = diff::first_difference(&base, &mutant);
        assert!(!searched.witnesses.is_empty(), "{what}");
        let diff = diff::compare(&base, &mutant, true);
        assert!(diff.differs() && !diff.proven_equal(), "{what}");
        found += 1;
    });
    assert!(found > 1, "only {found}");
}
