//! What is known of what two machines hold at a pair of points: which places hold the same, and constants.

use rustc_hash::FxHashMap as HashMap;

use super::places::Sort;
use super::term::Term;
use super::values::Values;

/// What a place holds: a constant, or what all places of a class hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Held {
    Constant(Term),
    Class(u32),
}

impl Held {
    /// The term of a place at the start of a move.
    pub(super) fn term(&self, sort: &Sort) -> Term {
        match (self, sort) {
            (Self::Constant(term), _) => term.clone(),
            (Self::Class(class), Sort::Text { .. }) => Term::piece(Term::Held(*class)),
            (Self::Class(class), Sort::Number(_) | Sort::Other) => Term::Held(*class),
        }
    }
}

/// The only abstraction: a partition of the places of both sides, with constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    /// The places of one side, then those of the other. Classes are numbered in the order in which they first appear.
    pub(super) held: Vec<Held>,
    /// For each side whether the token emitted last does not end behind the position.
    pub(super) is_behind: [bool; 2],
    /// For each text that is compared with words what it may be, if that is known.
    pub(super) texts: Vec<Option<Values>>,
}

impl Relation {
    /// From terms: places with equal terms are one class.
    pub(super) fn of<'t>(
        terms: impl Iterator<Item = &'t Term>,
        is_behind: [bool; 2],
        texts: Vec<Option<Values>>,
    ) -> Self {
        let mut numbers = numbers();
        let held = terms.map(|term| match term.is_constant() {
            true => Held::Constant(term.clone()),
            false => {
                let next = numbers.len() as u32;
                Held::Class(*numbers.entry(term).or_insert(next))
            }
        });
        Self {
            held: held.collect(),
            is_behind,
            texts,
        }
    }

    /// What both say.
    pub(super) fn meet(&self, other: &Self) -> Self {
        let mut numbers = numbers();
        let held = self.held.iter().zip(&other.held).map(|pair| match pair {
            (Held::Constant(one), Held::Constant(other)) if one == other => {
                Held::Constant(one.clone())
            }
            pair => {
                let next = numbers.len() as u32;
                Held::Class(*numbers.entry(pair).or_insert(next))
            }
        });
        let texts = self.texts.iter().zip(&other.texts);
        let texts = texts.map(|(one, other)| one.as_ref()?.union(other.as_ref()?));
        Self {
            held: held.collect(),
            is_behind: [0, 1].map(|side| self.is_behind[side] && other.is_behind[side]),
            texts: texts.collect(),
        }
    }
}

/// The numbers of classes by what they hold, with room for most tables.
fn numbers<T>() -> HashMap<T, u32> {
    HashMap::with_capacity_and_hasher(128, Default::default())
}
