//! The names of attributes, by numbers.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::tree::{AttributeName, Name, NameTable, Names, Space};

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
    prefix: Option<Name>,
    local: Name,
    space: Space,
}

/// The names of attributes.
#[derive(Clone, Debug)]
pub(super) struct AttributeNames {
    names: Names,
    adjusted: BTreeMap<Adjusted, u32>,
    by_number: Vec<Adjusted>,
}

impl AttributeNames {
    pub(super) const fn new() -> Self {
        Self {
            names: Names::new(&USUAL),
            adjusted: BTreeMap::new(),
            by_number: Vec::new(),
        }
    }

    /// The number of a name without prefix and namespace.
    #[inline(always)]
    pub(super) fn plain(&mut self, name: &str) -> u32 {
        self.names.intern(name).0
    }

    /// The number of a usual name, by its bytes.
    #[inline(always)]
    pub(super) fn usual(&self, name: &[u8]) -> Option<u32> {
        self.names.find_at_once(name).map(|name| name.0)
    }

    pub(super) fn intern(&mut self, name: &AttributeName<'_>) -> u32 {
        if name.prefix.is_none() && name.space == Space::None {
            return self.plain(name.local);
        }
        let adjusted = Adjusted {
            prefix: name.prefix.map(|prefix| self.names.intern(prefix)),
            local: self.names.intern(name.local),
            space: name.space,
        };
        let by_number = &mut self.by_number;
        *self.adjusted.entry(adjusted).or_insert_with(|| {
            by_number.push(adjusted);
            ADJUSTED | (by_number.len() as u32 - 1)
        })
    }

    /// The number of a name without prefix and namespace, if an attribute has it.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.names.find(name).map(|name| name.0)
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> AttributeName<'_> {
        let adjusted = match number & ADJUSTED {
            0 => Adjusted {
                prefix: None,
                local: Name(number),
                space: Space::None,
            },
            _ => self.by_number[(number & !ADJUSTED) as usize],
        };
        AttributeName {
            prefix: adjusted.prefix.map(|prefix| self.names.text(prefix)),
            local: self.names.text(adjusted.local),
            space: adjusted.space,
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.by_number.len() * size_of::<Adjusted>() * 3 + self.names.memory()
    }
}
