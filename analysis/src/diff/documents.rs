//! Which change is to blame for what differs in a document.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use speclex_codegen::machine::Machine;

use super::causes::Cause;
use super::hybrid::Hybrids;
use super::passage::{Passage, Passages};
use super::replay::{Kind, Runs, difference};
use super::trial::blame;
use crate::engine::Request;
use crate::error_comparison::ErrorComparison;
use crate::paths::ArmIndex;
use crate::token::Output;

/// How many machines with several changes are kept: each takes as much memory as a table.
const KEPT: usize = 96;

/// Two tables, and the machines between them, which are built when a document needs them: once for all threads.
#[derive(Debug)]
pub struct Blame {
    hybrids: Hybrids,
    machines: [Machine; 2],
    /// For each change the first table with it, and the second without.
    between: Vec<OnceLock<[Machine; 2]>>,
    /// The first table with several changes, of which none alone is to blame for what differs in some document.
    together: [OnceLock<(Vec<usize>, Machine)>; KEPT],
    compared: ErrorComparison,
}

/// What is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// The change, by its first arm in both tables, or by what else it is; several if none alone is to blame.
    pub labels: [String; 2],
    /// The byte offset of the first character that shows that the input meets the change; `None` if that is in no state.
    pub place: Option<usize>,
}

impl Blame {
    /// Finds the changes between two tables.
    pub fn new(one: &Machine, other: &Machine) -> Self {
        let compared = ErrorComparison::of(one, other);
        let (hybrids, ..) = Hybrids::of([one, other]);
        Self {
            machines: [hybrids.machine(&|_| false), hybrids.machine(&|_| true)],
            between: hybrids.changes.iter().map(|_| OnceLock::new()).collect(),
            together: [const { OnceLock::new() }; KEPT],
            hybrids,
            compared,
        }
    }

    /// The first table with several changes; `None` if too many such machines are kept already.
    fn with(&self, changes: &[usize]) -> Option<&Machine> {
        self.together.iter().find_map(|place| {
            let (own, machine) =
                place.get_or_init(|| (changes.to_vec(), self.hybrids.with(changes)));
            (own == changes).then_some(machine)
        })
    }

    /// The first table with these changes made, for tests.
    #[doc(hidden)]
    pub fn between(&self, causes: &[&Cause]) -> Machine {
        let is_in = |number| causes.iter().any(|it| it.has(number, &self.hybrids));
        self.hybrids.machine(&is_in)
    }

    /// What is to blame for a difference of this kind; `None` if the input does not show one. For many inputs, use a
    /// [finder](Self::finder).
    pub fn find(&self, request: &Request<'_>, kind: Kind) -> Option<Blamed> {
        self.finder().find(request, kind)
    }

    /// Finds what is to blame, one input after the other.
    pub fn finder(&self) -> Finder<'_> {
        let machines = self.machines.each_ref();
        Finder {
            blame: self,
            whole: machines.map(Runs::new),
            passages: machines.map(Passages::new),
            between: self.between.iter().map(|_| None).collect(),
            together: BTreeMap::new(),
        }
    }
}

/// Runs inputs in the machines of a [`Blame`]. To make a machine ready takes far longer than to run a small document in it.
pub struct Finder<'b> {
    blame: &'b Blame,
    whole: [Runs<'b>; 2],
    passages: [Passages<'b>; 2],
    /// For each change, if a document met it.
    between: Vec<Option<[Runs<'b>; 2]>>,
    together: BTreeMap<Vec<usize>, Runs<'b>>,
}

impl Finder<'_> {
    /// As [`Blame::find`].
    pub fn find(&mut self, request: &Request<'_>, kind: Kind) -> Option<Blamed> {
        let Blame {
            hybrids,
            machines,
            compared,
            ..
        } = self.blame;
        let machines = machines.each_ref();
        let outputs = outputs(&mut self.whole, request)?;
        if difference(&outputs[0], &outputs[1], *compared) != Some(kind) {
            return None;
        }
        let passages = &mut self.passages;
        let mut passed = |input: &str| {
            let request = Request { input, ..*request };
            passages
                .each_mut()
                .map(|side| side.of(&request).unwrap_or_default())
        };
        let all = passed(request.input);
        let touched = (0..self.between.len())
            .filter(|&change| hybrids.touches(change, machines, &all))
            .filter(|&change| hybrids.is_spelled(change, request.input));
        let touched: Vec<usize> = touched.collect();
        let effect = |&change: &usize| {
            let runs = self.between[change].get_or_insert_with(|| {
                let machines = self.blame.between[change]
                    .get_or_init(|| hybrids.with_and_without(&hybrids.changes[change]));
                machines.each_ref().map(Runs::new)
            });
            let effect = blame(&outputs, &self::outputs(runs, request)?, *compared)?;
            Some((effect.is_part, effect, vec![change]))
        };
        let best = touched.iter().filter_map(effect).min();
        let blamed = match best {
            Some((.., changes)) => changes,
            None => least(touched, &mut |fewer| {
                let output = match self.together.get_mut(fewer) {
                    Some(runs) => runs.output(request),
                    None => match self.blame.with(fewer) {
                        None => Runs::new(&hybrids.with(fewer)).output(request),
                        Some(machine) => {
                            let runs = self.together.entry(fewer.to_vec());
                            runs.or_insert_with(|| Runs::new(machine)).output(request)
                        }
                    },
                };
                output.is_some_and(|it| difference(&it, &outputs[1], *compared).is_none())
            }),
        };
        let labels = blamed.iter().map(|&change| hybrids.labels(change));
        let labels: Vec<[String; 2]> = labels.collect();
        let label = |side: usize| {
            let labels = labels.iter().map(|label| label[side].as_str());
            labels.collect::<Vec<_>>().join(", and ")
        };
        // The shortest beginning that meets the change, unless only the end of the input does.
        let mut meets = |input: &str, and_end: bool| {
            let mut passed = passed(input);
            let is_met = |it: &Passage| and_end || it.taken.arm != ArmIndex::Eof;
            passed.iter_mut().for_each(|side| side.retain(is_met));
            let mut blamed = blamed.iter();
            blamed.any(|&change| hybrids.touches_in_states(change, machines, &passed))
        };
        let place = meets(request.input, true).then(|| {
            let starts = request.input.char_indices().map(|(at, _)| at);
            let ends: Vec<usize> = starts.chain([request.input.len()]).collect();
            let end = ends.partition_point(|&end| !meets(&request.input[..end], false));
            let last = end.checked_sub(1).and_then(|last| ends.get(last));
            last.copied().unwrap_or_default()
        });
        Some(Blamed {
            labels: [label(0), label(1)],
            place,
        })
    }
}

fn outputs(runs: &mut [Runs<'_>; 2], request: &Request<'_>) -> Option<[Output; 2]> {
    let [one, other] = runs;
    Some([one.output(request)?, other.output(request)?])
}

/// As few of these as still do it.
fn least(mut all: Vec<usize>, do_it: &mut dyn FnMut(&[usize]) -> bool) -> Vec<usize> {
    for index in (0..all.len()).rev() {
        let mut fewer = all.clone();
        fewer.remove(index);
        if do_it(&fewer) {
            all = fewer;
        }
    }
    all
}
