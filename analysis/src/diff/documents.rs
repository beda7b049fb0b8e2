//! Which change is to blame for what differs in a document.

use std::cell::OnceCell;

use speclex_codegen::machine::Machine;

use super::causes::{Cause, least};
use super::hybrid::Hybrids;
use super::passage::{Passage, Passages};
use super::product::Kind;
use super::replay::{Runs, difference};
use super::trial::blame;
use crate::engine::Request;
use crate::error_comparison::ErrorComparison;
use crate::paths::ArmIndex;
use crate::token::Output;

/// Two tables, and the machines between them, which are built when a document needs them.
#[derive(Debug)]
pub struct Blame {
    hybrids: Hybrids,
    machines: [Machine; 2],
    /// For each change the first table with it, and the second without.
    between: Vec<OnceCell<[Machine; 2]>>,
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
            between: hybrids.changes.iter().map(|_| OnceCell::new()).collect(),
            hybrids,
            compared,
        }
    }

    /// The first table with these changes made, for tests.
    #[doc(hidden)]
    pub fn between(&self, causes: &[&Cause]) -> Machine {
        let is_in = |number| causes.iter().any(|it| it.has(number, &self.hybrids));
        self.hybrids.machine(&is_in)
    }

    /// What is to blame for a difference of this kind; `None` if the input does not show one.
    pub fn find(&self, request: &Request<'_>, kind: Kind) -> Option<Blamed> {
        let machines = self.machines.each_ref();
        let outputs = self.outputs(machines, request)?;
        if difference(&outputs[0], &outputs[1], self.compared) != Some(kind) {
            return None;
        }
        let mut passages = machines.map(Passages::new);
        let mut passed = |input: &str| {
            let request = Request { input, ..*request };
            passages
                .each_mut()
                .map(|side| side.of(&request).unwrap_or_default())
        };
        let all = passed(request.input);
        let touched = (0..self.between.len())
            .filter(|&change| self.hybrids.touches(change, machines, &all))
            .filter(|&change| self.hybrids.is_spelled(change, request.input));
        let touched: Vec<usize> = touched.collect();
        let effect = |&change: &usize| {
            let between = self.between[change]
                .get_or_init(|| self.hybrids.with_and_without(&self.hybrids.changes[change]));
            let between = self.outputs(between.each_ref(), request)?;
            let effect = blame(&outputs, &between, self.compared)?;
            Some((effect.is_part, effect, vec![change]))
        };
        let best = touched.iter().filter_map(effect).min();
        let blamed = match best {
            Some((.., changes)) => changes,
            None => least(touched, &mut |fewer| {
                let all = fewer
                    .iter()
                    .map(|&change| &self.hybrids.changes[change].differences);
                let is_in = |number| all.clone().any(|differences| differences.contains(&number));
                let output = Runs::new(&self.hybrids.machine(&is_in)).output(request);
                output.is_some_and(|it| difference(&it, &outputs[1], self.compared).is_none())
            }),
        };
        let labels = blamed.iter().map(|&change| self.hybrids.labels(change));
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
            blamed.any(|&change| self.hybrids.touches_in_states(change, machines, &passed))
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

    fn outputs(&self, machines: [&Machine; 2], request: &Request<'_>) -> Option<[Output; 2]> {
        let [one, other] = machines.map(|machine| Runs::new(machine).output(request));
        Some([one?, other?])
    }
}
