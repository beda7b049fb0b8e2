//! What SSE2 asks of a byte: fewer questions than a set has ranges. Two ranges are often told by one comparison when
//! bits of the byte have been set or turned over before.

use core::marker::PhantomData;

use super::set::{MAX_RANGES, Ranges, Set};

/// Whether a byte is from `first` to `last` when the bits of `or` have been set in it and those of `xor` turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probe {
    /// For two bytes that differ in these bits, else 0.
    pub(super) or: u8,
    /// For ranges of bytes below 0x80, else 0; `first` is 0 then and `last` less than 0x7F.
    pub(super) xor: u8,
    /// The least byte.
    pub(super) first: u8,
    /// The greatest one.
    pub(super) last: u8,
}

impl Probe {
    const fn range((first, last): (u8, u8)) -> Self {
        Self {
            or: 0,
            xor: 0,
            first,
            last,
        }
    }

    /// One question for two ranges that have nothing in common, if there is one.
    const fn both(one: (u8, u8), other: (u8, u8)) -> Option<Self> {
        if one.0 == one.1 && other.0 == other.1 {
            let (differ, byte) = (one.0 ^ other.0, one.0 | other.0);
            let or = Self {
                or: differ,
                ..Self::range((byte, byte))
            };
            return if differ.is_power_of_two() {
                Some(or)
            } else {
                None
            };
        }
        if one.1 >= 0x80 || other.1 >= 0x80 {
            return None;
        }
        let last = (one.1 - one.0) + (other.1 - other.0) + 1;
        if last >= 0x7F {
            return None;
        }
        // Turning bits over changes no two bytes into one: if all up to `last` come from these ranges, nothing else does.
        let mut xor = 1;
        while xor < 0x80 {
            let mut turned = 0;
            while turned <= last && is_in(turned ^ xor, one, other) {
                turned += 1;
            }
            if turned > last {
                return Some(Self {
                    xor,
                    ..Self::range((0, last))
                });
            }
            xor += 1;
        }
        None
    }
}

const fn is_in(byte: u8, one: (u8, u8), other: (u8, u8)) -> bool {
    one.0 <= byte && byte <= one.1 || other.0 <= byte && byte <= other.1
}

/// The probes of a set, as [`for_each`](super::set::for_each) takes them: found once for each set.
pub(super) struct Probes<S>(PhantomData<S>);

impl<S: Set> Probes<S> {
    pub(super) const ALL: [Option<Probe>; MAX_RANGES] = probes(&Ranges::<S>::ALL);
}

/// What tells whether a byte is in one of the ranges.
const fn probes(ranges: &[Option<(u8, u8)>; MAX_RANGES]) -> [Option<Probe>; MAX_RANGES] {
    let mut probes = [None; MAX_RANGES];
    let mut told = [false; MAX_RANGES];
    let (mut count, mut index) = (0, 0);
    while index < MAX_RANGES {
        if let Some(one) = ranges[index]
            && !told[index]
        {
            probes[count] = Some(Probe::range(one));
            let mut later = index + 1;
            while later < MAX_RANGES {
                if let Some(other) = ranges[later]
                    && !told[later]
                    && let Some(both) = Probe::both(one, other)
                {
                    (probes[count], told[later]) = (Some(both), true);
                    break;
                }
                later += 1;
            }
            count += 1;
        }
        index += 1;
    }
    probes
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    impl Probe {
        fn tells(self, byte: u8) -> bool {
            let byte = (byte | self.or) ^ self.xor;
            self.first <= byte && byte <= self.last
        }
    }

    #[test]
    fn a_probe_for_two_ranges_tells_just_their_bytes() {
        let mut found = 0;
        let ranges = |width: u8| (0..=u8::MAX - width).map(move |first| (first, first + width));
        for one in [0, 1, 3, 7].into_iter().flat_map(ranges) {
            for other in [0, 3, 8].into_iter().flat_map(ranges) {
                let apart = one.1 < other.0 || other.1 < one.0;
                if apart && let Some(probe) = Probe::both(one, other) {
                    found += 1;
                    assert!(probe.xor == 0 || probe.first == 0 && probe.last < 0x7F);
                    for byte in 0..=u8::MAX {
                        assert_eq!(
                            probe.tells(byte),
                            is_in(byte, one, other),
                            "{byte} {one:?} {other:?} {probe:?}"
                        );
                    }
                }
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn nul_and_cr_with_controls_around_them_are_one_question_and_so_are_two_quotes() {
        let some = [
            (0, 7),
            (0x0C, 0x0F),
            (b'"', b'"'),
            (b'&', b'&'),
            (b'<', b'<'),
        ];
        let mut ranges = [None; MAX_RANGES];
        ranges[..some.len()].copy_from_slice(&some.map(Some));
        let expected = [
            Probe {
                xor: 4,
                ..Probe::range((0, 11))
            },
            Probe {
                or: 4,
                ..Probe::range((b'&', b'&'))
            },
            Probe::range((b'<', b'<')),
        ];
        let found: Vec<Probe> = probes(&ranges).into_iter().flatten().collect();
        assert_eq!(found, expected);
    }
}
