//! What is different where two states have run.

use std::collections::BTreeMap;

use super::facts::{Act, State, To};
use super::run::{Event, Ran};
use super::show;
use super::side::Side;

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The text has a state that the table lacks.
    MissingState,
    /// The table has a state that the text lacks.
    ExtraState,
    /// The states have different numbers.
    Section,
    /// Characters are in another arm.
    Set,
    /// An arm leads elsewhere.
    Target,
    /// An arm consumes more or less.
    Reconsume,
    /// A parse error is missing or too much.
    Error,
    /// A parse error has another code.
    Code,
    /// An action is missing, too much, or another.
    Action,
    /// The same actions in another order.
    Order,
    /// Another part of the state runs in the same case.
    Case,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) kind: Kind,
    /// The table's name of the state.
    pub(crate) state: String,
    pub(crate) section: String,
    /// The arm of the table and that of the text with its line.
    pub(crate) arm: Option<String>,
    pub(crate) text_arm: Option<(String, usize)>,
    pub(crate) inputs: Vec<String>,
    pub(crate) case: String,
    pub(crate) text: String,
    pub(crate) table: String,
}

/// "The current token", where the text leaves open which: the one that the table emits, if it can be that.
/// Else one changed successor would be reported in every state that comes after it.
pub(crate) fn settle(text: &Side<'_>, own: &State, mine: &mut Ran, theirs: &Ran) {
    for (act, its) in mine.trace.acts.iter_mut().zip(&theirs.trace.acts) {
        if let (Act::Emit(None), Act::Emit(Some(token))) = (&act, its)
            && text.may_be_current(&own.name, token)
        {
            act.clone_from(its);
        }
    }
}

/// Whether what was done is the same, if the inner states it leads to correspond.
pub(crate) fn same(
    text: &Side<'_>,
    table: &Side<'_>,
    mine: &Ran,
    theirs: &Ran,
    next: &mut Vec<(String, String)>,
) -> bool {
    let inner = |side: &Side<'_>, name: &str| side.state(name).is_some_and(|s| s.inner);
    if mine.trace.acts != theirs.trace.acts || mine.trace.consumed != theirs.trace.consumed {
        return false;
    }
    match (&mine.trace.to, &theirs.trace.to) {
        (Some(To::State(a)), Some(To::State(b))) if inner(text, a) && inner(table, b) => {
            let names = (a.clone(), b.clone());
            if !next.contains(&names) {
                next.push(names);
            }
            true
        }
        // A text that says nothing of a successor means the same state.
        (None, Some(To::Stay)) => true,
        (a, b) => a == b,
    }
}

/// Whether a character is in another arm than those beside it.
pub(crate) fn elsewhere(
    event: &Event,
    mine: &Ran,
    theirs: &Ran,
    together: &BTreeMap<(String, String), usize>,
) -> bool {
    let (Event::Char(_), Some((a, _)), Some((b, _))) = (event, &mine.arm, &theirs.arm) else {
        return false;
    };
    let count = |a: &str, b: &str| together.get(&(a.to_owned(), b.to_owned())).copied();
    let here = count(a, b).unwrap_or(0);
    let most_of = |pick: &dyn Fn(&(String, String)) -> bool| {
        together
            .iter()
            .filter(|(k, _)| pick(k))
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(0)
    };
    here < most_of(&|(x, _)| x == a) || here < most_of(&|(_, y)| y == b)
}

pub(crate) fn kind(mine: &Ran, theirs: &Ran) -> Kind {
    let is_error = |act: &&Act| matches!(act, Act::Error(_));
    let errors = |ran: &Ran| ran.trace.acts.iter().filter(is_error).count();
    let others = |ran: &Ran| -> Vec<Act> {
        let acts = ran.trace.acts.iter();
        acts.filter(|act| !is_error(act)).cloned().collect()
    };
    let sorted = |ran: &Ran| {
        let mut all: Vec<String> = ran.trace.acts.iter().map(show::act).collect();
        all.sort();
        all
    };
    // A text without names of errors differs from a table with them in every error: what else differs
    // says more.
    if errors(mine) != errors(theirs) {
        Kind::Error
    } else if mine.trace.acts != theirs.trace.acts && sorted(mine) == sorted(theirs) {
        Kind::Order
    } else if others(mine) != others(theirs) {
        Kind::Action
    } else if mine.trace.to.as_ref().unwrap_or(&To::Stay)
        != theirs.trace.to.as_ref().unwrap_or(&To::Stay)
    {
        Kind::Target
    } else if mine.trace.consumed != theirs.trace.consumed {
        Kind::Reconsume
    } else {
        Kind::Code
    }
}
