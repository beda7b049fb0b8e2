//! The named character references in the form in which the runtime searches them.

use std::collections::BTreeMap;
use std::fmt;

/// How many characters of a name are in its row.
const HEAD: usize = 8;
/// [`Row::prefix`] of a name that starts with no other.
pub(crate) const NONE: u16 = u16::MAX;

/// The table of named character references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct References {
    /// One for each name, sorted by name.
    pub(crate) rows: Vec<Row>,
    /// What the rows refer to.
    pub(crate) text: String,
    /// Length of the longest name.
    pub(crate) longest: usize,
    /// A character that names have only at their end, such as `;`; NUL when there is none.
    pub(crate) terminator: u8,
}

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The first characters of the name, filled up with NUL.
    pub(crate) head: [u8; HEAD],
    /// Where [`References::text`] has the other characters of the name, and then the value.
    pub(crate) text: u16,
    /// Length of the name.
    pub(crate) length: u16,
    /// Length of the value.
    pub(crate) value: u16,
    /// Index of the longest other name that this one starts with, or [`NONE`].
    pub(crate) prefix: u16,
}

/// Why there is no table for the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unsuitable {
    /// This name is empty, or has a NUL or a character that is not ASCII.
    Name(String),
    /// This name is there twice.
    Repeated(String),
    /// There are too many names, or names and values are too long together.
    TooMuch,
}

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "the name {name:?} of a character reference is not made of ASCII characters other than U+0000"
            ),
            Self::Repeated(name) => {
                write!(f, "the name {name:?} of a character reference is there twice")
            }
            Self::TooMuch => f.write_str(
                "the named character references are too many: there may be 65534, and names and values \
                 may have 65535 bytes together (without the first 8 characters of each name)",
            ),
        }
    }
}

impl std::error::Error for Unsuitable {}

/// The table for these names and values.
///
/// # Errors
/// When a name cannot be in a table or is repeated, and when there is too much of it all.
pub(crate) fn build(names: &[(String, String)]) -> Result<References, Unsuitable> {
    let mut sorted = BTreeMap::new();
    for (name, value) in names {
        if name.is_empty() || !name.bytes().all(|byte| matches!(byte, 1..0x80)) {
            return Err(Unsuitable::Name(name.clone()));
        }
        if sorted.insert(name.as_str(), value.as_str()).is_some() {
            return Err(Unsuitable::Repeated(name.clone()));
        }
    }
    if sorted.len() >= usize::from(NONE) {
        return Err(Unsuitable::TooMuch);
    }

    let mut table = References {
        longest: sorted.keys().map(|name| name.len()).max().unwrap_or(0),
        terminator: terminator(sorted.keys().copied()),
        ..References::default()
    };
    let mut known_text = BTreeMap::new();
    // The names before this one that it starts with, shortest first.
    let mut prefixes: Vec<(&str, u16)> = Vec::new();
    for (index, (&name, &value)) in (0..).zip(&sorted) {
        let text = format!("{}{value}", name.get(HEAD..).unwrap_or_default());
        let at = *known_text.entry(text).or_insert_with_key(|text| {
            table.text.push_str(text);
            table.text.len() - text.len()
        });
        while prefixes
            .pop_if(|(prefix, _)| !name.starts_with(*prefix))
            .is_some()
        {}
        let mut head = [0; HEAD];
        for (to, from) in head.iter_mut().zip(name.bytes()) {
            *to = from;
        }
        table.rows.push(Row {
            head,
            text: small(at)?,
            length: small(name.len())?,
            value: small(value.len())?,
            prefix: prefixes.last().map_or(NONE, |&(_, index)| index),
        });
        prefixes.push((name, index));
    }
    small(table.text.len())?;
    Ok(table)
}

fn small(number: usize) -> Result<u16, Unsuitable> {
    u16::try_from(number).map_err(|_| Unsuitable::TooMuch)
}

/// The most frequent last character among those that occur at no other place; NUL if there is none.
fn terminator<'a>(names: impl Iterator<Item = &'a str>) -> u8 {
    let (mut ends, mut inside) = ([0_usize; 128], [false; 128]);
    for name in names {
        if let Some((&last, before)) = name.as_bytes().split_last() {
            ends[usize::from(last)] += 1;
            before
                .iter()
                .for_each(|&byte| inside[usize::from(byte)] = true);
        }
    }
    (1..128_u8)
        .filter(|&byte| ends[usize::from(byte)] > 0 && !inside[usize::from(byte)])
        .max_by_key(|&byte| ends[usize::from(byte)])
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(names: &[(&str, &str)]) -> Result<References, Unsuitable> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        build(&names.iter().map(owned).collect::<Vec<_>>())
    }

    /// What a row stands for, and its prefix.
    fn read(table: &References, row: &Row) -> (String, String, Option<String>) {
        let length = usize::from(row.length);
        let head = String::from_utf8(row.head[..length.min(HEAD)].to_vec()).unwrap();
        let (tail, value) =
            table.text[usize::from(row.text)..].split_at(length.saturating_sub(HEAD));
        let prefix = table
            .rows
            .get(usize::from(row.prefix))
            .map(|row| read(table, row).0);
        (
            head + tail,
            value[..usize::from(row.value)].to_owned(),
            prefix,
        )
    }

    #[test]
    fn rows_hold_the_names_sorted_with_value_and_longest_prefix() {
        let names = [
            ("notinva;", "∉"),
            ("not", "¬"),
            ("notin;", "∉"),
            ("not;", "¬"),
            ("NotGreaterEqual;", "≱"),
            ("NotGreater;", "≯"),
            ("no", "№"),
            ("nothing", ""),
            ("CounterClockwise;", "∳∳"),
        ];
        let table = built(&names).unwrap();
        let mut expected: Vec<_> = names
            .iter()
            .map(|&(name, value)| {
                let shorter = names
                    .iter()
                    .map(|n| n.0)
                    .filter(|n| *n != name && name.starts_with(n));
                let prefix = shorter.max_by_key(|n| n.len());
                (name.to_owned(), value.to_owned(), prefix.map(str::to_owned))
            })
            .collect();
        expected.sort();
        let rows: Vec<_> = table.rows.iter().map(|row| read(&table, row)).collect();
        assert_eq!(rows, expected);
        assert_eq!((table.longest, table.terminator), (17, b';'));
    }

    #[test]
    fn equal_text_is_there_once() {
        assert_eq!(
            built(&[("amp", "&"), ("amp;", "&"), ("lt;", "<")])
                .unwrap()
                .text,
            "&<"
        );
    }

    #[test]
    fn the_terminator_is_the_most_frequent_character_that_only_ends_names() {
        let terminator = |names: &[&str]| terminator(names.iter().copied());
        assert_eq!(terminator(&["a.", "b.", "c!", "d!", "e!", "x!y"]), b'.');
        assert_eq!(terminator(&["aa", "a;b", "b;"]), 0);
        assert_eq!(terminator(&[]), 0);
    }

    #[test]
    fn unsuitable_names_are_refused() {
        let faults = |names: &[(&str, &str)]| built(names).unwrap_err();
        assert_eq!(faults(&[("", "x")]), Unsuitable::Name(String::new()));
        assert_eq!(faults(&[("é;", "é")]), Unsuitable::Name("é;".into()));
        assert_eq!(faults(&[("a\0", "x")]), Unsuitable::Name("a\0".into()));
        assert_eq!(
            faults(&[("a", "x"), ("b", ""), ("a", "y")]),
            Unsuitable::Repeated("a".into())
        );
        let long = "x".repeat(50_000);
        assert_eq!(
            faults(&[("a", &long), ("b", &long[1..])]),
            Unsuitable::TooMuch
        );
        assert_eq!(faults(&[("a", &long.repeat(2))]), Unsuitable::TooMuch);
        let many: Vec<_> = (0..65_535)
            .map(|i| (format!("n{i}"), String::new()))
            .collect();
        assert_eq!(build(&many), Err(Unsuitable::TooMuch));
    }
}
