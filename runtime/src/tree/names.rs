//! Names of elements as numbers: those of a table are fixed, others get the next ones.

use alloc::string::String;
use alloc::vec;
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
    /// What all names have that come when there are too many. Those after it are in types that are no elements.
    pub(super) const TOO_MANY: u32 = (1 << Self::BITS) - 4;
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
        let found = self.find_at_once(name.as_bytes());
        found.or_else(|| self.find_any(name))
    }

    /// The number of a name that is short and alone in its slot, as nearly all are.
    #[inline(always)]
    pub(crate) fn find_at_once(&self, name: &[u8]) -> Option<Name> {
        let ends = ends(name);
        let first = self.slots[slot(ends) % SLOTS];
        (first.ends == ends && name.len() <= WHOLE).then_some(Name(first.number as u32))
    }

    #[inline(never)]
    fn find_any(&self, name: &str) -> Option<Name> {
        let ends = ends(name.as_bytes());
        let mut at = slot(ends);
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
    /// All names that came, one after the other.
    text: String,
    /// Where each ends there, and its hash.
    ends: Vec<(usize, u32)>,
    /// By the hash, one more than the number among those that came; 0 is free. At most half of the places are taken.
    index: Vec<u32>,
    /// Makes hashes that a document cannot foresee.
    seed: u64,
}

impl Names {
    /// Only those of a table.
    pub const fn new(table: &'static NameTable) -> Self {
        Self {
            table,
            text: String::new(),
            ends: Vec::new(),
            index: Vec::new(),
            seed: 0,
        }
    }

    /// The number of a name; it gets one if it has none.
    #[inline]
    pub fn intern(&mut self, name: &str) -> Name {
        let found = self.table.find_at_once(name.as_bytes());
        found.unwrap_or_else(|| self.intern_any(name))
    }

    #[inline(never)]
    pub(crate) fn intern_any(&mut self, name: &str) -> Name {
        if let Some(name) = self.table.find_any(name) {
            return name;
        }
        if 2 * self.ends.len() >= self.index.len() {
            self.grow();
        }
        let hash = hash(self.seed, name) as u32;
        let number = self.look_up(hash, name).unwrap_or_else(|free| {
            let number = self.ends.len();
            self.text.push_str(name);
            self.ends.push((self.text.len(), hash));
            self.index[free] = number as u32 + 1;
            number
        });
        self.number(number)
    }

    #[cold]
    fn grow(&mut self) {
        self.index = vec![0; (2 * self.index.len()).max(64)];
        if self.ends.is_empty() {
            // Where the system puts it is not known outside.
            self.seed = self.index.as_ptr().addr() as u64;
        }
        let mask = self.index.len() - 1;
        for (number, (_, hash)) in self.ends.iter().enumerate() {
            let mut at = *hash as usize & mask;
            while self.index[at] != 0 {
                at = (at + 1) & mask;
            }
            self.index[at] = number as u32 + 1;
        }
    }

    /// A name among those that came, or where its number goes in the index, which is not empty.
    fn look_up(&self, hash: u32, name: &str) -> Result<usize, usize> {
        let mask = self.index.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(number) = (self.index[at] as usize).checked_sub(1) {
            if self.ends[number].1 == hash && self.other(number) == name {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    fn number(&self, other: usize) -> Name {
        let number = (self.table.names.len() + other) as u32;
        Name(number.min(Name::TOO_MANY))
    }

    /// A name that came, by its number among these.
    fn other(&self, number: usize) -> &str {
        let end = |number: usize| self.ends.get(number).map_or(0, |it| it.0);
        let start = number.checked_sub(1).map_or(0, end);
        self.text.get(start..end(number)).unwrap_or_default()
    }

    /// The number of a name of the table, by its bytes, if it is found at once.
    #[inline(always)]
    pub(crate) fn find_at_once(&self, name: &[u8]) -> Option<Name> {
        self.table.find_at_once(name)
    }

    /// A name by its number.
    #[inline]
    pub fn text(&self, name: Name) -> &str {
        let number = name.0 as usize;
        let fixed = self.table.names;
        match fixed.get(number) {
            Some(name) => name,
            None => self.other(number - fixed.len()),
        }
    }

    /// The number of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<Name> {
        let fixed = self.table.find(name);
        fixed.or_else(|| {
            let hash = hash(self.seed, name) as u32;
            let found = (!self.index.is_empty()).then(|| self.look_up(hash, name));
            found?.ok().map(|number| self.number(number))
        })
    }

    /// The numbers below this one mean the same names in both.
    #[cfg(feature = "parse")]
    pub(crate) fn shared(&self, other: &Self) -> u32 {
        match core::ptr::eq(self.table, other.table) {
            true => self.table.names.len() as u32,
            false => 0,
        }
    }

    /// How many bytes the names take that are not in the table.
    pub(crate) fn memory(&self) -> usize {
        let lists = self.ends.capacity() * size_of::<(usize, u32)>() + self.index.len() * 4;
        self.text.capacity() + lists
    }

    /// All names, in the order of their numbers.
    pub fn all(&self) -> Vec<&str> {
        let fixed = self.table.names.iter().copied();
        let others = (0..self.ends.len()).map(|number| self.other(number));
        fixed.chain(others).collect()
    }
}

/// A hash of a string.
#[inline]
pub(crate) fn hash(seed: u64, string: &str) -> u64 {
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = string.as_bytes().as_chunks::<8>();
    let words = words.iter().map(|&bytes| u64::from_le_bytes(bytes));
    let rest = match string.as_bytes().last_chunk::<8>() {
        Some(&last) => u64::from_le_bytes(last),
        None => (rest.iter()).fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    mix(words.fold(mix(seed, string.len() as u64), mix), rest)
}
