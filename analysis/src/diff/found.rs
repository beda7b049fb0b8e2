//! Where a search starts, how far it goes, and what it finds.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use super::pair::{Arms, Event, Pair, Product};
use super::runner::literal_text;
use super::side::Side;
use super::steps::Taken;

/// Where a search starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The content; `None` for the initial state.
    pub(super) content: Option<String>,
    pub(super) last_start_tag: Option<String>,
}

/// An input on which something parted.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    pub(super) input: Vec<char>,
    pub(super) start: u16,
    pub(super) answer: bool,
}

/// Why a search that ended is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// The first difference was all that was wanted.
    Stopped,
    /// Inputs longer than the limit were not tried.
    Length,
    /// More situations than the limit.
    Situations,
    /// A guard asked something of a number that its interval does not decide.
    Number,
    /// A number may be in an interval that no input tried leads to.
    Interval,
    /// A word that is read twice is read in changing states.
    Reread,
    /// A sink's answer leads to a situation that no start leads to.
    Answer,
    /// A question is asked again, and was not followed with another answer than before.
    Question,
    /// Strings with little in common grew too long to be told apart.
    Strings,
    /// One side's tokens had to wait too long for the other's.
    Delay,
    /// What else follows from arms that are known to change tokens was not followed to the end.
    Enough,
    /// A machine stopped or went round in circles.
    Stuck,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped at the first difference",
            Self::Length => "longer inputs were not tried",
            Self::Situations => "there are more situations than the limit",
            Self::Number => "a number's interval does not decide a question",
            Self::Interval => "a number may be in an interval that no input tried leads to",
            Self::Reread => "a word is read twice in changing states",
            Self::Answer => "a sink's answer may lead to a situation that was not followed",
            Self::Question => "a question asked again may get another answer",
            Self::Strings => "strings with little in common grew too long to be told apart",
            Self::Delay => "one side's tokens had to wait too long for the other's",
            Self::Enough => {
                "what else follows from arms that change tokens was not followed to the end"
            }
            Self::Stuck => "a machine goes round in circles",
        })
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// For each event the first inputs that show it.
    pub(super) events: Vec<(Event, Vec<Trail>)>,
    /// Situations seen.
    pub(super) situations: usize,
    /// Edges tried.
    pub(super) edges: usize,
    /// All inputs up to this length have been tried.
    pub(super) length: usize,
    /// How often a gap was met, with the arms under suspicion there.
    pub(super) gaps: BTreeMap<(Gap, Option<Arms>), usize>,
    /// For each side the arms taken, with the first input that led there.
    pub(super) taken: HashMap<(usize, Taken), Trail>,
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) length: usize,
    pub(super) situations: usize,
    /// Inputs kept for each event.
    pub(super) trails: usize,
    /// Whether the first event of this kind ends the search.
    pub(super) first: bool,
}

/// The pair at a start; `None` if a side has no such content.
pub(super) fn start_pair(product: &Product<'_>, start: &Start, index: u16) -> Option<Pair> {
    let side = |machine| {
        let mut side = Side::new(machine);
        let entered = match &start.content {
            Some(content) => side.enter(machine, content),
            None => true,
        };
        let name = start.last_start_tag.as_deref();
        side.last_start_tag = name.map(|name| Rc::new(literal_text(name)));
        entered.then_some(side)
    };
    let [one, other] = &product.runners;
    Some(Pair {
        sides: [side(one.machine)?, side(other.machine)?],
        input: Vec::new(),
        answer: None,
        start: index,
        ahead: 0,
        pending: VecDeque::new(),
        errors: Default::default(),
        suspect: None,
    })
}
