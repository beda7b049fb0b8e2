//! The names in a tree, by their numbers.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::tree::{AttributeName, Name, NameTable, Names, Space};

/// The names of elements. The numbers are the builder's.
#[derive(Clone, Debug)]
pub(super) struct ElementNames {
    table: &'static NameTable,
    fixed: u32,
    /// Those that no table has; empty where no element has such a name.
    others: Vec<Box<str>>,
}

impl ElementNames {
    pub(super) fn new(table: &'static NameTable) -> Self {
        Self {
            table,
            fixed: table.names().len() as u32,
            others: Vec::new(),
        }
    }

    /// Keeps a name if it is new.
    #[inline(always)]
    pub(super) fn keep(&mut self, number: Name, local: &str) {
        if number.0 >= self.fixed {
            self.keep_other((number.0 - self.fixed) as usize, local);
        }
    }

    #[inline(never)]
    fn keep_other(&mut self, index: usize, local: &str) {
        if self.others.len() <= index {
            self.others.resize_with(index + 1, Box::default);
        }
        if self.others[index].is_empty() {
            self.others[index] = local.into();
        }
    }

    #[inline]
    pub(super) fn get(&self, number: Name) -> &str {
        if number.0 < self.fixed {
            self.table.names()[number.0 as usize]
        } else {
            &self.others[(number.0 - self.fixed) as usize]
        }
    }

    /// The number of a name, if an element may have it.
    pub(super) fn find(&self, local: &str) -> Option<Name> {
        self.table.find(local).or_else(|| {
            let other = self.others.iter().position(|it| **it == *local)?;
            Some(Name(self.fixed + other as u32))
        })
    }

    pub(super) fn memory(&self) -> usize {
        let names = self.others.iter().map(|name| name.len()).sum::<usize>();
        self.others.capacity() * size_of::<Box<str>>() + names
    }
}

/// Names that attributes often have.
#[rustfmt::skip]
static USUAL: NameTable = NameTable::new(&[
    "abbr", "action", "align", "allow", "allowfullscreen", "alt", "aria-controls", "aria-describedby", "aria-expanded",
    "aria-haspopup", "aria-hidden", "aria-label", "aria-labelledby", "as", "async", "autocomplete", "bgcolor", "border",
    "cellpadding", "cellspacing", "charset", "checked", "class", "color", "cols", "colspan", "content", "crossorigin",
    "d", "data-id", "data-src", "data-type", "data-url", "datetime", "defer", "dir", "disabled", "face", "fill", "for",
    "frameborder", "headers", "height", "hidden", "href", "hreflang", "http-equiv", "id", "integrity", "itemid",
    "itemprop", "itemscope", "itemtype", "label", "lang", "language", "loading", "max", "maxlength", "media", "method",
    "multiple", "name", "nonce", "onclick", "onload", "placeholder", "points", "property", "rel", "role", "rows",
    "rowspan", "scope", "selected", "size", "sizes", "src", "srcset", "stroke", "style", "summary", "tabindex",
    "target", "text", "title", "transform", "type", "valign", "value", "viewBox", "width", "xmlns",
]);

/// The number of a name with a prefix or a namespace, which is an index.
const ADJUSTED: u32 = 1 << 31;

/// A name with a prefix or a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Adjusted {
    prefix: Option<u32>,
    local: u32,
    space: Space,
}

/// Gives numbers to the names of attributes.
#[derive(Debug)]
pub(super) struct Interner {
    names: Names,
    adjusted: BTreeMap<Adjusted, u32>,
}

impl Interner {
    pub(super) const fn new() -> Self {
        Self {
            names: Names::new(&USUAL),
            adjusted: BTreeMap::new(),
        }
    }

    /// The number of a name without prefix and namespace.
    #[inline(always)]
    pub(super) fn plain(&mut self, name: &str) -> u32 {
        self.names.intern(name).0
    }

    pub(super) fn intern(&mut self, name: &AttributeName<'_>) -> u32 {
        if name.prefix.is_none() && name.space == Space::None {
            self.plain(name.local)
        } else {
            self.intern_adjusted(name)
        }
    }

    #[inline(never)]
    fn intern_adjusted(&mut self, name: &AttributeName<'_>) -> u32 {
        let adjusted = Adjusted {
            prefix: name.prefix.map(|prefix| self.names.intern(prefix).0),
            local: self.names.intern(name.local).0,
            space: name.space,
        };
        let next = ADJUSTED | self.adjusted.len() as u32;
        *self.adjusted.entry(adjusted).or_insert(next)
    }

    /// The names, for who reads the tree.
    pub(super) fn finish(self) -> AttributeNames {
        let mut adjusted: Vec<_> = self.adjusted.into_iter().collect();
        adjusted.sort_unstable_by_key(|(_, number)| *number);
        let all = self.names.all();
        AttributeNames {
            others: all
                .iter()
                .skip(USUAL.names().len())
                .map(|&it| it.into())
                .collect(),
            adjusted: adjusted.into_iter().map(|(name, _)| name).collect(),
        }
    }
}

/// The number of a usual name.
pub(super) fn usual(name: &str) -> Option<u32> {
    USUAL.find(name).map(|name| name.0)
}

/// The names of attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct AttributeNames {
    others: Vec<Box<str>>,
    adjusted: Vec<Adjusted>,
}

impl AttributeNames {
    fn local(&self, number: u32) -> &str {
        let usual = USUAL.names();
        match usual.get(number as usize) {
            Some(name) => name,
            None => &self.others[number as usize - usual.len()],
        }
    }

    pub(super) fn get(&self, number: u32) -> AttributeName<'_> {
        if number & ADJUSTED == 0 {
            return AttributeName {
                prefix: None,
                local: self.local(number),
                space: Space::None,
            };
        }
        let Adjusted {
            prefix,
            local,
            space,
        } = self.adjusted[(number & !ADJUSTED) as usize];
        AttributeName {
            prefix: prefix.map(|prefix| self.local(prefix)),
            local: self.local(local),
            space,
        }
    }

    pub(super) fn memory(&self) -> usize {
        let names = self.others.iter().map(|name| name.len()).sum::<usize>();
        self.others.capacity() * size_of::<Box<str>>()
            + self.adjusted.capacity() * size_of::<Adjusted>()
            + names
    }
}
