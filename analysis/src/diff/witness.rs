//! From what the search met to witnesses: replayed, shrunk, and one for each pair of arms at fault.

use std::collections::{BTreeMap, HashMap};

use speclex_codegen::machine::Machine;

use super::found::{Found, Gap, Limits, Start, Trail, start_pair};
use super::matching::Matching;
use super::pair::{Arms, Event, Kind, Pair, Product};
use super::replay::{Replay, Setup, shrink};
use super::search::{Search, first_arms};
use super::show;
use super::steps::{ArmIndex, Taken};
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
    /// The arms with which the two fall out of step, in words.
    pub labels: [String; 2],
    pub(super) arms: Arms,
    /// The arms that each side went through.
    pub(super) passed: [Vec<Taken>; 2],
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
    /// One for each cause, the gravest and shortest first.
    pub witnesses: Vec<Witness>,
    /// Situations of the two machines side by side.
    pub situations: usize,
    /// All inputs up to this length were tried, but for what `unknown` says.
    pub length: usize,
    /// What was not followed to the end.
    pub unknown: Vec<Unknown>,
    /// Differences of the abstract machines that no run of the tables confirmed.
    pub unconfirmed: usize,
}

impl Searched {
    /// Whether nothing was left out: what was not found is not there.
    pub fn closed(&self) -> bool {
        self.unknown.is_empty() && self.unconfirmed == 0
    }
}

/// The arms that a search took on each side, with the first input that led there.
pub(super) type Reached = HashMap<(usize, Taken), (Setup, String)>;

/// The arms of a difference that is not in the states.
const NOWHERE: Arms = {
    let taken = Taken {
        state: u32::MAX,
        arm: ArmIndex::Steps,
        leaf: 0,
    };
    (taken, taken)
};

/// Both machines, made ready.
pub(super) struct Hunt<'m> {
    product: Product<'m>,
    matching: &'m Matching,
    replay: Replay<'m>,
    starts: Vec<Start>,
}

impl<'m> Hunt<'m> {
    pub(super) fn new(one: &'m Machine, other: &'m Machine, matching: &'m Matching) -> Self {
        let product = Product::new(one, other);
        Self {
            starts: starts(one, other, &product),
            product,
            matching,
            replay: Replay::new([one, other]),
        }
    }

    /// Searches, and makes witnesses of what is found.
    pub(super) fn run(&mut self, limits: Limits) -> (Searched, Reached) {
        let are = |one: u32, other: u32| self.matching.correspond(one, other);
        let found = Search::new(&self.product, &self.starts, &are, limits).run();
        let mut searched = Searched {
            situations: found.situations,
            length: found.length,
            unknown: unknown(&found),
            ..Searched::default()
        };
        let mut best: BTreeMap<Arms, Witness> = BTreeMap::new();
        for (event, trails) in &found.events {
            let mut confirmed = false;
            for trail in trails {
                let Some(witness) = self.confirm(event, trail) else {
                    continue;
                };
                confirmed = true;
                let rank = |witness: &Witness| {
                    let setup = &witness.setup;
                    let given =
                        setup.content.is_some() as u8 + setup.last_start_tag.is_some() as u8;
                    (witness.kind, witness.input.chars().count(), given)
                };
                let known = best.get(&witness.arms);
                if known.is_none_or(|known| rank(&witness) < rank(known)) {
                    best.insert(witness.arms, witness);
                }
            }
            searched.unconfirmed += usize::from(!confirmed);
        }
        searched.witnesses = best.into_values().collect();
        searched.witnesses.sort_by_key(|witness| {
            (
                witness.kind,
                witness.input.chars().count(),
                witness.setup.clone(),
                witness.input.clone(),
            )
        });
        let reached = found.taken.into_iter();
        let reached = reached.filter_map(|(taken, trail)| {
            let setup = self.setup(&trail)?;
            Some((taken, (setup, trail.input.into_iter().collect())))
        });
        (searched, reached.collect())
    }

    fn setup(&self, trail: &Trail) -> Option<Setup> {
        let start = self.starts.get(usize::from(trail.start))?;
        Some(Setup {
            content: start.content.clone(),
            last_start_tag: start.last_start_tag.clone(),
            answer: trail.answer,
        })
    }

    /// Runs an input, and drops what it does not need.
    fn confirm(&mut self, event: &Event, trail: &Trail) -> Option<Witness> {
        let mut setup = self.setup(trail)?;
        let mut input = trail.input.clone();
        let text: String = input.iter().collect();
        let kind = self.replay.difference(&setup, &text)?;
        let cause = self.cause(&setup, &text, kind);
        let arms = cause.or_else(|| event.suspect.map(|(a, b)| (a.arm_only(), b.arm_only())))?;
        shrink(&mut setup, &mut input, &mut |setup, text| {
            self.replay.difference(setup, text) == Some(kind)
                && (cause.is_none() || self.cause(setup, text, kind) == cause)
        });
        self.witness(setup, input.into_iter().collect(), kind, arms)
    }

    fn witness(&mut self, setup: Setup, input: String, kind: Kind, arms: Arms) -> Option<Witness> {
        let outputs = self.replay.outputs(&setup, &input)?;
        let passed = self.passed(&setup, &input);
        Some(Witness {
            setup,
            input,
            kind,
            outputs,
            labels: [
                show::arm(self.product.runners[0].machine, arms.0),
                show::arm(self.product.runners[1].machine, arms.1),
            ],
            arms,
            passed,
        })
    }

    /// An input on which both differ and one side goes through an arm, from one that only goes there.
    pub(super) fn through(
        &mut self,
        side: usize,
        taken: &dyn Fn(&Taken) -> bool,
        (setup, input): &(Setup, String),
    ) -> Option<Witness> {
        const ENDS: [&str; 10] = ["", ">", "a", ";", " ", "a>", "\">", "'>", "-->", "<a>"];
        let tried = ENDS.iter().find_map(|end| {
            let text = format!("{input}{end}");
            let kind = self.replay.difference(setup, &text)?;
            Some((text, kind))
        });
        let (text, kind) = tried?;
        let (mut setup, mut input) = (setup.clone(), text.chars().collect::<Vec<_>>());
        shrink(&mut setup, &mut input, &mut |setup, text| {
            self.replay.difference(setup, text) == Some(kind)
                && self.passed(setup, text)[side].iter().any(taken)
        });
        let text: String = input.into_iter().collect();
        let arms = self.cause(&setup, &text, kind)?;
        self.witness(setup, text, kind, arms)
    }

    /// An input in the initial state that is thought to show a difference.
    pub(super) fn plain(&mut self, input: &str) -> Option<Witness> {
        let mut setup = Setup::default();
        let kind = self.replay.difference(&setup, input)?;
        let mut input: Vec<char> = input.chars().collect();
        shrink(&mut setup, &mut input, &mut |setup, text| {
            self.replay.difference(setup, text) == Some(kind)
        });
        let text: String = input.into_iter().collect();
        let arms = self.cause(&setup, &text, kind).unwrap_or(NOWHERE);
        self.witness(setup, text, kind, arms)
    }

    fn pair(&self, setup: &Setup) -> Option<Pair> {
        let start = Start {
            content: setup.content.clone(),
            last_start_tag: setup.last_start_tag.clone(),
        };
        let mut pair = start_pair(&self.product, &start, 0)?;
        pair.answer = Some(setup.answer);
        Some(pair)
    }

    /// The pair of arms with which two machines fall out of step before a difference of this kind.
    fn cause(&self, setup: &Setup, input: &str, kind: Kind) -> Option<Arms> {
        let mut pair = self.pair(setup)?;
        let are = |one: u32, other: u32| self.matching.correspond(one, other);
        let texts = input.chars().map(|c| (vec![c], false));
        let mut last = None;
        for (text, ended) in texts.chain([(Vec::new(), true)]) {
            let fed = self.product.feed(&mut pair, &text, ended, setup.answer);
            let event = fed.events.iter().find(|event| event.kind == kind);
            let event = event.or_else(|| fed.events.first().filter(|_| kind == Kind::Positions));
            if let Some(arms) = event.and_then(|event| event.suspect) {
                return Some((arms.0.arm_only(), arms.1.arm_only()));
            }
            if fed.parted {
                return last;
            }
            if self.product.key(&pair, &are).apart {
                pair.suspect = pair.suspect.or(Some(first_arms(&pair, &fed)));
                last = pair.suspect;
            } else {
                pair.suspect = None;
            }
        }
        last
    }

    /// The arms that each machine goes through.
    fn passed(&self, setup: &Setup, input: &str) -> [Vec<Taken>; 2] {
        let mut passed: [Vec<Taken>; 2] = Default::default();
        let Some(mut pair) = self.pair(setup) else {
            return passed;
        };
        let texts = input.chars().map(|c| (vec![c], false));
        for (text, ended) in texts.chain([(Vec::new(), true)]) {
            let fed = self.product.feed(&mut pair, &text, ended, setup.answer);
            for (passed, steps) in passed.iter_mut().zip(&fed.steps) {
                passed.extend(steps.iter().map(|step| step.taken.arm_only()));
            }
        }
        passed.iter_mut().for_each(|passed| {
            passed.sort_unstable();
            passed.dedup();
        });
        passed
    }
}

/// All contents that both have, with and without a last start tag: its name may be of one letter or more, and
/// of any letters that are told apart.
fn starts(one: &Machine, other: &Machine, product: &Product<'_>) -> Vec<Start> {
    let mut starts = vec![Start {
        content: None,
        last_start_tag: None,
    }];
    let both = |content: &&String| {
        let has = |machine: &Machine| {
            let mut entries = machine.entries.iter();
            entries.any(|e| machine.vocabulary.contents.get(e.content as usize) == Some(*content))
        };
        has(one) && has(other)
    };
    let mut names: Vec<Option<String>> = vec![None];
    if product.facts.iter().any(|facts| facts.start_tags) {
        let letters = &product.name_kinds.letters;
        let firsts = letters.iter().filter(|c| c.is_ascii_alphabetic());
        names.extend(firsts.map(|c| Some(c.to_string())));
        names.extend(letters.iter().map(|c| Some(format!("a{c}"))));
    }
    for content in one.vocabulary.contents.iter().filter(both) {
        starts.extend(names.iter().map(|name| Start {
            content: Some(content.clone()),
            last_start_tag: name.clone(),
        }));
    }
    starts
}

fn unknown(found: &Found) -> Vec<Unknown> {
    let mut times: BTreeMap<Gap, usize> = BTreeMap::new();
    for ((gap, _), count) in &found.gaps {
        *times.entry(*gap).or_default() += count;
    }
    times
        .into_iter()
        .map(|(gap, times)| Unknown { gap, times })
        .collect()
}
