//! Ways of cutting an input into chunks.

use crate::random::Random;

/// Lengths of one byte each.
pub fn bytes(length: usize) -> Vec<usize> {
    vec![1; length]
}

/// Random lengths up to `longest`.
pub fn random(length: usize, longest: usize, random: &mut Random) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < length {
        let step = (1 + random.below(longest)).min(length - at);
        cuts.push(step);
        at += step;
    }
    cuts
}
