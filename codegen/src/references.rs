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
    /// This name is empty, or has a control character or one that is not ASCII.
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
                "the name {name:?} of a character reference is not made of ASCII characters, or has a control character"
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

/// Whether a table can have this name.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The table for these names and values.
///
/// # Errors
/// When a name cannot be in a table or is repeated, and when there is too much of it all.
pub(crate) fn build(names: &[(String, String)]) -> Result<References, Unsuitable> {
    let mut sorted = BTreeMap::new();
    for (name, value) in names {
        if !is_name(name) {
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
