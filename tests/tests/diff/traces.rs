//! What a comparison says, and what the traces of both tables show.

use speclex_tests::side_by_side::{blocks_of, divergences};

use super::{PAIRS, diffs, machine};

#[test]
fn two_traces_part_where_the_comparison_says() {
    let mut seen = 0;
    for (diff, [a, b]) in diffs().iter().zip(PAIRS) {
        let (one, other) = (machine(a), machine(b));
        let behaviour = diff.behaviour.as_ref().expect("a search");
        for witness in &behaviour.searched.witnesses {
            let (setup, input) = (&witness.setup, witness.input.as_str());
            let blocks = blocks_of([&one, &other], setup, &[input]);
            let found = divergences(&blocks);
            // The comparison names the gravest.
            let gravest = found.iter().map(|found| found.kind).min();
            assert_eq!(
                gravest,
                Some(witness.kind),
                "{a} and {b} on {input:?}: {found:?}"
            );
            assert!(
                blocks.iter().any(|block| !block.same()),
                "{a} and {b} on {input:?}"
            );
            // Character by character it is the same.
            let single: Vec<String> = input.chars().map(|c| c.to_string()).collect();
            let single: Vec<&str> = single.iter().map(String::as_str).collect();
            let slow = divergences(&blocks_of([&one, &other], setup, &single));
            assert_eq!(slow, found, "{a} and {b} on {input:?}");
            seen += 1;
        }
    }
    assert!(seen > 250, "{seen} witnesses");
}
