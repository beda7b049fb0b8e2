//! The arms with which two machines fall out of step on an input, for witnesses and for documents.

use speclex_codegen::machine::Machine;

use super::found::{Start, start_pair};
use super::matching::Matching;
use super::pair::{Arms, Kind, Pair, Product};
use super::replay::Setup;
use super::search::first_arms;
use super::show;

/// Where two machines fall out of step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    pub(super) arms: Arms,
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
    pub(super) fn fall(
        &self,
        matching: &Matching,
        setup: &Setup,
        input: impl Iterator<Item = char>,
        kind: Kind,
        from: u32,
    ) -> Option<Fall> {
        let mut pair = self.pair(setup)?;
        let are = |one: u32, other: u32| matching.correspond(one, other);
        let texts = input.map(|c| (Some(c), false));
        let mut last: Option<Fall> = None;
        // Where the arms under suspicion were taken.
        let mut suspected = None;
        let mut in_step = true;
        for (text, ended) in texts.chain([(None, true)]) {
            let [one, other] = &pair.sides;
            let before = one.place.min(other.place);
            let fed = self.feed(&mut pair, text.as_slice(), ended, setup.answer);
            let event = fed.events.iter().find(|event| event.kind == kind);
            let event = event.or_else(|| fed.events.first().filter(|_| kind == Kind::Positions));
            let shown = pair.input.len() as u32;
            let suspect = event.and_then(|event| event.suspect);
            // Before anything was asked, where it shows is all there is to say.
            let shows = (event.is_some() && shown < from).then(|| first_arms(&pair, &fed));
            if let Some(arms) = suspect.or(shows) {
                return Some(Fall {
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
            if self.key(&pair, &are).apart {
                in_step &= shown > from || from == 0;
                let arms = pair.suspect.unwrap_or_else(|| first_arms(&pair, &fed));
                pair.suspect = Some(arms);
                let place = *suspected.get_or_insert(before);
                last = Some(Fall {
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
    pub fn new(one: &'m Machine, other: &'m Machine) -> Self {
        Self {
            product: Product::for_documents(one, other),
            matching: Matching::new(one, other),
        }
    }

    /// The cause of the first difference of this kind in an input that is preprocessed already. Start tags
    /// get the answers of tree construction.
    pub fn find(
        &self,
        setup: &Setup,
        input: impl Iterator<Item = char> + Clone,
        kind: Kind,
    ) -> Option<Cause> {
        let fall = |from| (self.product).fall(&self.matching, setup, input.clone(), kind, from);
        let mut found = fall(u32::MAX)?;
        let shown = found.shown;
        let windows = WINDOWS.into_iter().chain([shown]);
        for window in windows.take_while(|&window| u64::from(window) * u64::from(shown) <= EFFORT) {
            found = fall(shown.saturating_sub(window))?;
            if found.in_step {
                break;
            }
        }
        let label = |side: usize, taken| show::arm(self.product.runners[side].machine, taken);
        Some(Cause {
            labels: [label(0, found.arms.0), label(1, found.arms.1)],
            place: found.place as usize,
            shown: found.shown as usize,
        })
    }
}
