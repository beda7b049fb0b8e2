//! What is known of the last start tag's name in the input ahead. With it, look-ahead is linear however often it is asked:
//! for the name `aaa…` at each `a` of `aaa…`, each character is compared once.

use alloc::vec::Vec;
use core::mem;

/// What look-ahead has found.
#[derive(Debug, Default)]
pub(crate) struct NameAhead {
    /// Where the name was in the input at hand when something was found. It says nothing about another name.
    of: (usize, usize),
    /// How much of the name a look-ahead has found that waits for more input, and in how much of the input.
    waiting: (usize, usize),
    /// The offset in the stream at which `found` bytes of the name come.
    start: u64,
    found: usize,
    /// For each byte of the name, how many bytes from there on are those that the name begins with. Made when needed.
    repeats: Vec<usize>,
}

impl NameAhead {
    /// How much of the name is known to come at an offset in the stream, and in how much of the input; `None` if the
    /// name is known not to come.
    pub(crate) fn known(
        &mut self,
        name: &[u8],
        of: (usize, usize),
        start: u64,
    ) -> Option<(usize, usize)> {
        let waiting = mem::take(&mut self.waiting);
        if self.of != of {
            *self = Self {
                of,
                ..Self::default()
            };
        }
        if waiting.0 > 0 {
            return Some(waiting);
        }
        let after = usize::try_from(start.wrapping_sub(self.start)).unwrap_or(usize::MAX);
        let Some(rest) = self.found.checked_sub(after).filter(|rest| *rest > 0) else {
            return Some((0, 0));
        };
        if after > 0 && self.repeats.is_empty() {
            self.repeats = repeats(name);
        }
        // From itself on a name is itself.
        match self.repeats.get(after) {
            Some(&repeated) if after > 0 && repeated < rest => None,
            _ => Some((rest, rest)),
        }
    }

    /// Remembers that `found` bytes of the name come at an offset, if that is further than was known.
    pub(crate) fn found(&mut self, start: u64, found: usize) {
        if start.wrapping_add(found as u64) >= self.start.wrapping_add(self.found as u64) {
            (self.start, self.found) = (start, found);
        }
    }

    /// Remembers how far a look-ahead came that waits.
    pub(crate) fn wait(&mut self, found: usize, seen: usize) {
        self.waiting = (found, seen);
    }
}

/// For each byte of a name, how many bytes from there on are those that it begins with, letters in either case: the
/// Z algorithm.
fn repeats(name: &[u8]) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::with_capacity(name.len());
    // The repeat that reaches furthest.
    let (mut from, mut to): (usize, usize) = (0, 0);
    for at in 0..name.len() {
        let known = all.get(at.wrapping_sub(from)).copied().unwrap_or(0);
        let known = known.min(to.saturating_sub(at));
        let rest = name.iter().skip(known).zip(name.iter().skip(at + known));
        let same = match at {
            0 => 0,
            _ => rest.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count(),
        };
        if at + known + same > to {
            (from, to) = (at, at + known + same);
        }
        all.push(known + same);
    }
    all
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{NameAhead, repeats};

    #[test]
    fn repeats_are_those_of_the_beginning() {
        assert_eq!(repeats(b"aAbaa"), vec![0, 1, 0, 2, 1]);
        assert_eq!(repeats(b"abababa"), vec![0, 0, 5, 0, 3, 0, 1]);
        assert_eq!(repeats(b""), Vec::<usize>::new());
    }

    /// Every text of this length over the letters `a` and `b`.
    fn texts(length: u32) -> impl Iterator<Item = Vec<u8>> {
        (0..1u32 << length).map(move |bits| {
            let letters = (0..length).map(|at| b'a' + (bits >> at & 1) as u8);
            letters.collect()
        })
    }

    /// How much of a name comes.
    fn same(name: &[u8], text: &[u8]) -> usize {
        let pairs = name.iter().zip(text);
        pairs.take_while(|(a, b)| a == b).count()
    }

    #[test]
    fn what_is_known_is_true_wherever_it_is_asked() {
        const LENGTH: u32 = 7;
        for name in (1..=4).flat_map(texts) {
            for text in texts(LENGTH) {
                for places in 0..1u32 << LENGTH {
                    let mut ahead = NameAhead::default();
                    // Twice, as by two questions of an arm.
                    let twice = (0..LENGTH).flat_map(|place| [place; 2]);
                    for place in twice.filter(|place| places >> place & 1 == 1) {
                        let comes = same(&name, &text[place as usize..]);
                        match ahead.known(&name, (0, 0), u64::from(place)) {
                            None => assert!(comes < name.len(), "{name:?} {text:?} {place}"),
                            Some((known, _)) => {
                                assert!(known <= comes, "{name:?} {text:?} {place}");
                                ahead.found(u64::from(place), comes);
                            }
                        }
                    }
                }
            }
        }
    }
}
