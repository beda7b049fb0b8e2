//! What tags do in the usual case.

use super::names::Name;

/// What a start tag without self-closing flag does if the current node and the adjusted current node are HTML elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// An HTML element is created for it, inserted after the last child of the current node and pushed.
    Inserts,
    /// The same, and it gets an entry at the end of the list of active formatting elements, if none after the last marker has its type.
    InsertsAndEntersList,
    /// Something else, or more.
    More,
}

impl Starts {
    /// This if a condition holds.
    #[inline(always)]
    pub fn only_if(self, holds: bool) -> Self {
        if holds { self } else { Self::More }
    }
}

/// What an end tag does if the current node is an HTML element with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It pops the current node.
    Pops,
    /// It pops the current node and takes it off the list of active formatting elements, if it is the last entry there.
    PopsAndLeavesList,
    /// Something else, or more.
    More,
}

/// What end tags do, by their names.
#[derive(Debug)]
pub struct EndsByName<const NAMES: usize> {
    known: [Ends; NAMES],
    others: Ends,
}

impl<const NAMES: usize> EndsByName<NAMES> {
    /// What those with some names do, and all others.
    pub const fn new(others: Ends, known: &[(Ends, &[Name])]) -> Self {
        let mut by_number = [others; NAMES];
        let mut at = 0;
        while at < known.len() {
            let (ends, names) = known[at];
            let mut name = 0;
            while name < names.len() {
                by_number[names[name].0 as usize] = ends;
                name += 1;
            }
            at += 1;
        }
        Self {
            known: by_number,
            others,
        }
    }

    /// What one with a name does.
    #[inline(always)]
    pub fn of(&self, name: Name) -> Ends {
        (self.known.get(name.0 as usize).copied()).unwrap_or(self.others)
    }
}
