//! What a search comes to: inputs on which two tokenizers differ, and why it was not followed to its end.

use super::gap::Gap;
use super::replay::{Kind, Setup};
use super::search::Findings;
use crate::token::Output;

/// An input on which two tokenizers differ.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What it starts with.
    pub setup: Setup,
    /// The input. No character of it can be left out.
    pub input: String,
    /// What differs.
    pub kind: Kind,
    /// Both outputs.
    pub outputs: [Output; 2],
    /// The arms that are to blame, in words.
    pub labels: [String; 2],
}

/// Why a search was not followed to its end, and how often it met that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Why.
    pub gap: Gap,
    /// How often.
    pub times: usize,
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The gravest and shortest first.
    pub witnesses: Vec<Witness>,
    /// Inputs that were continued: each leaves the two machines in a situation that no shorter one does.
    pub situations: usize,
    /// The longest input that was continued.
    pub length: usize,
    /// What was not followed to the end.
    pub unknown: Vec<Unknown>,
    /// An input that one of the tables cannot run to its end: it goes round in circles.
    pub refused: Option<(Setup, String)>,
}

impl Searched {
    /// Whether the search ended because it had nothing left to try. It may have missed a difference nevertheless.
    pub fn closed(&self) -> bool {
        self.unknown.is_empty()
    }

    /// Adds what another search covered.
    pub(super) fn add(&mut self, found: &Findings) {
        self.situations += found.situations;
        self.length = self.length.max(found.length);
        for (&gap, &times) in &found.gaps {
            match self.unknown.iter_mut().find(|unknown| unknown.gap == gap) {
                Some(unknown) => unknown.times += times,
                None => self.unknown.push(Unknown { gap, times }),
            }
        }
    }
}
