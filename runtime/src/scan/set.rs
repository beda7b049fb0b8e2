//! Sets of bytes, and what an engine is that looks for them.

use core::marker::PhantomData;

/// How many ranges a [`Set`] may have.
pub(crate) const MAX_RANGES: usize = 8;

/// A set of bytes to stop at.
///
/// For every 16 bytes each range costs one instruction if it is a single byte, two if it starts at 0 or
/// ends at 255, three otherwise, and nothing if it is 128 to 255; two ranges that one question tells
/// (`probe.rs`) cost two together. A set may hold more than its user needs (all bytes up to the space
/// in place of the white space), as long as the user goes on after a byte that does not concern it.
pub trait Set {
    /// Inclusive ranges, at most 8.
    const RANGES: &'static [(u8, u8)];
}

/// The ranges of a set, as [`for_each`] takes them.
pub(super) struct Ranges<S>(PhantomData<S>);

impl<S: Set> Ranges<S> {
    pub(super) const ALL: [Option<(u8, u8)>; MAX_RANGES] = {
        assert!(
            S::RANGES.len() <= MAX_RANGES,
            "a set of bytes has too many ranges"
        );
        let mut all = [None; MAX_RANGES];
        let mut index = 0;
        while index < S::RANGES.len() {
            all[index] = Some(S::RANGES[index]);
            index += 1;
        }
        all
    };
}

/// Runs a block of code with each of `ALL` that a type has; what they are is known to the compiler.
macro_rules! for_each {
    ($all:ty, $one:pat, $body:expr) => {
        $crate::scan::set::for_each!(@ $all, $one, $body, 0, 1, 2, 3, 4, 5, 6, 7)
    };
    (@ $all:ty, $one:pat, $body:expr, $($index:literal),*) => {$(
        if let Some($one) = const { <$all>::ALL[$index] } {
            $body
        }
    )*};
}
pub(super) use for_each;

/// Whether the byte is in the set.
#[inline(always)]
pub fn contains<S: Set>(byte: u8) -> bool {
    let mut found = false;
    for_each!(
        Ranges<S>,
        (first, last),
        found |= first <= byte && byte <= last
    );
    found
}

/// A block of input, as all engines take it.
pub(super) type Block = [u8; 16];

/// A way to look at many bytes at once.
pub(super) trait Engine {
    /// The index of the first byte of the set after the first `skipped`, which are fewer than 16.
    fn first<S: Set>(block: &Block, skipped: usize) -> Option<usize>;

    /// Whether a byte of the blocks is in the set.
    fn any<S: Set>(blocks: [&Block; 4]) -> bool;

    /// A bit for each byte of the set, the lowest for the first.
    fn bits<S: Set>(blocks: [&Block; 4]) -> u64;

    /// The index of the first byte of the set after the first `skipped`, which are fewer than 64.
    fn first_of_four<S: Set>(blocks: [&Block; 4], skipped: usize) -> Option<usize>;
}
