//! Inclusive ranges of numbers: values that a register can have.

/// Inclusive ranges of numbers, words or states.
pub(crate) type Ranges = Vec<(u32, u32)>;

/// Ranges in order, without overlap.
pub(crate) fn merged(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut merged: Ranges = Vec::with_capacity(ranges.len());
    for (a, b) in ranges {
        match merged.last_mut() {
            Some(last) if a <= last.1.saturating_add(1) => last.1 = last.1.max(b),
            _ => merged.push((a, b)),
        }
    }
    merged
}

/// What is in both.
pub(crate) fn within(known: &[(u32, u32)], asked: &[(u32, u32)]) -> Ranges {
    let mut left = Vec::new();
    for &(a, b) in known {
        for &(c, d) in asked {
            if a.max(c) <= b.min(d) {
                left.push((a.max(c), b.min(d)));
            }
        }
    }
    left.sort_unstable();
    left
}

/// What is in the first and not in the second.
pub(crate) fn without(known: &[(u32, u32)], asked: &[(u32, u32)]) -> Ranges {
    let mut left = known.to_vec();
    for &(c, d) in asked {
        left = left
            .into_iter()
            .flat_map(|(a, b)| {
                let before = (c > a).then(|| (a, b.min(c.wrapping_sub(1))));
                let after = (d < b).then(|| (a.max(d.saturating_add(1)), b));
                [before, after].into_iter().flatten()
            })
            .filter(|(a, b)| a <= b)
            .collect();
    }
    left
}
