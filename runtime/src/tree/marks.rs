//! Where the elements of some kind are on the stack of open elements.

use alloc::vec::Vec;

use super::element::Element;
use super::names::Space;

/// Elements that are sought on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    sets: u64,
    html: bool,
    others: bool,
}

impl Sought {
    /// Those in one of these sets, a bit each.
    pub const fn in_sets(sets: u64) -> Self {
        Self {
            sets,
            html: false,
            others: false,
        }
    }

    /// Those, and all in the HTML namespace.
    pub const fn or_html(self) -> Self {
        Self { html: true, ..self }
    }

    /// All others.
    pub const fn others(self) -> Self {
        Self {
            others: true,
            ..self
        }
    }

    /// Whether an element is one of them.
    pub fn is<N>(self, element: &Element<N>) -> bool {
        let is_html = self.html && element.ty.space() == Space::Html;
        (element.is_in(self.sets) || is_html) != self.others
    }
}

/// The positions of the elements that are sought, as far as they are known.
#[derive(Clone, Debug)]
struct Marks {
    sought: Sought,
    positions: Vec<u32>,
    /// How many elements of the stack were looked at.
    known: usize,
}

/// The positions of elements on a stack, for each kind that was sought. Each element that is pushed is looked at once for each
/// kind, and only if that is sought then.
#[derive(Clone, Debug, Default)]
pub(super) struct AllMarks {
    all: Vec<Marks>,
    /// The lowest height of the stack since something was sought.
    lowest: usize,
}

impl AllMarks {
    pub(super) const fn new() -> Self {
        Self {
            all: Vec::new(),
            lowest: 0,
        }
    }

    /// The stack is only so high.
    #[inline(always)]
    pub(super) fn lower(&mut self, height: usize) {
        self.lowest = self.lowest.min(height);
    }

    /// The positions of what is sought on a stack of this height, from the topmost one to the current node.
    pub(super) fn find<'n, N: 'n>(
        &mut self,
        sought: Sought,
        height: usize,
        element: impl Fn(usize) -> &'n Element<N>,
    ) -> &[u32] {
        for marks in &mut self.all {
            marks.known = marks.known.min(self.lowest);
        }
        self.lowest = height;
        let number = self.all.iter().position(|marks| marks.sought == sought);
        let number = number.unwrap_or_else(|| {
            self.all.push(Marks {
                sought,
                positions: Vec::new(),
                known: 0,
            });
            self.all.len() - 1
        });
        let marks = &mut self.all[number];
        let known = marks.known;
        while marks.positions.pop_if(|it| *it as usize >= known).is_some() {}
        let news = (known..height).filter(|&at| sought.is(element(at)));
        marks.positions.extend(news.map(|at| at as u32));
        marks.known = height;
        &marks.positions
    }
}
