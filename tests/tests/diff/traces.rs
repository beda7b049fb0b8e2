//! What a comparison says, and what the traces of both tables show.

use speclex_tests::side_by_side::{blocks_of, divergences};

use super::machine;
use super::shipped::Shipped;

pub(crate) fn two_traces_part_where_the_comparison_says(shipped: &Shipped) {
    let [one, other] = shipped.names.map(machine);
    for witness in shipped.witnesses() {
        let (setup, input) = (&witness.setup, witness.input.as_str());
        let blocks = blocks_of([&one, &other], setup, &[input]);
        let found = divergences(&blocks);
        // The comparison names the gravest.
        let gravest = found.iter().map(|found| found.kind).min();
        assert_eq!(gravest, Some(witness.kind), "on {input:?}: {found:?}");
        assert!(blocks.iter().any(|block| !block.same()), "on {input:?}");
        // Character by character it is the same.
        let single: Vec<String> = input.chars().map(|c| c.to_string()).collect();
        let single: Vec<&str> = single.iter().map(String::as_str).collect();
        let slow = divergences(&blocks_of([&one, &other], setup, &single));
        assert_eq!(slow, found, "on {input:?}");
    }
}
