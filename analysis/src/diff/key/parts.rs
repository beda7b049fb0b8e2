//! A key under construction: numbers, places and strings of symbols.

use crate::diff::facts::is_sign;
use crate::diff::product::{Pair, Product, RegisterPlace};
use crate::diff::runner::configuration::{LITERAL, Number, Symbol, Value};

/// A number, where in a key it is, and in which registers.
pub(in crate::diff) type NumberPlaces = (Number, Vec<(usize, RegisterPlace)>);

/// A string with more pieces than this is only known to be long.
const PIECES: usize = 5;

/// Most keys are shorter than this, and have fewer places.
const LENGTH: usize = 256;
const PLACES: usize = 32;

/// A key under construction.
#[derive(Default)]
pub(in crate::diff) struct Key {
    /// The parts that need no knowledge of places.
    pub(in crate::diff) parts: Vec<u32>,
    /// Whether a string had too many pieces to be told apart from others.
    pub(in crate::diff) widened: bool,
    /// Whether characters of which only the kinds are known are read again, and something is remembered of them.
    pub(in crate::diff) remembers: bool,
    /// Whether two strings of both sides are not the same.
    pub(super) has_rest: bool,
    /// Numbers that stand for several intervals, with the indices in `parts`.
    pub(in crate::diff) spread: Vec<NumberPlaces>,
    /// The numbers that the registers hold, and others that characters are of, by the places of such characters.
    pub(super) codes: Vec<u32>,
    boundaries: Vec<u32>,
    /// Runs of input to be written once all boundaries are known: index in `parts`, and the place.
    ranks: Vec<(usize, u32)>,
    /// Stretches of input that may be read again.
    pub(in crate::diff) reread: Vec<(u32, u32)>,
}

/// Marks in a key, so that no two sequences of parts are the same by accident.
pub(in crate::diff) mod mark {
    pub(in crate::diff) const LITERAL: u32 = 0x8000_0000;
    pub(in crate::diff) const CODE: u32 = 0x2000_0000;
    pub(in crate::diff) const RANGE: u32 = 0x4000_0000;
    pub(in crate::diff) const END: u32 = 0x4000_0001;
    pub(in crate::diff) const DIFFER: u32 = 0x4000_0002;
    pub(in crate::diff) const ATTRIBUTE: u32 = 0x4000_0003;
    pub(in crate::diff) const MISSING: u32 = 0x4000_0004;
    pub(in crate::diff) const TOKEN: u32 = 0x4000_0005;
    pub(in crate::diff) const RUN_END: u32 = 0x4000_0006;
    pub(in crate::diff) const SECTION: u32 = 0x4000_0007;
    pub(in crate::diff) const ABSENT: u32 = 0x4000_0008;
    pub(in crate::diff) const MANY: u32 = 0x4000_0009;
}

/// A field of one side alone.
pub(in crate::diff) fn write_value(key: &mut Key, value: &Value, input: &[char]) {
    match value {
        Value::Text(text) => key.text(text, input),
        Value::Missing => key.parts.push(mark::MISSING),
        Value::Flag(set) => key.parts.push(u32::from(*set)),
        Value::Attributes(all) => {
            for (name, value) in all {
                key.parts.push(mark::ATTRIBUTE);
                key.text(name, input);
                key.text(value, input);
            }
            key.parts.push(mark::END);
        }
    }
}

impl Key {
    pub(in crate::diff) fn new() -> Self {
        Self {
            parts: Vec::with_capacity(LENGTH),
            boundaries: Vec::with_capacity(PLACES),
            ranks: Vec::with_capacity(PLACES),
            ..Self::default()
        }
    }

    /// Notes which of two strings are empty.
    pub(super) fn emptiness(&mut self, one: &[Symbol], other: &[Symbol]) {
        self.parts
            .push(u32::from(one.is_empty()) | u32::from(other.is_empty()) << 1);
    }

    /// Notes a place, by its order among all places.
    pub(in crate::diff) fn place(&mut self, place: u32) {
        self.ranks.push((self.parts.len(), place));
        self.boundaries.push(place);
        self.parts.push(0);
    }

    /// Notes the character of a number that stands for others: which of those in the key, not which number it is.
    pub(super) fn code(&mut self, place: u32) {
        let known = self.codes.iter().position(|&code| code == place);
        let index = known.unwrap_or_else(|| {
            self.codes.push(place);
            self.codes.len() - 1
        });
        self.parts.push(mark::CODE | index as u32);
    }

    /// Notes a string: which stretches of the input it is made of, and what else. The first character is known if it is a sign of
    /// its own: one side may write what the other has read.
    pub(in crate::diff) fn text(&mut self, text: &[Symbol], input: &[char]) {
        if let Some(first) = text.first().filter(|first| is_sign(first.c)) {
            self.parts.push(mark::LITERAL | first.c as u32);
        }
        let start = (self.parts.len(), self.boundaries.len(), self.ranks.len());
        if self.pieces(text, input) > PIECES {
            self.parts.truncate(start.0);
            self.boundaries.truncate(start.1);
            self.ranks.truncate(start.2);
            self.parts.push(mark::MANY);
            self.widened = true;
        }
    }

    fn pieces(&mut self, text: &[Symbol], input: &[char]) -> usize {
        let mut pieces = 0;
        let at = |place: u32| input.get(place as usize).copied();
        let mut index = 0;
        while index < text.len() {
            let symbol = text[index];
            // Written characters that are those of the input beside them count as input.
            let start = if symbol.place == LITERAL {
                let run = text[index..]
                    .iter()
                    .take_while(|s| s.place == LITERAL)
                    .count();
                text.get(index + run)
                    .and_then(|next| next.place.checked_sub(run as u32))
                    .filter(|&start| {
                        let written = text[index..index + run].iter();
                        (start..)
                            .zip(written)
                            .all(|(place, s)| at(place) == Some(s.c))
                    })
            } else {
                Some(symbol.place).filter(|_| !symbol.is_code())
            };
            pieces += 1;
            let Some(start) = start else {
                if symbol.is_code() {
                    self.code(symbol.place);
                } else {
                    self.parts.push(mark::LITERAL | symbol.c as u32);
                }
                index += 1;
                continue;
            };
            let mut end = start;
            // In which case the letters are, and which characters were written and not read, and where.
            let (mut case, mut written) = (0, Vec::new());
            while let Some(symbol) = text.get(index) {
                let same =
                    symbol.place == end || symbol.place == LITERAL && at(end) == Some(symbol.c);
                let Some(c) = at(end).filter(|_| same) else {
                    break;
                };
                if c.is_ascii_uppercase() {
                    let this = if symbol.c == c { 1 } else { 2 };
                    if case | this == 3 {
                        break;
                    }
                    case = this;
                }
                if symbol.place == LITERAL {
                    written.extend([end - start, mark::LITERAL | c as u32]);
                }
                end += 1;
                index += 1;
            }
            self.parts.extend([mark::RANGE, case]);
            self.parts.extend(written);
            self.place(start);
            self.place(end);
            if end == start {
                // A symbol that is not what the input has there: cannot happen, but must not loop.
                self.parts.push(mark::LITERAL | symbol.c as u32);
                index += 1;
            }
        }
        self.parts.push(mark::END);
        pieces
    }

    /// Puts in the order of places, and what is known of the input between them.
    pub(in crate::diff) fn finish(&mut self, product: &Product<'_, '_>, pair: &Pair, end: u32) {
        self.boundaries.push(end);
        self.boundaries.sort_unstable();
        self.boundaries.dedup();
        for &(at, place) in &self.ranks {
            let rank = self
                .boundaries
                .partition_point(|&boundary| boundary < place);
            self.parts[at] = rank as u32;
        }
        if self.reread.is_empty() {
            return;
        }
        let kinds = product.kinds(pair);
        self.parts.push(kinds.number);
        self.remembers = kinds.remembers;
        for window in self.boundaries.windows(2) {
            let &[from, to] = window else { continue };
            if self
                .reread
                .iter()
                .any(|&(start, end)| start <= from && to <= end)
            {
                let between = pair
                    .input
                    .get(from as usize..to as usize)
                    .unwrap_or_default();
                let kind = |c: &char| u32::from(kinds.of(product.model.alphabet.class(*c)));
                self.parts.push(mark::SECTION);
                // The first may be read in another state than the rest.
                if let Some((first, rest)) = between.split_first() {
                    self.parts.push(kind(first));
                    let mut others: Vec<u32> = rest.iter().map(kind).collect();
                    others.sort_unstable();
                    others.dedup();
                    self.parts.push(mark::SECTION);
                    self.parts.extend(others);
                }
            }
        }
    }
}
