//! From what the search met to witnesses: replayed, shrunk, and one for each pair of arms at fault; and the arms at
//! fault in whole documents.

use std::collections::{BTreeMap, HashMap};

use speclex_codegen::machine::{Feedback, Machine};

use super::matching::Matching;
use super::passage::{Passages, PassedArms};
use super::product::{ArmPair, Event, Kind, Pair, Product};
use super::replay::{Replay, Setup, difference, same_tokens, shrink};
use super::runner::steps::TakenPath;
use super::search::{
    Findings, Gap, Limits, Search, Start, Suspects, Trail, first_arms, start_pair,
};
use super::wording;
use crate::paths::ArmIndex;
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
    pub(super) arms: ArmPair,
    pub(super) passed: PassedArms,
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
    /// An input that one of the tables cannot run to its end: it goes round in circles.
    pub refused: Option<(Setup, String)>,
}

impl Searched {
    /// Whether nothing was left out: what was not found is not there.
    pub fn closed(&self) -> bool {
        self.unknown.is_empty() && self.unconfirmed == 0
    }
}

/// The arms that a search took on each side, with the first input that led there.
pub(super) type ReachedArms = HashMap<(usize, TakenPath), (Setup, String)>;

/// Where a search went.
pub(super) struct Explored {
    pub(super) reached: ReachedArms,
    pub(super) suspects: Suspects,
}

/// How an input may go on so that something comes out.
const ENDS: [&str; 14] = [
    "", ">", "a", ";", " ", "a>", "\">", "'>", "=>", "=\">", "='>", "-->", "<a>", "</a>",
];

/// What differs, and whether one side has nothing to show.
type Gravity = (Kind, bool);

/// The arms of a difference that is not in the states.
const NOWHERE: ArmPair = {
    let taken = TakenPath {
        state: u32::MAX,
        arm: ArmIndex::Steps,
        path: 0,
    };
    (taken, taken)
};

/// Both machines, made ready.
pub(super) struct WitnessFinder<'m> {
    product: Product<'m>,
    matching: &'m Matching,
    replay: Replay<'m>,
    passages: [Passages<'m>; 2],
    starts: Vec<Start>,
}

impl<'m> WitnessFinder<'m> {
    pub(super) fn new(one: &'m Machine, other: &'m Machine, matching: &'m Matching) -> Self {
        let product = Product::new(one, other);
        Self {
            starts: starts(one, other, &product),
            product,
            matching,
            replay: Replay::new([one, other]),
            passages: [one, other].map(Passages::new),
        }
    }

    /// Searches, and makes witnesses of what is found.
    pub(super) fn run(&mut self, limits: Limits) -> (Searched, Explored) {
        let are = |one: u32, other: u32| self.matching.correspond(one, other);
        let (starts, replay) = (&self.starts, &mut self.replay);
        let compared = replay.compared;
        let mut is_true = |trail: &Trail| {
            let text: String = trail.input.iter().collect();
            let outputs = setup(starts, trail).map(|setup| replay.outputs(&setup, &text));
            // What cannot be run is no less a reason to stop.
            outputs.is_some_and(|outputs| {
                outputs.is_none_or(|[one, other]| difference(&one, &other, compared).is_some())
            })
        };
        let search = Search::new(&self.product, starts, &are, limits);
        let found = search.run(&mut is_true);
        let mut searched = Searched {
            situations: found.situations,
            length: found.length,
            unknown: unknown(&found),
            ..Searched::default()
        };
        let mut best: BTreeMap<ArmPair, Witness> = BTreeMap::new();
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
            if !confirmed && searched.refused.is_none() {
                searched.refused = trails.iter().find_map(|trail| self.refused(trail));
            }
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
            let setup = setup(&self.starts, &trail)?;
            Some((taken, (setup, trail.input.into_iter().collect())))
        });
        let explored = Explored {
            reached: reached.collect(),
            suspects: found.suspects,
        };
        (searched, explored)
    }

    /// The input, if one of the tables cannot run it.
    fn refused(&mut self, trail: &Trail) -> Option<(Setup, String)> {
        let setup = setup(&self.starts, trail)?;
        let text: String = trail.input.iter().collect();
        let refused = self.replay.outputs(&setup, &text).is_none();
        refused.then_some((setup, text))
    }

    /// Runs an input, and drops what it does not need.
    fn confirm(&mut self, event: &Event, trail: &Trail) -> Option<Witness> {
        let mut setup = setup(&self.starts, trail)?;
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

    fn witness(
        &mut self,
        setup: Setup,
        input: String,
        kind: Kind,
        arms: ArmPair,
    ) -> Option<Witness> {
        let outputs = self.replay.outputs(&setup, &input)?;
        let passed = self.passed(&setup, &input);
        Some(Witness {
            setup,
            input,
            kind,
            outputs,
            labels: [
                wording::arm(self.product.runners[0].machine, arms.0),
                wording::arm(self.product.runners[1].machine, arms.1),
            ],
            arms,
            passed,
        })
    }

    /// An input on which both differ and go through certain arms, from one that only goes there.
    pub(super) fn through(
        &mut self,
        passes: &dyn Fn(&PassedArms) -> bool,
        (setup, input): &(Setup, String),
    ) -> Option<Witness> {
        let mut best: Option<(Gravity, Setup, String)> = None;
        // The last character may be one of many that lead to the same arms.
        let begun = input.char_indices().next_back().map_or(0, |(at, _)| at);
        let starts = [input.as_str(), &input[..begun]];
        for (start, end) in starts.iter().flat_map(|start| ENDS.map(|end| (start, end))) {
            let text = format!("{start}{end}");
            for setup in self.with_last_start_tags(setup, &text) {
                let gravity = self.gravity(&setup, &text);
                let graver = gravity.filter(|it| best.as_ref().is_none_or(|best| *it < best.0));
                if let Some(gravity) = graver.filter(|_| passes(&self.passed(&setup, &text))) {
                    best = Some((gravity, setup, text.clone()));
                }
            }
        }
        let (gravity, mut setup, text) = best?;
        let (kind, _) = gravity;
        let mut input: Vec<char> = text.chars().collect();
        shrink(&mut setup, &mut input, &mut |setup, text| {
            self.gravity(setup, text) == Some(gravity) && passes(&self.passed(setup, text))
        });
        let text: String = input.into_iter().collect();
        let arms = self.cause(&setup, &text, kind)?;
        self.witness(setup, text, kind, arms)
    }

    /// How grave a difference is.
    fn gravity(&mut self, setup: &Setup, text: &str) -> Option<Gravity> {
        let [one, other] = self.replay.outputs(setup, text)?;
        let kind = difference(&one, &other, self.replay.compared)?;
        // One that drops all shows less than two that make different things.
        Some((kind, one.tokens.is_empty() || other.tokens.is_empty()))
    }

    /// A start, and the same with each last start tag that has an end tag in the text.
    fn with_last_start_tags(&self, setup: &Setup, text: &str) -> Vec<Setup> {
        let same = self.starts.iter().filter(|s| s.content == setup.content);
        let names = same.filter_map(|start| start.last_start_tag.as_deref());
        let named = names.filter(|name| text.contains(&format!("</{name}")));
        let named = named.map(|name| Setup {
            last_start_tag: Some(name.to_owned()),
            ..setup.clone()
        });
        [setup.clone()].into_iter().chain(named).collect()
    }

    /// An input on which both differ as wanted, from one that only goes to certain arms.
    pub(super) fn showing(
        &mut self,
        wanted: &dyn Fn(&[Output; 2]) -> bool,
        (setup, input): &(Setup, String),
    ) -> Option<Witness> {
        let texts = ENDS.map(|end| format!("{input}{end}"));
        let shows = |finder: &mut Self, setup: &Setup, text: &str| {
            let outputs = finder.replay.outputs(setup, text);
            outputs.is_some_and(|outputs| wanted(&outputs))
        };
        let text = texts.into_iter().find(|text| shows(self, setup, text))?;
        let (mut setup, mut input) = (setup.clone(), text.chars().collect());
        shrink(&mut setup, &mut input, &mut |setup, text| {
            shows(self, setup, text)
        });
        let text: String = input.into_iter().collect();
        let kind = self.replay.difference(&setup, &text)?;
        let arms = self.cause(&setup, &text, kind).unwrap_or(NOWHERE);
        self.witness(setup, text, kind, arms)
    }

    /// An input in the initial state that is thought to show a difference.
    pub(super) fn plain(&mut self, input: &str) -> Option<Witness> {
        let mut setup = Setup::default();
        let wanted = self.replay.outputs(&setup, input)?;
        let compared = self.replay.compared;
        let kind = difference(&wanted[0], &wanted[1], compared)?;
        let mut input: Vec<char> = input.chars().collect();
        // What is left must still be about the same.
        shrink(&mut setup, &mut input, &mut |setup, text| {
            let outputs = self.replay.outputs(setup, text);
            outputs.is_some_and(|outputs| {
                difference(&outputs[0], &outputs[1], compared) == Some(kind)
                    && outputs.iter().zip(&wanted).all(|(a, b)| same_tokens(a, b))
            })
        });
        let text: String = input.into_iter().collect();
        let arms = self.cause(&setup, &text, kind).unwrap_or(NOWHERE);
        self.witness(setup, text, kind, arms)
    }

    /// The pair of arms with which two machines fall out of step before a difference of this kind.
    fn cause(&self, setup: &Setup, input: &str, kind: Kind) -> Option<ArmPair> {
        let fall = (self.product).divergence(self.matching, setup, input.chars(), kind, 0)?;
        Some(fall.arms)
    }

    /// The arms that each machine goes through in the interpreter; none if it cannot run the input.
    fn passed(&mut self, setup: &Setup, input: &str) -> PassedArms {
        let passages = self.passages.each_mut();
        passages.map(|side| side.of(setup, input).unwrap_or_default())
    }
}

/// What an input of the search starts with.
fn setup(starts: &[Start], trail: &Trail) -> Option<Setup> {
    let start = starts.get(usize::from(trail.start))?;
    Some(Setup {
        content: start.content.clone(),
        last_start_tag: start.last_start_tag.clone(),
        answer: trail.answer,
    })
}

/// All contents that both have, with and without a last start tag: its name may be of one letter or more, and
/// of any letters that are told apart.
fn starts(one: &Machine, other: &Machine, product: &Product<'_>) -> Vec<Start> {
    let mut starts = vec![Start {
        content: None,
        last_start_tag: None,
    }];
    let both = |content: &&String| one.entry(content).is_some() && other.entry(content).is_some();
    let mut names: Vec<Option<String>> = vec![None];
    if product.facts.iter().any(|facts| facts.start_tags) {
        let letters = &product.name_kinds().letters;
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

fn unknown(found: &Findings) -> Vec<Unknown> {
    let mut times: BTreeMap<Gap, usize> = BTreeMap::new();
    for ((gap, _), count) in &found.gaps {
        *times.entry(*gap).or_default() += count;
    }
    times
        .into_iter()
        .map(|(gap, times)| Unknown { gap, times })
        .collect()
}

/// Where two machines fall out of step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divergence {
    pub(super) arms: ArmPair,
    /// The place of the first character that the arms may have read.
    pub(super) place: u32,
    /// How many characters had to be read before it showed.
    pub(super) shown: u32,
    /// Whether they were in step where that was asked first.
    in_step: bool,
}

impl Product<'_> {
    /// The pair at the start that a setup asks for.
    pub(super) fn pair(&self, setup: &Setup) -> Option<Pair> {
        let start = Start {
            content: setup.content.clone(),
            last_start_tag: setup.last_start_tag.clone(),
        };
        let mut pair = start_pair(self, &start, 0)?;
        pair.answer = Some(setup.answer);
        Some(pair)
    }

    /// Where two machines fall out of step before a difference of this kind. Whether they are in step is asked
    /// from this place on, since asking takes time where strings are long.
    pub(super) fn divergence(
        &self,
        matching: &Matching,
        setup: &Setup,
        input: impl Iterator<Item = char>,
        kind: Kind,
        from: u32,
    ) -> Option<Divergence> {
        let mut pair = self.pair(setup)?;
        let are = |one: u32, other: u32| matching.correspond(one, other);
        let texts = input.map(|c| (Some(c), false));
        let mut last: Option<Divergence> = None;
        // Where the arms under suspicion were taken.
        let mut suspected = None;
        let mut in_step = true;
        for (text, ended) in texts.chain([(None, true)]) {
            let [one, other] = &pair.sides;
            let before = one.place.min(other.place);
            let fed = self.feed(&mut pair, text.as_slice(), ended, setup.answer, None);
            let event = fed.events.iter().find(|event| event.kind == kind);
            let event = event.or_else(|| fed.events.first().filter(|_| kind == Kind::Positions));
            let shown = pair.input.len() as u32;
            let suspect = event.and_then(|event| event.suspect);
            // Before anything was asked, where it shows is all there is to say.
            let shows = (event.is_some() && shown < from).then(|| first_arms(&pair, &fed));
            if let Some(arms) = suspect.or(shows) {
                return Some(Divergence {
                    arms: (arms.0.arm_only(), arms.1.arm_only()),
                    place: suspected.unwrap_or(before),
                    shown,
                    in_step,
                });
            }
            if fed.parted {
                break;
            }
            if shown < from {
                continue;
            }
            if self.key(&pair, &are).out_of_step {
                in_step &= shown > from || from == 0;
                let arms = pair.suspect.unwrap_or_else(|| first_arms(&pair, &fed));
                pair.suspect = Some(arms);
                let place = *suspected.get_or_insert(before);
                last = Some(Divergence {
                    arms,
                    place,
                    shown,
                    in_step,
                });
            } else {
                (pair.suspect, suspected) = (None, None);
            }
        }
        last
    }
}

/// How many characters before a difference shows it is asked whether the machines are in step: more if they
/// are not at the first of these.
const WINDOWS: [u32; 3] = [1 << 6, 1 << 9, 1 << 12];

/// How many characters are compared with that. A string may be as long as the input.
const EFFORT: u64 = 1 << 30;

/// Finds the arms at fault in documents.
#[derive(Debug)]
pub struct Causes<'m> {
    product: Product<'m>,
    matching: Matching,
}

/// The arms at fault in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The arms with which the two fall out of step, in the words of [`Witness::labels`].
    ///
    /// [`Witness::labels`]: super::Witness::labels
    pub labels: [String; 2],
    /// The place of the first character that the arms may have read: how many characters are before it.
    pub place: usize,
    /// How many characters had to be read before the difference showed.
    pub shown: usize,
}

impl<'m> Causes<'m> {
    /// Makes two machines ready to run side by side.
    pub fn new(one: &'m Machine, other: &'m Machine, feedback: Feedback) -> Self {
        Self {
            product: Product::for_documents(one, other, feedback),
            matching: Matching::new(one, other),
        }
    }

    /// The cause of the first difference of this kind in an input that is preprocessed already.
    pub fn find(
        &self,
        setup: &Setup,
        input: impl Iterator<Item = char> + Clone,
        kind: Kind,
    ) -> Option<Cause> {
        let fall =
            |from| (self.product).divergence(&self.matching, setup, input.clone(), kind, from);
        let mut found = fall(u32::MAX)?;
        let shown = found.shown;
        let windows = WINDOWS.into_iter().chain([shown]);
        for window in windows.take_while(|&window| u64::from(window) * u64::from(shown) <= EFFORT) {
            found = fall(shown.saturating_sub(window))?;
            if found.in_step {
                break;
            }
        }
        let label = |side: usize, taken| wording::arm(self.product.runners[side].machine, taken);
        Some(Cause {
            labels: [label(0, found.arms.0), label(1, found.arms.1)],
            place: found.place as usize,
            shown: found.shown as usize,
        })
    }
}
