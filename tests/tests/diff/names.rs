//! Changes of what is done with words and with the names of character references: no comparison may call one equal that is not.

use speclex_analysis::diff;
use speclex_codegen::machine::{Machine, StateKind};
use speclex_codegen::{Source, load};
use speclex_tests::mutations;

use super::machine;

/// What matches names is reached with their first letter only, which a class need not try.
#[test]
fn a_reference_that_is_lost_is_found() {
    let mut lost = 0;
    for name in ["html-2009", "html-2012", "html-living"] {
        let base = machine(name);
        let states = base.states.iter().enumerate();
        let matching = states.filter(|(_, state)| matches!(state.kind, StateKind::Match { .. }));
        for (state, _) in matching {
            mutations::of_state(&base, state, &mut |what, mutant| {
                if !what.ends_with("without EmitText(MatchedReplacement)") {
                    return;
                }
                let mutant = Machine {
                    references: base.references.clone(),
                    ..mutant.clone()
                };
                let searched = diff::first_difference(&base, &mutant);
                assert!(!searched.witnesses.is_empty(), "{name}, {what}");
                lost += 1;
            });
        }
    }
    assert!(lost > 2, "only {lost}");
}

/// The states before let in small letters only, so that the rest of a word alone can be of capitals: `<?xml eNCODING`.
#[test]
#[ignore = "takes long; .ci/run runs it"]
fn a_word_is_tried_in_mixed_case() {
    let base = machine("xml5");
    let mut states = base.states.iter();
    let state = states.position(|state| state.name == "XML declaration attribute name");
    let mut found = 0;
    mutations::of_state(&base, state.expect("a state"), &mut |what, mutant| {
        if what.ends_with(": other case") {
            let diff = diff::compare(&base, mutant, true);
            assert!(diff.differs() && !diff.proven_equal(), "{what}");
            let searched = diff::first_difference(&base, mutant);
            assert!(!searched.witnesses.is_empty(), "{what}");
            found += 1;
        }
    });
    assert_eq!(found, 3);
}

/// Names that end in other letters, and a question about one of these.
const NAMES: &str = "
table: names
title: Names
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
named character references: names.json
entry states: {data: data}
states:
  data:
    consume:
      U+0026 (&): switch to name
      EOF: emit EOF
      anything else: emit the current input character
  name:
    match a named character reference:
      match:
        - if the last character matched is U+0070 (p): [emit U+0031 (1), switch to data]
        - otherwise: [emit U+0032 (2), switch to data]
      no match: [emit U+0026 (&), switch to data]
";

#[test]
fn names_are_told_apart_by_any_last_character() {
    let table = |text: &str| {
        let source = Source {
            name: "names.yaml".to_owned(),
            text: text.to_owned(),
        };
        let names = |_: &str| {
            let names = [("amp", "&"), ("gt", ">"), ("lt", "<")];
            Some(
                names
                    .map(|(name, value)| (name.into(), value.into()))
                    .into(),
            )
        };
        let loaded = load(source, &|_| None, &names);
        loaded.unwrap_or_else(|report| panic!("{report}")).machine
    };
    let tables = [NAMES, &NAMES.replace("U+0031 (1)", "U+0033 (3)")].map(table);
    let diff = diff::compare(&tables[0], &tables[1], true);
    assert!(diff.differs() && !diff.proven_equal());
    let behaviour = diff.behaviour.expect("a search");
    let witness = &behaviour.searched.witnesses[0];
    assert!(witness.input.starts_with("&amp"), "{:?}", witness.input);
}
