//! Names of elements as numbers: those of a table are fixed, others get the next ones.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A namespace of elements and attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Space {
    /// HTML.
    Html = 0,
    /// MathML.
    MathMl = 1,
    /// SVG.
    Svg = 2,
    /// XLink, for attributes.
    XLink = 3,
    /// XML, for attributes.
    Xml = 4,
    /// XMLNS, for attributes.
    Xmlns = 5,
    /// None: that of most attributes.
    #[default]
    None = 6,
}

impl Space {
    /// Its URL.
    pub const fn url(self) -> &'static str {
        match self {
            Self::Html => "http://www.w3.org/1999/xhtml",
            Self::MathMl => "http://www.w3.org/1998/Math/MathML",
            Self::Svg => "http://www.w3.org/2000/svg",
            Self::XLink => "http://www.w3.org/1999/xlink",
            Self::Xml => "http://www.w3.org/XML/1998/namespace",
            Self::Xmlns => "http://www.w3.org/2000/xmlns/",
            Self::None => "",
        }
    }
}

/// The number of a local name: for the names of a table its index there, for others the next one in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

impl Name {
    /// How many bits it has at most; the namespace stands above them.
    pub(super) const BITS: u32 = 30;
    /// What all names have that come when there are too many.
    pub(super) const TOO_MANY: u32 = (1 << Self::BITS) - 1;
}

const SLOTS: usize = 1024;
const EMPTY: u16 = u16::MAX;

/// The names of a table, with an index made at compile time: a name is found by its length and its first and last bytes.
#[derive(Debug)]
pub struct NameTable {
    names: &'static [&'static str],
    slots: [Slot; SLOTS],
}

/// A place in the index.
#[derive(Clone, Copy, Debug)]
struct Slot {
    ends: Ends,
    number: u16,
}

impl NameTable {
    /// The index of these names; at most 512, each once.
    pub const fn new(names: &'static [&'static str]) -> Self {
        assert!(names.len() <= SLOTS / 2, "too many names");
        let free = Slot {
            // No name is so long.
            ends: (0, u32::MAX),
            number: EMPTY,
        };
        let mut slots = [free; SLOTS];
        let mut at = 0;
        while at < names.len() {
            let ends = ends(names[at].as_bytes());
            let mut slot = slot(ends);
            while slots[slot].number != EMPTY {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = Slot {
                ends,
                number: at as u16,
            };
            at += 1;
        }
        Self { names, slots }
    }

    /// The number of a name.
    #[inline(always)]
    pub fn find(&self, name: &str) -> Option<Name> {
        let ends = ends(name.as_bytes());
        let at = slot(ends);
        let first = self.slots[at % SLOTS];
        // Nearly always.
        if first.ends == ends && name.len() <= WHOLE {
            return Some(Name(u32::from(first.number)));
        }
        self.find_from(at, ends, name)
    }

    #[inline(never)]
    fn find_from(&self, mut at: usize, ends: Ends, name: &str) -> Option<Name> {
        loop {
            let found = self.slots[at % SLOTS];
            let is_it = || self.names.get(usize::from(found.number)) == Some(&name);
            if found.number == EMPTY {
                return None;
            }
            if found.ends == ends && is_it() {
                return Some(Name(u32::from(found.number)));
            }
            at += 1;
        }
    }

    /// The names, by their numbers.
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }
}

/// The first and last bytes of a name, and its length.
type Ends = (u64, u32);

/// The ends of a name of at most so many bytes are the whole name.
const WHOLE: usize = 8;

/// The ends of a name: for short names all bytes.
#[inline(always)]
const fn ends(name: &[u8]) -> Ends {
    let length = name.len();
    let bytes = if length >= 4 {
        let first = u32::from_le_bytes([name[0], name[1], name[2], name[3]]);
        let at = length - 4;
        let last = u32::from_le_bytes([name[at], name[at + 1], name[at + 2], name[at + 3]]);
        first as u64 | (last as u64) << 32
    } else if length > 0 {
        name[0] as u64 | (name[length / 2] as u64) << 8 | (name[length - 1] as u64) << 16
    } else {
        0
    };
    (bytes, length as u32)
}

/// Where a name is looked for first.
#[inline(always)]
const fn slot((bytes, length): Ends) -> usize {
    let mixed = (bytes ^ length as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 54) as usize
}

/// The names of a document: those of a table, and those that came.
#[derive(Clone, Debug)]
pub struct Names {
    table: &'static NameTable,
    others: BTreeMap<Arc<str>, Name>,
    by_number: Vec<Arc<str>>,
}

impl Names {
    /// Only those of a table.
    pub const fn new(table: &'static NameTable) -> Self {
        Self {
            table,
            others: BTreeMap::new(),
            by_number: Vec::new(),
        }
    }

    /// The number of a name; it gets one if it has none.
    #[inline]
    pub fn intern(&mut self, name: &str) -> Name {
        match self.table.find(name) {
            Some(name) => name,
            None => self.intern_other(name),
        }
    }

    #[cold]
    fn intern_other(&mut self, name: &str) -> Name {
        if let Some(&name) = self.others.get(name) {
            return name;
        }
        let next = (self.table.names.len() + self.others.len()) as u32;
        let number = Name(next.min(Name::TOO_MANY));
        let name: Arc<str> = name.into();
        self.by_number.push(Arc::clone(&name));
        self.others.insert(name, number);
        number
    }

    /// A name by its number.
    pub fn text(&self, name: Name) -> &str {
        let number = name.0 as usize;
        let fixed = self.table.names;
        match fixed.get(number) {
            Some(name) => name,
            None => self
                .by_number
                .get(number - fixed.len())
                .map_or("", |name| name),
        }
    }

    /// The number of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<Name> {
        let fixed = self.table.find(name);
        fixed.or_else(|| self.others.get(name).copied())
    }

    /// All names, in the order of their numbers.
    pub fn all(&self) -> Vec<&str> {
        let fixed = self.table.names.iter().copied();
        fixed
            .chain(self.by_number.iter().map(|name| &**name))
            .collect()
    }
}
