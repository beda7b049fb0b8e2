//! Inputs run in the interpreter, by both tables and by the two machines between them in which one change is made or taken
//! back: what the change is to blame for. Nothing is claimed that was not seen there.

use std::collections::BTreeSet;

use speclex_codegen::machine::Machine;

use super::passage::{Passages, PassedArms, TakenPath};
use super::replay::{Kind, Runs, Setup, difference, shrink};
use super::witness::Witness;
use crate::error_comparison::ErrorComparison;
use crate::paths::ArmIndex;
use crate::token::Output;

/// Endings that are tried behind an input: they complete a token, or keep another change at the end from hiding this one.
const ENDS: [&str; 17] = [
    "", ">", "b", ";", " ", "b>", "\">", "'>", "=>", "=\">", "='>", "-->", "]]>", "<a>", "</a>",
    " >", "?>",
];

/// What both tables make of an input, and which arms they take.
pub(super) struct Tables<'m> {
    runs: [Runs<'m>; 2],
    passages: [Passages<'m>; 2],
    machines: [&'m Machine; 2],
    compared: ErrorComparison,
}

/// What a change does to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Effect {
    /// Of what the change alters, the gravest.
    pub(super) kind: Kind,
    /// Whether other changes have a part in what differs.
    pub(super) is_part: bool,
    /// Whether the change alters nothing without others.
    pub(super) needs_others: bool,
}

/// An input with its rank: a smaller one is a better example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) effect: Effect,
    /// Its length, doubled if it is hard to read, and more for errors that both report and what it starts with.
    effort: usize,
    /// How odd its characters are.
    odd: usize,
    pub(super) given: Setup,
    pub(super) input: String,
}

impl<'m> Tables<'m> {
    /// The tables as they are, and under one numbering.
    pub(super) fn new(
        tables: [&'m Machine; 2],
        machines: [&'m Machine; 2],
        compared: ErrorComparison,
    ) -> Self {
        Self {
            runs: tables.map(Runs::new),
            passages: machines.map(Passages::new),
            machines,
            compared,
        }
    }

    /// Both outputs; `None` when a side cannot run this.
    pub(super) fn outputs(&mut self, setup: &Setup, input: &str) -> Option<[Output; 2]> {
        let [one, other] = &mut self.runs;
        Some([
            one.output(&setup.request(input))?,
            other.output(&setup.request(input))?,
        ])
    }

    /// The input as a witness, if the tables differ, without what it does not need; `None` when a side cannot run it.
    pub(super) fn plain(&mut self, setup: &Setup, input: &str) -> Option<Option<Witness>> {
        let compared = self.compared;
        let [one, other] = self.outputs(setup, input)?;
        let Some(kind) = difference(&one, &other, compared) else {
            return Some(None);
        };
        let (mut setup, mut characters) = (setup.clone(), input.chars().collect());
        shrink(&mut setup, &mut characters, &mut |setup, text| {
            let outputs = self.outputs(setup, text);
            outputs.is_some_and(|[one, other]| difference(&one, &other, compared) == Some(kind))
        });
        let input: String = characters.into_iter().collect();
        let outputs = self.outputs(&setup, &input)?;
        let labels = Default::default();
        Some(Some(Witness {
            setup,
            input,
            kind,
            outputs,
            labels,
        }))
    }

    /// An input that a change is to blame for as a witness.
    pub(super) fn witness(&mut self, rank: &Rank, labels: [String; 2]) -> Option<Witness> {
        let outputs = self.outputs(&rank.given, &rank.input)?;
        Some(Witness {
            setup: rank.given.clone(),
            input: rank.input.clone(),
            kind: difference(&outputs[0], &outputs[1], self.compared)?,
            outputs,
            labels,
        })
    }

    /// The arms that each goes through; none if it cannot run the input.
    pub(super) fn passed(&mut self, setup: &Setup, input: &str) -> PassedArms {
        let passages = self.passages.each_mut();
        passages.map(|side| side.of(&setup.request(input)).unwrap_or_default())
    }

    /// Whether an input is easy to read: no odd characters, no blank at its end, and nothing is cut off by that.
    fn is_readable(&mut self, setup: &Setup, input: &str) -> bool {
        let odd = |c: char| !(c.is_ascii_graphic() || c == ' ' || c.is_alphabetic());
        if input.contains(odd) || input.ends_with(' ') {
            return false;
        }
        let machines = self.machines;
        let passed = self.passed(setup, input);
        let mut ends = (0..).zip(passed).flat_map(|(side, passed): (usize, _)| {
            let ends = passed
                .into_iter()
                .filter(|it| it.taken.arm == ArmIndex::Eof);
            ends.map(move |it| (side, it.taken.state))
        });
        ends.all(|(side, state)| {
            let mut entries = machines[side].entries.iter();
            entries.any(|entry| entry.state.0 == state)
        })
    }
}

/// Both tables, and the machines between them: the first with a change made, the second with it taken back.
pub(super) struct Trial<'t, 'm, 'h> {
    pub(super) tables: &'t mut Tables<'m>,
    hybrids: [Runs<'h>; 2],
}

impl<'t, 'm, 'h> Trial<'t, 'm, 'h> {
    pub(super) fn new(tables: &'t mut Tables<'m>, hybrids: [&'h Machine; 2]) -> Self {
        Self {
            tables,
            hybrids: hybrids.map(Runs::new),
        }
    }

    /// Whether making or taking back the change alters what comes out, whatever the other table makes of it.
    pub(super) fn matters(&mut self, setup: &Setup, input: &str) -> bool {
        let differs = |trial: &mut Self, side: usize| {
            let table = trial.tables.runs[side].output(&setup.request(input))?;
            let hybrid = trial.hybrids[side].output(&setup.request(input))?;
            difference(&table, &hybrid, trial.tables.compared)
        };
        (0..2).any(|side| differs(self, side).is_some())
    }

    /// What the change does to an input on which the tables differ, and how good an example that is; `None` if it is not to
    /// blame for the difference.
    fn rank(&mut self, setup: &Setup, input: &str) -> Option<Rank> {
        let compared = self.tables.compared;
        let outputs = self.tables.outputs(setup, input)?;
        difference(&outputs[0], &outputs[1], compared)?;
        let [with, without] = &mut self.hybrids;
        let request = setup.request(input);
        let between = [with.output(&request)?, without.output(&request)?];
        let effect = blame(&outputs, &between, compared)?;
        let length = input.chars().count();
        let [one, other] = outputs.each_ref().map(|output| output.errors.len());
        let common = one.min(other);
        let given = [
            setup.content.is_some(),
            setup.last_start_tag.is_some(),
            setup.scripting == Some(false),
        ];
        let given = given.into_iter().filter(|it| *it).count();
        let more = [length + 1, 0][usize::from(self.tables.is_readable(setup, input))];
        Some(Rank {
            effect,
            effort: length + more + 2 * common + 4 * given,
            odd: input.chars().map(oddness).sum(),
            given: setup.clone(),
            input: input.to_owned(),
        })
    }

    /// Inputs that begin with this one and differ because of the change, the best first.
    fn with_ends(&mut self, setup: &Setup, input: &str) -> BTreeSet<Rank> {
        let texts = ENDS.iter().map(|end| format!("{input}{end}"));
        texts.filter_map(|text| self.rank(setup, &text)).collect()
    }

    /// The best input that begins with this one and differs because of the change, without the characters it does not need.
    pub(super) fn best(&mut self, setup: &Setup, input: &str) -> Option<Rank> {
        let mut best = self.with_ends(setup, input).into_iter().next()?;
        let (mut setup, mut characters) = (best.given.clone(), best.input.chars().collect());
        shrink(&mut setup, &mut characters, &mut |setup, text| {
            let rank = self.rank(setup, text);
            let better = rank.filter(|it| it.effect.kind == best.effect.kind && *it < best);
            let is_better = better.is_some();
            best = better.unwrap_or_else(|| best.clone());
            is_better
        });
        Some(self.polished(best, &|_| true))
    }

    /// The best input that begins with this one, goes through an arm, and differs because of the change.
    pub(super) fn through(
        &mut self,
        setup: &Setup,
        input: &str,
        (side, taken): (usize, TakenPath),
    ) -> Option<Rank> {
        let goes = |passed: &PassedArms| passed[side].iter().any(|it| it.taken == taken);
        let mut ranks = self.with_ends(setup, input).into_iter();
        let best = ranks.find(|it| goes(&self.tables.passed(&it.given, &it.input)))?;
        Some(self.polished(best, &goes))
    }

    /// An example that is as good and easier to read.
    fn polished(&mut self, mut best: Rank, keeps: &dyn Fn(&PassedArms) -> bool) -> Rank {
        while let Some(better) = variants(&best.input).into_iter().find_map(|text| {
            let rank = self.rank(&best.given, &text)?;
            let is_better = rank.effect.kind == best.effect.kind && rank < best;
            let keeps = is_better && keeps(&self.tables.passed(&rank.given, &rank.input));
            keeps.then_some(rank)
        }) {
            best = better;
        }
        best
    }
}

/// Texts that may be easier to read than this one: with plainer characters, or a blank more.
fn variants(text: &str) -> Vec<String> {
    let mut all = vec![text.to_ascii_lowercase()];
    for (at, c) in text.char_indices().skip(1) {
        let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
        let plainer = ["a", " "].into_iter().filter(|_| oddness(c) > 0);
        all.extend(plainer.map(|plain| format!("{before}{plain}{after}")));
        all.extend([" ", "a"].map(|more| format!("{before}{more}{c}{after}")));
    }
    all
}

fn oddness(c: char) -> usize {
    match c {
        'a' | ' ' | '<' | '>' => 0,
        'b'..='z' => 1,
        _ => 2,
    }
}

/// What a change does to an input on which the tables differ, from what both tables make of it, the first with the change,
/// and the second without; `None` if it is not to blame.
pub(super) fn blame(
    [one, other]: &[Output; 2],
    [with, without]: &[Output; 2],
    compared: ErrorComparison,
) -> Option<Effect> {
    let whole = difference(one, other, compared)?;
    let made = difference(one, with, compared);
    let taken_back = difference(without, other, compared);
    let is_all =
        difference(with, other, compared).is_none() || difference(one, without, compared).is_none();
    let kind = if is_all {
        Some(whole)
    } else {
        made.filter(|_| taken_back.is_some())
    };
    Some(Effect {
        kind: kind?,
        is_part: !is_all,
        needs_others: made.is_none(),
    })
}
