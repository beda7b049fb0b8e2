//! Keys are rows: from them a mapping is read, and the schema, completion and `explain` say what may stand in it.

use super::Text;
use super::reader::Reader;
use crate::read::{At, Node};

/// A key and what it says.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// How it could stand in a table, or begin to.
    pub(crate) example: &'static str,
    pub(crate) shape: Shape,
}

/// What stands behind a key, as the schema says it.
#[derive(Debug)]
pub(crate) enum Shape {
    Text,
    /// A text of which this is said.
    Said(&'static str),
    /// A text that matches a regular expression.
    Matching(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    Boolean,
    /// One of these types of JSON.
    Types(&'static [&'static str]),
    /// What the schema defines under this name.
    Defined(&'static str),
    Any(&'static [Shape]),
    List(&'static Shape),
    /// A mapping with names of the table's own as keys.
    Named(&'static Shape),
    /// The same, with the number of its section.
    NamedInSection(&'static Shape),
}

/// A key of a mapping that is read into a `T`.
pub(crate) struct KeyOf<T: 'static> {
    pub(crate) key: Key,
    /// Reads what stands behind the key.
    pub(crate) read: fn(&mut Reader<'_, '_>, &mut T, &Node, &Text),
}

/// Rows: what a key says, its name and shape, an example, and how it is read.
macro_rules! keys {
    ($($(#[doc = $about:literal])+ $name:literal: $shape:expr, $example:literal => $read:expr;)+) => {
        &[$($crate::written::KeyOf {
            key: $crate::written::Key {
                name: $name,
                about: concat!($($about),+).trim_ascii_start(),
                example: $example,
                shape: $shape,
            },
            read: $read,
        }),+]
    };
}
pub(crate) use keys;

/// The names of the keys.
pub(crate) fn names<T>(keys: &'static [KeyOf<T>]) -> impl Iterator<Item = &'static str> + Clone {
    keys.iter().map(|of| of.key.name)
}

/// How one of the keys could stand in a table.
pub(crate) fn example_of<T>(keys: &'static [KeyOf<T>], key: &str) -> Option<&'static str> {
    let of = keys.iter().find(|of| of.key.name == key)?;
    Some(of.key.example)
}

impl Reader<'_, '_> {
    /// A mapping with keys of the language.
    pub(crate) fn known<'n, T>(
        &mut self,
        node: &'n Node,
        at: At,
        what: &str,
        keys: &'static [KeyOf<T>],
    ) -> Vec<(Text, &'n Node)> {
        let map = self.map(node, at, what);
        self.spelled(map, what, names(keys), |_| false)
    }

    /// Reads entries as the rows of their keys say. Those without a row are left.
    pub(crate) fn fill<'n, T>(
        &mut self,
        entries: Vec<(Text, &'n Node)>,
        keys: &'static [KeyOf<T>],
        into: &mut T,
    ) -> Vec<(Text, &'n Node)> {
        let mut others = Vec::new();
        for (key, node) in entries {
            match keys.iter().find(|of| of.key.name == key.text) {
                Some(of) => (of.read)(self, into, node, &key),
                None => others.push((key, node)),
            }
        }
        others
    }

    /// What a mapping with keys of the language says.
    pub(super) fn object<T: Default>(
        &mut self,
        node: &Node,
        at: At,
        what: &str,
        keys: &'static [KeyOf<T>],
    ) -> T {
        let mut into = T::default();
        let known = self.known(node, at, what, keys);
        self.fill(known, keys, &mut into);
        into
    }
}
