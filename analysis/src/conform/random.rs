//! Numbers for random inputs: the same for the same seed.

/// A splitmix64 generator.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The generator with this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.number().checked_rem(end as u64).unwrap_or(0) as usize
    }

    /// One of a list, if it has any.
    pub(super) fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}
