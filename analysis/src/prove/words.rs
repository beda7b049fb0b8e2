//! The words that texts are compared with.

use std::collections::BTreeSet;
use std::ops::Bound;

use speclex_codegen::machine::{Guard, Machine};

use super::known::Known;
use super::set::{Set, merged};
use super::term::Term;
use super::values::Values;

/// The beginnings, in lowercase, of all words that texts are compared with.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeSet<String>);

impl Words {
    /// Those of two machines.
    pub(super) fn of(machines: [&Machine; 2]) -> Self {
        let mut beginnings = BTreeSet::new();
        for guard in machines.into_iter().flat_map(Machine::all_questions) {
            if let Guard::TextIs { any_of, .. } = guard {
                for word in any_of {
                    let word = word.to_ascii_lowercase();
                    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
                    let ends = [0].into_iter().chain(ends);
                    beginnings.extend(ends.map(|end| word[..end].to_owned()));
                }
            }
        }
        Self(beginnings)
    }

    /// Whether a word begins with a text, in whatever case.
    pub(super) fn begin_with(&self, text: &str) -> bool {
        self.0.contains(&text.to_ascii_lowercase())
    }

    /// The letters, in either case, with which a text stays the beginning of a word.
    pub(super) fn letters_after(&self, start: &str) -> Set {
        let start = start.to_ascii_lowercase();
        let beginnings = self
            .0
            .range::<str, _>((Bound::Included(&*start), Bound::Unbounded));
        let letters = beginnings.map_while(|it| it.strip_prefix(&*start));
        let letters = letters.filter_map(|rest| rest.chars().next());
        let both = letters.flat_map(|c| [c.to_ascii_lowercase(), c.to_ascii_uppercase()]);
        merged(both.map(|c| (c as u32, c as u32)))
    }

    /// What is known of a text in normal form at the end of a way.
    pub(super) fn values(&self, known: &Known, normal: &Term) -> Option<Values> {
        let Term::Text(pieces) = normal else {
            return None;
        };
        let (start, rest) = match pieces.as_slice() {
            [Term::Literal(literal), rest @ ..] => (literal.clone(), rest),
            [Term::Held(class), rest @ ..] => {
                let values = known.text(*class)?;
                return match (values.words.is_empty(), rest.is_empty()) {
                    // What no word begins with stays none, whatever is appended.
                    (true, _) => Some(Values::none()),
                    (_, true) => Some(values.clone()),
                    _ => None,
                };
            }
            rest => (String::new(), rest),
        };
        if !self.begin_with(&start) {
            return Some(Values::none());
        }
        match rest.first() {
            None => Some(Values::one(start)),
            Some(Term::Character(at) | Term::Lowercase(at)) => {
                let is_none = known.is_never(&Term::Character(*at), &self.letters_after(&start));
                is_none.then(Values::none)
            }
            _ => None,
        }
    }
}
