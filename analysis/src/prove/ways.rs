//! One move of both machines: all ways that lead from a pair of points to the next one.

use speclex_codegen::machine::{Entry, Machine, RegisterType};

use super::known::{Assumed, Known};
use super::output::joined;
use super::places::Sort;
use super::relation::{Held, Relation};
use super::run::{Refusal, Run};
use super::set::{self, ANY_INPUT, END, Set};
use super::side::{Common, Side};
use super::term::Term;
use super::values::Values;
use crate::error_comparison::ErrorComparison;

/// More ways than this from one pair of points are not followed.
const WAYS: usize = 30_000;

/// The most items that one side may read while the other waits.
const AHEAD: i32 = 24;

/// A pair of points: where both machines wait for the same item.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) states: [u32; 2],
    /// The values of the registers with few values, where they are known.
    few: [Vec<u32>; 2],
    /// What is known of the characters that were looked at but not read.
    pub(super) ahead: Vec<Set>,
}

impl Pair {
    /// Two states, with nothing known.
    pub(super) fn of_states(states: [u32; 2]) -> Self {
        Self {
            states,
            few: Default::default(),
            ahead: Vec::new(),
        }
    }
}

/// Where a way ends.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) pair: Pair,
    pub(super) relation: Relation,
}

/// What both sides hold where a way ends.
struct Reached {
    states: [u32; 2],
    stores: [Vec<Term>; 2],
    is_behind: [bool; 2],
    texts: Vec<Option<Values>>,
    ahead: Vec<Set>,
}

/// Why a pair of points is not proven, and for which items of the input.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    pub(super) items: String,
    pub(super) what: String,
}

/// Two machines, side by side.
#[derive(Debug)]
pub(super) struct Both<'m> {
    pub(super) common: Common,
    pub(super) sides: [Side<'m>; 2],
}

impl<'m> Both<'m> {
    /// Two machines, with what they have in common.
    pub(super) fn of(machines: [&'m Machine; 2], compared: ErrorComparison) -> Self {
        let common = Common::of(machines, compared);
        let sides = machines.map(|machine| Side::new(machine, &common));
        Self { common, sides }
    }

    /// Before any input: the first entry, and all that the outside may switch to.
    pub(super) fn starts(&self) -> Vec<End> {
        let mut states = [0; 2];
        let stores = [0, 1].map(|at| {
            let side = &self.sides[at];
            let mut store = side.places.initial(side.machine, &side.kinds);
            // The name may be set from outside.
            let places = &side.places;
            for place in [places.last_start_tag, places.has_last_start_tag] {
                store[place] = store[place].clone().outside();
            }
            if let Some(entry) = side.machine.entries.first() {
                Run::enter(&mut store, entry);
                states[at] = entry.state.0;
            }
            store
        });
        let start = Reached {
            states,
            texts: self.values(&Known::default(), stores.each_ref()),
            stores,
            is_behind: [true; 2],
            ahead: Vec::new(),
        };
        let mut all = vec![self.end(&start)];
        self.switch(start, &mut all);
        all
    }

    /// All ways from a pair of points.
    ///
    /// # Errors
    /// The first way of which it is not shown that both sides do the same.
    pub(super) fn from(&self, pair: &Pair, relation: &Relation) -> Result<Vec<End>, Obstacle> {
        let (stores, assumed) = self.start(relation);
        let mut known = Known::of(assumed);
        let mut ends = Vec::new();
        for _ in 0..WAYS {
            for (at, set) in (0..).zip(&pair.ahead) {
                known.sets.insert(Term::Character(at), set.clone());
            }
            let reached = self.way(pair, stores.clone(), relation.is_behind, &mut known);
            let reached = reached.map_err(|what| Obstacle {
                items: known.described(),
                what,
            })?;
            if let Some((reached, is_cut)) = reached {
                ends.push(self.end(&reached));
                if is_cut {
                    self.switch(reached, &mut ends);
                }
            }
            if !known.begin_next() {
                return Ok(ends);
            }
        }
        Err(Obstacle {
            items: String::new(),
            what: "too many questions are open at once".to_owned(),
        })
    }

    /// The outside switches to contents, one after another.
    fn switch(&self, mut reached: Reached, ends: &mut Vec<End>) {
        reached.ahead = Vec::new();
        // What both may hold by then, and which states were entered with it.
        let mut held = vec![reached.stores.clone()];
        let mut entered = Vec::new();
        let mut next = 0;
        while let Some(before) = held.get(next).cloned() {
            next += 1;
            for content in 0..self.common.contents.len() {
                let entries = self.sides.each_ref().map(|side| side.entries[content]);
                let [Some(one), Some(other)]: [Option<&Entry>; 2] = entries else {
                    continue;
                };
                let mut stores = before.clone();
                for (store, entry) in stores.iter_mut().zip([one, other]) {
                    Run::enter(store, entry);
                }
                let known = held.iter().position(|known| *known == stores);
                let index = known.unwrap_or(held.len());
                if known.is_none() {
                    held.push(stores.clone());
                }
                let states = [one.state.0, other.state.0];
                if !entered.contains(&(states, index)) {
                    entered.push((states, index));
                    reached.states = states;
                    reached.stores = stores;
                    ends.push(self.end(&reached));
                }
            }
        }
    }

    fn end(&self, reached: &Reached) -> End {
        let few = [0, 1].map(|side| {
            let registers = &self.sides[side].machine.registers;
            let registers = registers.iter().zip(&reached.stores[side]);
            let few = registers.filter_map(|(register, term)| match (&register.ty, term) {
                (RegisterType::State | RegisterType::Finite(_), Term::Number(value)) => {
                    Some(*value)
                }
                _ => None,
            });
            few.collect()
        });
        let terms = reached.stores.iter().flatten();
        End {
            pair: Pair {
                states: reached.states,
                few,
                ahead: reached.ahead.clone(),
            },
            relation: Relation::of(terms, reached.is_behind, reached.texts.clone()),
        }
    }

    /// All places with what sort they are of: those of one side, then those of the other.
    fn sorts(&self) -> impl Iterator<Item = &Sort> {
        self.sides.iter().flat_map(|side| &side.places.sorts)
    }

    /// What both hold at the start of each way, and what is known of it.
    fn start(&self, relation: &Relation) -> ([Vec<Term>; 2], Assumed) {
        let mut assumed = Assumed::default();
        let mut texts = relation.texts.iter();
        let mut terms = self.sorts().zip(&relation.held).map(|(sort, held)| {
            let values = if sort.is_compared() {
                texts.next()
            } else {
                None
            };
            match (held, sort, values.and_then(Option::as_ref)) {
                (Held::Class(class), Sort::Number(all), _) => {
                    let now = assumed.sets.entry(*class);
                    now.and_modify(|now| *now = set::intersection(now, all))
                        .or_insert_with(|| all.clone());
                }
                (Held::Class(class), Sort::Text { .. }, Some(values)) => {
                    let texts = assumed.texts.entry(*class);
                    texts.or_insert_with(|| values.clone());
                }
                _ => {}
            }
            held.term(sort)
        });
        let stores = self.sides.each_ref().map(|side| {
            let own = terms.by_ref().take(side.places.sorts.len());
            own.collect()
        });
        drop(terms);
        (stores, assumed)
    }

    /// What is known of the texts that are compared with words.
    fn values(&self, known: &Known, stores: [&Vec<Term>; 2]) -> Vec<Option<Values>> {
        let places = self.sorts().zip(stores.into_iter().flatten());
        let compared = places.filter(|(sort, _)| sort.is_compared());
        let values = compared.map(|(_, term)| {
            let normal = known.normal(term);
            self.common.words.values(known, &normal)
        });
        values.collect()
    }

    /// One way: both run until they wait for the same item. Nothing if the input has ended, otherwise what they hold, and
    /// whether the sink was asked.
    fn way(
        &self,
        pair: &Pair,
        stores: [Vec<Term>; 2],
        was_behind: [bool; 2],
        known: &mut Known,
    ) -> Result<Option<(Reached, bool)>, Refusal> {
        let mut at = 0..;
        let mut runs = stores.map(|store| {
            let at = at.next().unwrap_or(0);
            let (side, is_behind) = (&self.sides[at], was_behind[at]);
            Run::new(side, &self.common, pair.states[at], store, is_behind)
        });
        let began = runs
            .each_ref()
            .map(|run| run.store[run.side.places.emitted].clone());
        let mut target = 1;
        loop {
            for run in &mut runs {
                run.advance(known, target)?;
                if !run.is_over() {
                    target = target.max(run.at);
                }
            }
            if runs.iter().all(|run| run.is_over() || run.at == target) {
                break;
            }
            if target > AHEAD {
                return Err("one side reads on where the other waits".to_owned());
            }
        }
        let [one, other] = &runs;
        if one.is_finished != other.is_finished {
            return Err("one side ends where the other reads on".to_owned());
        }
        if joined(&one.outs, known) != joined(&other.outs, known) {
            return Err("the two may emit different tokens or texts".to_owned());
        }
        let errors = runs.each_ref().map(|run| {
            let mut all = run.errors.clone();
            all.sort();
            all
        });
        if errors[0] != errors[1] {
            return Err("the two may report different errors".to_owned());
        }
        let places = runs.each_ref().map(|run| known.normal(&run.here()));
        if places[0] != places[1] {
            return Err("the two may go on at different places".to_owned());
        }
        if one.is_finished {
            // Errors of the input stream are reported up to where each has read.
            let is_end = places[0] == Term::Before(one.at)
                && known.only(&Term::Character(one.at)) == Some(END);
            let read = |run: &Run<'_, '_>| known.normal(&run.store[run.side.places.delivered]);
            return match is_end || read(one) == read(other) {
                true => Ok(None),
                false => Err("the two may end at different places".to_owned()),
            };
        }
        if one.is_cut != other.is_cut {
            return Err("a sink answers one side where the other reads on".to_owned());
        }
        let here = match &places[0] {
            Term::Before(at) => Some(*at),
            _ => None,
        };
        let stores = runs.each_ref().map(|run| {
            let store = run
                .store
                .iter()
                .map(|term| match (known.normal(term), here) {
                    (Term::Before(at), Some(here)) if at <= here => Term::Before(at - here),
                    // How far that is ahead is not known: what was one name may be read letter by letter.
                    (Term::Before(at), _) => Term::Before(at).outside(),
                    (term, _) => term,
                });
            store.collect::<Vec<Term>>()
        });
        let is_behind = [0, 1].map(|side| {
            let emitted = self.sides[side].places.emitted;
            match &stores[side][emitted] {
                Term::Before(at) => *at <= 0,
                // What was behind stays there where the position does not go back.
                Term::Held(_) => {
                    was_behind[side]
                        && here.is_some_and(|here| here >= 0)
                        && runs[side].store[emitted] == began[side]
                }
                _ => false,
            }
        });
        let reached = Reached {
            states: runs.each_ref().map(|run| run.state.0),
            texts: self.values(known, runs.each_ref().map(|run| &run.store)),
            stores,
            is_behind,
            ahead: ahead(one, known),
        };
        Ok(Some((reached, one.is_cut)))
    }
}

/// What is known of the characters that were looked at but not read.
fn ahead(run: &Run<'_, '_>, known: &Known) -> Vec<Set> {
    if run.is_cut || run.back.is_some() {
        return Vec::new();
    }
    let characters = (run.at..).map_while(|at| {
        let set = known.sets.get(&Term::Character(at))?;
        let is_known = !known.names.contains(&at) && *set != ANY_INPUT;
        is_known.then(|| set.clone())
    });
    characters.collect()
}
