//! What a search comes to: inputs on which two tokenizers differ, and why it is no proof where it is none.

use speclex_codegen::machine::Machine;

use super::base::Trail;
use super::beyond::names::letters_of_names;
use super::gap::Gap;
use super::product::{Kind, Product};
use super::replay::Setup;
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

/// Why a search is no proof, and how often it met that.
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
    /// Situations of the two machines side by side.
    pub situations: usize,
    /// All inputs up to this length were tried, but for what `unknown` says.
    pub length: usize,
    /// What was not followed to the end.
    pub unknown: Vec<Unknown>,
    /// Differences of the abstract machines that no run of the tables confirmed.
    pub unconfirmed: usize,
    /// An input that one of the tables cannot run to its end: it goes round in circles.
    pub refused: Option<(Setup, String)>,
}

impl Searched {
    /// Whether nothing was left out: what was not found is not there.
    pub fn closed(&self) -> bool {
        self.unknown.is_empty() && self.unconfirmed == 0
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

/// What an input of the search starts with.
pub(super) fn setup(starts: &[Setup], trail: &Trail) -> Option<(Setup, String)> {
    let start = starts.get(usize::from(trail.start))?;
    let setup = Setup {
        answer: trail.answer,
        ..start.clone()
    };
    Some((setup, trail.input.iter().collect()))
}

/// All contents that both have, with and without a last start tag: its name may be of one letter or more, and
/// of any letters that are told apart.
pub(super) fn starts([one, other]: [&Machine; 2], product: &Product<'_, '_>) -> Vec<Setup> {
    let mut starts = vec![Setup::default()];
    let both = |content: &&String| one.entry(content).is_some() && other.entry(content).is_some();
    let mut names: Vec<Option<String>> = vec![None];
    if product.model.facts.start_tags {
        let letters = &product.name_kinds().letters;
        let [begins, _] = letters_of_names(&product.model.machine);
        let firsts = letters.iter();
        for first in firsts.filter(|c| c.is_ascii_alphabetic() || begins.contains(**c)) {
            names.push(Some(first.to_string()));
            names.extend(letters.iter().map(|c| Some(format!("{first}{c}"))));
        }
    }
    let contents = one.vocabulary.contents.iter().filter(both).cloned();
    for content in contents.map(Some).chain([None]) {
        starts.extend(names.iter().map(|name| Setup {
            content: content.clone(),
            last_start_tag: name.clone(),
            ..Setup::default()
        }));
    }
    starts
}
