//! Why no input reaches something.

use std::collections::BTreeSet;

use speclex_codegen::charset::{CharSet, display_char};

use super::items::{Items, Place};
use super::observer::Arrival;

/// More characters than this are counted, not listed.
const SHOWN: usize = 8;

/// An arm or a branch that no input reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The item.
    pub item: usize,
    /// Why, for people.
    pub why: String,
}

/// Says why, of items that were not reached: from the outside in, so that what lies in something that
/// is not reached is left to that.
pub(super) fn explain(
    items: &Items<'_>,
    unreached: impl Iterator<Item = usize>,
    reached: &[bool],
    arrived: &BTreeSet<Arrival>,
) -> Vec<Unreached> {
    let explained = unreached.map(|id| Unreached {
        item: id,
        why: why(items, id, reached, arrived),
    });
    explained.collect()
}

fn why(items: &Items<'_>, id: usize, reached: &[bool], arrived: &BTreeSet<Arrival>) -> String {
    let item = &items.all()[id];
    if let Some(branch) = item.branch {
        return match reached[branch.parent] {
            true => format!(
                "whenever it is asked, the answer is {}",
                if branch.answer { "no" } else { "yes" }
            ),
            false => "what it is a branch of is not reached".to_owned(),
        };
    }
    let Place::State(index) = item.place else {
        return "no such token is emitted".to_owned();
    };
    let here = arrived
        .iter()
        .filter(|(state, _)| state.0 as usize == index);
    let here: Vec<Option<char>> = here.map(|&(_, current)| current).collect();
    if here.is_empty() {
        return "nothing leads to the state".to_owned();
    }
    let chars: CharSet = here.iter().copied().flatten().collect();
    let mut words: Vec<String> = chars.iter().take(SHOWN).map(display_char).collect();
    if chars.len() as usize > SHOWN {
        words.push(format!(
            "{} more classes of characters",
            chars.len() as usize - SHOWN
        ));
    }
    if here.contains(&None) {
        words.push("EOF".to_owned());
    }
    format!(
        "where something leads to the state, what comes is always {}",
        words.join(" or ")
    )
}
