//! Whether a name is among those before it, in time that does not grow with their number squared.

use alloc::vec::Vec;

/// From how many names on they are looked up in a tree.
pub(crate) const MANY: usize = 24;

/// Finds names that are repeated: the attributes of one tag, when there are many.
///
/// It does not keep the names: who asks has them. This is a crit-bit tree, a binary trie of the names' bits
/// with nodes only where names differ. Its depth is bounded by the length of the name, so that no choice of
/// names makes it slow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duplicates {
    nodes: Vec<Node>,
    root: Child,
    /// How many names are in it: those from 0 on.
    count: u32,
}

/// All names below have the same bits before this one.
#[derive(Clone, Copy, Debug)]
struct Node {
    place: Place,
    /// For the bit being 0 and 1.
    children: [Child; 2],
}

/// A bit of a name: the index of the byte, and which bit, counted from the highest down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    byte: u32,
    bit: u32,
}

/// The index of a node, or with [`NAME`] set that of a name.
#[derive(Clone, Copy, Debug)]
struct Child(u32);

const NAME: u32 = 1 << 31;

impl Default for Child {
    fn default() -> Self {
        Self(NAME)
    }
}

/// A byte with a ninth bit set, or 0 after the end: no name is then the start of another.
fn symbol(name: &[u8], index: usize) -> u32 {
    name.get(index).map_or(0, |&byte| 0x100 | u32::from(byte))
}

impl Place {
    /// The bit's value.
    fn of(self, name: &[u8]) -> usize {
        (symbol(name, self.byte as usize) << self.bit >> 31) as usize
    }

    /// The first bit in which names differ.
    fn first_difference(a: &[u8], b: &[u8]) -> Option<Self> {
        let byte = a
            .iter()
            .zip(b)
            .position(|(a, b)| a != b)
            .unwrap_or(a.len().min(b.len()));
        let difference = symbol(a, byte) ^ symbol(b, byte);
        (difference != 0).then_some(Self {
            byte: byte as u32,
            bit: difference.leading_zeros(),
        })
    }
}

impl Duplicates {
    /// Whether it has no names.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Forgets all names.
    pub(crate) fn clear(&mut self) {
        // A tag with very many attributes should not cost memory for good.
        if self.nodes.capacity() > 1 << 12 {
            self.nodes = Vec::new();
        }
        self.nodes.clear();
        self.root = Child::default();
        self.count = 0;
    }

    /// The only name that `name` may equal. The tree is not empty.
    fn candidate(&self, name: &[u8]) -> u32 {
        let mut child = self.root;
        while child.0 & NAME == 0 {
            let node = self.nodes[child.0 as usize];
            child = node.children[node.place.of(name)];
        }
        child.0 & !NAME
    }

    /// Whether one of the names 0 to `count`, which `lookup` tells, equals `name`. Names have the same
    /// number each time.
    pub(crate) fn contains<'n>(
        &mut self,
        name: &str,
        count: u32,
        lookup: impl Fn(u32) -> &'n str,
    ) -> bool {
        while self.count < count {
            self.insert(&lookup);
        }
        count > 0 && lookup(self.candidate(name.as_bytes())) == name
    }

    /// Adds the next name.
    fn insert<'n>(&mut self, lookup: impl Fn(u32) -> &'n str) {
        let index = self.count;
        self.count += 1;
        // The first name is the root as it is.
        if index == 0 {
            return;
        }
        let name = lookup(index).as_bytes();
        let other = lookup(self.candidate(name)).as_bytes();
        let Some(place) = Place::first_difference(name, other) else {
            return;
        };
        // Places grow on the way down: the new node goes in front of the first that has a later one.
        let (mut parent, mut below) = (None, self.root);
        while below.0 & NAME == 0 && self.nodes[below.0 as usize].place < place {
            let node = self.nodes[below.0 as usize];
            let side = node.place.of(name);
            parent = Some((below.0 as usize, side));
            below = node.children[side];
        }
        let mut children = [below; 2];
        children[place.of(name)] = Child(NAME | index);
        let new = Child(self.nodes.len() as u32);
        match parent {
            Some((node, side)) => self.nodes[node].children[side] = new,
            None => self.root = new,
        }
        self.nodes.push(Node { place, children });
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::format;
    use alloc::string::String;

    use super::*;

    /// Asks about the names in order as a tag does, and compares with a set.
    fn check<'n>(duplicates: &mut Duplicates, names: impl Iterator<Item = &'n str>) {
        duplicates.clear();
        let (mut kept, mut set) = (Vec::new(), BTreeSet::new());
        for name in names {
            let mut is_there =
                || duplicates.contains(name, kept.len() as u32, |i| kept[i as usize]);
            let repeated = is_there();
            // Asking again changes nothing.
            assert_eq!(repeated, is_there());
            assert_eq!(repeated, !set.insert(name), "{name:?} after {kept:?}");
            if !repeated {
                kept.push(name);
            }
        }
    }

    /// Names that are alike: all strings over an alphabet up to a length.
    fn strings(alphabet: &[&str], length: u32) -> Vec<String> {
        let mut all = Vec::from([String::new()]);
        let mut start = 0;
        for _ in 0..length {
            let end = all.len();
            for i in start..end {
                all.extend(
                    alphabet
                        .iter()
                        .map(|letter| format!("{}{letter}", all[i]))
                        .collect::<Vec<_>>(),
                );
            }
            start = end;
        }
        all
    }

    #[test]
    fn any_choice_of_names_is_told_apart() {
        let names = strings(&["a", "b", "\0", "é", "\u{ff}x"], 4);
        let mut duplicates = Duplicates::default();
        let mut seed = 5_u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        for _ in 0..500 {
            let (count, from) = (next() % 200, 1 + next() % names.len());
            let chosen: Vec<&str> = (0..count).map(|_| &*names[next() % from]).collect();
            check(&mut duplicates, chosen.into_iter());
        }
        check(
            &mut duplicates,
            names.iter().chain(&names).map(|name| &**name),
        );
        check(
            &mut duplicates,
            names.iter().rev().chain(&names).map(|name| &**name),
        );
    }

    #[test]
    fn names_that_differ_in_the_middle_are_told_apart() {
        let names: Vec<String> = (0..2000).map(|i| format!("a{i:05}z")).collect();
        check(
            &mut Duplicates::default(),
            names.iter().chain(&names).map(|name| &**name),
        );
    }

    #[test]
    fn names_that_were_never_new_do_not_confuse_it() {
        // A table may keep attributes that are repeated.
        let names: Vec<String> = (0..300).map(|i| format!("a{}z", i % 7)).collect();
        let mut duplicates = Duplicates::default();
        for (i, name) in names.iter().enumerate() {
            let repeated = duplicates.contains(name, i as u32, |i| &*names[i as usize]);
            assert_eq!(repeated, i >= 7);
        }
    }

    #[test]
    fn the_depth_of_the_tree_is_bounded_by_the_length_of_the_name() {
        let names: Vec<String> = (0..100).map(|i| "a".repeat(i)).collect();
        let mut tree = Duplicates::default();
        names
            .iter()
            .for_each(|_| tree.insert(|i| &*names[i as usize]));
        for name in &names {
            let (mut child, mut depth) = (tree.root, 0);
            while let Some(node) = tree.nodes.get(child.0 as usize) {
                child = node.children[node.place.of(name.as_bytes())];
                depth += 1;
            }
            assert!(depth <= 9 * (name.len() + 1), "{depth} for {}", name.len());
        }
    }
}
