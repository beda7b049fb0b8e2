//! Checks a certificate. Nothing of the search for it is used here: that what it says holds at the start, and that every way
//! from a pair of points leads to one of which it says no more than holds there, is all that a proof needs.

use rustc_hash::FxHashMap as HashMap;

use super::certificate::Certificate;
use super::relation::{Held, Relation};
use super::ways::{Both, End};

/// Whether a certificate proves that two machines do the same.
pub(super) fn is_proof(both: &Both<'_>, certificate: &Certificate) -> bool {
    let holds = |end: &End| {
        let said = certificate.0.get(&end.pair);
        said.is_some_and(|said| follows(said, &end.relation))
    };
    let ways = |(pair, relation)| both.from(pair, relation);
    both.starts().iter().all(holds)
        && (certificate.0.iter()).all(|it| ways(it).is_ok_and(|ends| ends.iter().all(holds)))
}

/// Whether all that one relation says follows from another.
fn follows(said: &Relation, from: &Relation) -> bool {
    let mut of_class: HashMap<u32, &Held> = HashMap::default();
    let same_places = said.held.len() == from.held.len() && said.texts.len() == from.texts.len();
    let mut held = said.held.iter().zip(&from.held);
    let mut texts = said.texts.iter().zip(&from.texts);
    let mut behind = said.is_behind.iter().zip(from.is_behind);
    same_places
        && held.all(|(said, from)| match said {
            Held::Constant(_) => said == from,
            // All places of a class hold the same.
            Held::Class(class) => *of_class.entry(*class).or_insert(from) == from,
        })
        && texts.all(|(said, from)| match (said, from) {
            (None, _) => true,
            (Some(said), Some(from)) => from.is_within(said),
            (Some(_), None) => false,
        })
        && behind.all(|(said, from)| !said || from)
}
