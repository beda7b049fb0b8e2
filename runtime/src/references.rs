//! Named character references: the longest name of a table that the input continues with.
//!
//! Almost all references in real documents are short and end as no other name goes on (`&amp;`): they
//! are looked up whole. All others are found by binary search, eight characters at a time.

/// What the input continues with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// A name.
    Found {
        /// Its length in bytes.
        length: usize,
        /// What it stands for.
        value: &'static str,
    },
    /// None of the names.
    Nothing,
    /// Not known yet: what is there may be the start of a name, or of a longer one.
    NeedMore,
}

/// A name and what it stands for, as generated code lists them.
///
/// In order: the first eight characters of the name, filled up with NUL; where the table's text has
/// the characters after those, and then the value; the length of the name; the length of the value;
/// the index of the longest other name that this one starts with, or `u16::MAX`.
#[derive(Clone, Copy, Debug)]
pub struct Name(pub [u8; HEAD], pub u16, pub u16, pub u16, pub u16);

const HEAD: usize = size_of::<u64>();

impl Name {
    /// Its first characters as a number that sorts like them.
    #[inline(always)]
    const fn head(&self) -> u64 {
        u64::from_be_bytes(self.0)
    }

    const fn len(&self) -> usize {
        self.2 as usize
    }
}

/// A table of named character references.
#[derive(Clone, Copy, Debug)]
pub struct References {
    names: &'static [Name],
    text: &'static str,
    longest: usize,
    terminator: u8,
    /// A hash table of 1 + the index of each name that ends with the terminator and is only a head.
    slots: &'static [u16],
}

/// Makes a [`References`] of what a generator worked out: the names, each a [`Name`], sorted; the text
/// that they refer to; the length of the longest; and a character that names have only at their end,
/// or NUL.
#[macro_export]
macro_rules! references {
    ($names:expr, $text:expr, $longest:expr, $terminator:expr $(,)?) => {{
        // Items in a macro are not hygienic.
        static SPECLEX_NAMES: &[$crate::references::Name] = $names;
        static SPECLEX_SLOTS: [u16; $crate::references::slot_count(SPECLEX_NAMES)] =
            $crate::references::slots(SPECLEX_NAMES, $terminator);
        $crate::references::References::new(
            SPECLEX_NAMES,
            $text,
            $longest,
            $terminator,
            &SPECLEX_SLOTS,
        )
    }};
}

impl References {
    /// A table; [`references!`](crate::references!) supplies the slots.
    pub const fn new(
        names: &'static [Name],
        text: &'static str,
        longest: usize,
        terminator: u8,
        slots: &'static [u16],
    ) -> Self {
        Self {
            names,
            text,
            longest,
            terminator,
            slots,
        }
    }

    /// Finds the longest name that `bytes` has at `from`; `last` when nothing comes after `bytes`.
    #[inline]
    pub fn longest_match(&self, bytes: &[u8], from: usize, last: bool) -> Match {
        let rest = bytes.get(from..).unwrap_or_default();
        let head = head(rest);
        match self.terminated(head) {
            Some(name) => self.found(name),
            None => self.search(rest, head, last),
        }
    }

    /// The name that `head` starts with up to its first terminator. As that only ends names, there
    /// cannot be a longer one.
    #[inline]
    fn terminated(&self, head: u64) -> Option<&'static Name> {
        const ONES: u64 = u64::from_ne_bytes([1; HEAD]);
        let differences = head.swap_bytes() ^ ONES.wrapping_mul(self.terminator.into());
        // The lowest bit set is the top bit of the first byte without a difference.
        let equal = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
        if equal == 0 {
            return None;
        }
        let head = head & !(u64::MAX >> 1 >> equal.trailing_zeros());
        let mut slot = slot(head, self.slots.len());
        loop {
            let index = usize::from(*self.slots.get(slot)?).checked_sub(1)?;
            let name = self.names.get(index)?;
            if name.head() == head {
                return Some(name);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    #[inline(never)]
    fn search(&self, rest: &[u8], head: u64, last: bool) -> Match {
        let tail = rest.get(HEAD..).unwrap_or_default();
        // The last name that does not sort after the input starts with each name that the input
        // continues with. The names that start with all of the input come right after it.
        let after = self.names.partition_point(|name| {
            name.head() < head || name.head() == head && self.tail(name) <= tail
        });
        let could_go_on = !last && rest.len() < self.longest;
        if could_go_on
            && self
                .names
                .get(after)
                .is_some_and(|name| self.starts_with(name, rest))
        {
            return Match::NeedMore;
        }
        let mut index = after.wrapping_sub(1);
        while let Some(name) = self.names.get(index) {
            let shown = name.len().min(HEAD);
            if rest.starts_with(&name.0[..shown]) && tail.starts_with(self.tail(name)) {
                return self.found(name);
            }
            index = name.4.into();
        }
        Match::Nothing
    }

    fn starts_with(&self, name: &Name, rest: &[u8]) -> bool {
        let (head, tail) = rest.split_at(rest.len().min(HEAD));
        name.0.starts_with(head) && self.tail(name).starts_with(tail)
    }

    /// The name from its ninth character on.
    fn tail(&self, name: &Name) -> &'static [u8] {
        let start = usize::from(name.1);
        let end = start + name.len().saturating_sub(HEAD);
        self.text.as_bytes().get(start..end).unwrap_or_default()
    }

    #[inline]
    fn found(&self, name: &Name) -> Match {
        let length = name.len();
        let start = usize::from(name.1) + length.saturating_sub(HEAD);
        let value = self
            .text
            .get(start..start + usize::from(name.3))
            .unwrap_or_default();
        Match::Found { length, value }
    }
}

/// The first characters as a number that sorts like them; what is missing is 0.
#[inline]
fn head(bytes: &[u8]) -> u64 {
    let head = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut head = [0; HEAD];
        head[..bytes.len()].copy_from_slice(bytes);
        head
    });
    u64::from_be_bytes(head)
}

/// Where in a hash table of this many slots (a power of two) to look first.
#[inline]
const fn slot(head: u64, slots: usize) -> usize {
    // The top bits of the product depend on all characters; those of short names are at the top.
    let product = (head ^ head >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product.rotate_left(slots.trailing_zeros()) as usize & (slots - 1)
}

/// How many slots the hash table for these names has: a power of two with room to spare.
#[doc(hidden)]
pub const fn slot_count(names: &[Name]) -> usize {
    (names.len() + names.len() / 4 + 1).next_power_of_two()
}

/// The hash table for these names.
#[doc(hidden)]
pub const fn slots<const COUNT: usize>(names: &[Name], terminator: u8) -> [u16; COUNT] {
    let mut slots = [0; COUNT];
    let mut index = 0;
    while index < names.len() {
        let name = &names[index];
        index += 1;
        if name.len() <= HEAD && name.0[name.len() - 1] == terminator {
            let mut at = slot(name.head(), COUNT);
            while slots[at] != 0 {
                at = (at + 1) & (COUNT - 1);
            }
            slots[at] = index as u16;
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    const NAMES: &[(&str, &str)] = &[
        ("CounterClockwiseContourIntegral;", "\u{2233}"),
        ("CounterClockwiseIntegral;", "x"),
        ("NotGreaterEqual;", "\u{2271}"),
        ("NotGreaterFullEqual;", "\u{2267}\u{338}"),
        ("NotGreaterTilde;", ""),
        ("amp", "&"),
        ("amp;", "&"),
        ("lt", "<"),
        ("not", "\u{ac}"),
        ("not;", "\u{ac}"),
        ("notin;", "\u{2209}"),
        ("notinE;", "\u{22f9}\u{338}"),
        ("yen", "\u{a5}"),
    ];

    /// The table as a generator makes it, but simpler and slower.
    fn table(names: &[(&str, &str)], terminator: u8) -> References {
        let mut text = String::new();
        let rows: Vec<Name> = names
            .iter()
            .enumerate()
            .map(|(i, &(name, value))| {
                let mut head = [0; HEAD];
                let shown = name.len().min(HEAD);
                head[..shown].copy_from_slice(&name.as_bytes()[..shown]);
                let start = text.len();
                text.push_str(&name[shown..]);
                text.push_str(value);
                let prefixes = (0..i).filter(|&j| name.starts_with(names[j].0));
                let prefix = prefixes.max_by_key(|&j| names[j].0.len());
                let prefix = prefix.map_or(u16::MAX, |j| j as u16);
                Name(
                    head,
                    start as u16,
                    name.len() as u16,
                    value.len() as u16,
                    prefix,
                )
            })
            .collect();
        let longest = names.iter().map(|n| n.0.len()).max().unwrap_or(0);
        let slots: &'static [u16] = match slot_count(&rows) {
            1 => Box::leak(Box::new(slots::<1>(&rows, terminator))),
            16 => Box::leak(Box::new(slots::<16>(&rows, terminator))),
            32 => Box::leak(Box::new(slots::<32>(&rows, terminator))),
            count => panic!("a test has {count} slots"),
        };
        References::new(rows.leak(), text.leak(), longest, terminator, slots)
    }

    fn naive(names: &[(&'static str, &'static str)], rest: &[u8], last: bool) -> Match {
        let may_go_on = |name: &str| name.len() > rest.len() && name.as_bytes().starts_with(rest);
        if !last && names.iter().any(|n| may_go_on(n.0)) {
            return Match::NeedMore;
        }
        let found = names.iter().filter(|n| rest.starts_with(n.0.as_bytes()));
        found
            .max_by_key(|n| n.0.len())
            .map_or(Match::Nothing, |&(name, value)| Match::Found {
                length: name.len(),
                value,
            })
    }

    /// Compares with the naive search on all beginnings of names, continued in several ways.
    fn compare(names: &[(&'static str, &'static str)], table: References, more: &[&str]) {
        for (name, _) in names.iter().chain(&[("", ""), ("zz", ""), ("Count", "")]) {
            for end in 0..=name.len() {
                for more in more {
                    let input = alloc::format!("&{}{more}", &name[..end]);
                    for length in 1..=input.len() {
                        let input = &input.as_bytes()[..length];
                        for last in [false, true] {
                            let found = table.longest_match(input, 1, last);
                            assert_eq!(found, naive(names, &input[1..], last), "{input:?} {last}");
                        }
                    }
                }
            }
        }
    }

    const MORE: &[&str] = &[
        "",
        ";",
        "i",
        "in;E",
        "\0",
        "\0\0\0\0\0\0\0\0\0",
        ";;;;;;;;;;",
        "~~~~~~~~~~",
        "\u{20ac}",
        "zzzzzzzzzzzzzzzz",
    ];

    #[test]
    fn the_longest_name_is_found_and_more_is_asked_for_only_while_it_matters() {
        compare(NAMES, table(NAMES, b';'), MORE);
        compare(NAMES, table(NAMES, 0), MORE);
    }

    #[test]
    fn names_may_have_any_ascii_character() {
        let names = &[
            ("\u{1}", "1"),
            (" ", "2"),
            ("  ", "3"),
            ("!a-b_c.d/e", "4"),
            ("!a-b_c.d/e~", "5"),
            ("~", "6"),
            ("\u{7f}", "7"),
        ];
        for terminator in [0, b'~'] {
            compare(names, table(names, terminator), MORE);
        }
    }

    #[test]
    fn a_table_without_names_has_nothing() {
        let none = table(&[], 0);
        compare(&[], none, MORE);
        assert_eq!(none.longest_match(b"", 7, false), Match::Nothing);
    }

    #[test]
    fn the_macro_makes_a_table() {
        static TWO: References = references!(
            &[
                Name(*b"gt;\0\0\0\0\0", 0, 3, 1, u16::MAX),
                Name(*b"lt;\0\0\0\0\0", 1, 3, 1, u16::MAX)
            ],
            "><",
            3,
            b';',
        );
        let found = Match::Found {
            length: 3,
            value: "<",
        };
        assert_eq!(TWO.longest_match(b"&lt;", 1, false), found);
        assert_eq!(TWO.longest_match(b"&lt", 1, false), Match::NeedMore);
        assert_eq!(TWO.longest_match(b"&lt", 1, true), Match::Nothing);
    }
}
