//! Looks for short documents from which two tables build different trees, call different host steps, or report different errors.
//!
//! For each change: documents that come to where it is, any other token, then a token of the change. Where the tables are in different
//! situations after it (a flag, a pointer, the stack), all tokens are tried that may show it. Last, documents are made at random of what
//! the change is about: its tokens, the elements that it names, and the tokens of what else speaks of the same flags, scopes and sets.
//! Those that come to steps of the change that no other has run, and those after which the tables are in different situations, are
//! the basis of further ones.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use speclex_codegen::tree::TreeMachine;

use super::aim::Aim;
use super::changes::Change;
use super::hybrid::hybrid;
use super::pieces::{self, Pieces};
use super::sides::{Load, Side};
use super::ways::{Ways, place_at_end};
use super::witness::{CONTEXTS, MORE_CONTEXTS, Outcome, Setting, Witness};
use crate::tree::{Parsed, Parser, Passed, Refusal};

/// How many bytes of a document count as another one.
const LONG: usize = 80;
/// How many documents are parsed for one change.
const PATIENCE: usize = 16_000;
/// How many more for each further change.
const MORE: usize = 3_000;
/// How many documents are parsed to make one shorter.
const SHORTENING: usize = 400;
/// How many documents after which the tables are in different situations are continued for one change and setting.
const MOST_SITUATIONS: usize = 60;
/// How many of the tokens that a change is about are put before its own.
const NEAREST: usize = 24;
/// How many of its own tokens are put after these.
const FEW: usize = 4;
/// How many tokens of a change are tried alone.
const OWN: usize = 24;
/// How many documents that come to it are continued with any token.
const STARTS: usize = 4;
/// How many pieces documents have at most, of which further ones are made at random.
const LONGEST: usize = 12;
/// How often a random piece comes in turn: some rules count elements up to three or eight, and compare them.
const TIMES: [usize; 10] = [1, 1, 1, 1, 1, 1, 2, 3, 4, 9];
/// How many pieces a document has at most that is made of few different ones.
const CROWD: usize = 24;
/// What a template that patches content looks for, and such a template.
const PATCH: [&str; 2] = ["<div><?marker name=\"a\"?>", "<template for=\"a\">"];

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of changes.
    pub changes: usize,
    /// For how many of them there is a document.
    pub found: usize,
    /// How many documents have been parsed.
    pub documents: usize,
    /// How many are parsed at most.
    pub most: usize,
}

/// Searches a document for each change: a short one, those first that show in the tree of a document without scripts.
pub fn search(
    sides: [Side<'_>; 2],
    changes: &[Change],
    load: Load<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Vec<Option<Witness>> {
    let most = PATIENCE + changes.len().saturating_sub(1) * MORE;
    let mut ways = sides.map(|side| Ways::new(side.tree));
    let parsers = sides.map(|side| Parser::new(side.tokenizer, side.tree));
    search_from(sides, changes, load, (parsers, &mut ways), most, progress)
}

/// The same, with parsers and ways that were made before. At most `most` documents are parsed.
pub(crate) fn search_from<'m>(
    sides: [Side<'m>; 2],
    changes: &[Change],
    load: Load<'_>,
    (parsers, ways): ([Parser<'m>; 2], &mut [Ways; 2]),
    most: usize,
    progress: &mut dyn FnMut(Progress),
) -> Vec<Option<Witness>> {
    let hybrids: Vec<_> = changes.iter().map(|_| Default::default()).collect();
    let mut all = sides.map(|side| pieces::of_table(side.tree)).concat();
    pieces::without_doubles(&mut all);
    let mut search = Search {
        sides,
        parsers,
        ways,
        changes,
        load,
        is_only_change: changes.len() == 1 && sides[0].tree.tokenizer == sides[1].tree.tokenizer,
        hybrids: &hybrids,
        tried: HashSet::new(),
        passed: HashSet::new(),
        ran: HashSet::new(),
        found: vec![None; changes.len()],
        runs: 0,
    };
    let contexts = search.contexts();
    let aims = changes.iter().map(|change| {
        let contexts = contexts.iter().filter(|(_, place)| *place == change.place);
        let contexts: Vec<_> = contexts.map(|(context, _)| *context).collect();
        Aim {
            starts: search.starts(change),
            ..Aim::at(change, sides, &all, &contexts)
        }
    });
    let aims: Vec<Aim<'_>> = aims.collect();
    for end in [most / 2, most] {
        let is_open = |&number: &usize| {
            let change = &changes[number];
            !change.is_alike && !change.shows_elsewhere() && !search.shows(number)
        };
        let open = (0..changes.len()).filter(is_open);
        let open: Vec<usize> = open.collect();
        for (done, &number) in open.iter().enumerate() {
            progress(Progress {
                changes: changes.len(),
                found: search.found.iter().flatten().count(),
                documents: search.runs,
                most,
            });
            // What others did not need is shared.
            let share = end.saturating_sub(search.runs) / (open.len() - done);
            let limit = search.runs + share;
            match end == most {
                false => search.directly(number, &aims[number], &all, limit),
                true => search.at_random(number, &aims[number], &all, limit),
            }
        }
    }
    (0..changes.len()).for_each(|number| search.shorten(number, &aims[number]));
    search.found
}

struct Search<'s, 'm> {
    sides: [Side<'m>; 2],
    parsers: [Parser<'m>; 2],
    ways: &'s mut [Ways; 2],
    changes: &'s [Change],
    load: Load<'s>,
    /// Whether both tables do the same until they come across the only change.
    is_only_change: bool,
    /// For each change, once it was needed: each side with only this change of the other one, if such a table can be made.
    hybrids: &'m [[OnceCell<Option<TreeMachine>>; 2]],
    /// Hashes of the documents that have been parsed, each with its change and setting.
    tried: HashSet<u64>,
    /// What has been passed, for each change and side.
    passed: HashSet<(usize, usize, Passed)>,
    /// For each change, hashes of all that one document has passed.
    ran: HashSet<(usize, u64)>,
    found: Vec<Option<Witness>>,
    runs: usize,
}

/// What came of a document.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Steps of the change have run that no document before has run.
    is_new: bool,
    /// The tables are in different situations at the end.
    apart: Option<Apart>,
}

/// The situations at the end, by names alone and with places.
#[derive(Clone, Copy, Debug)]
struct Apart {
    names: [u64; 2],
    places: [u64; 2],
}

impl Search<'_, '_> {
    /// What is reached at once, and what follows from it.
    fn directly(&mut self, number: usize, aim: &Aim<'_>, all: &[String], limit: usize) {
        // What runs a procedure has run it.
        let nothing = [String::new()];
        let own = match aim.own.is_empty() {
            true => &nothing[..],
            false => &aim.own,
        };
        let fragment = [Pieces::new()];
        let nearest = &aim.about[..aim.about.len().min(NEAREST)];
        let plain = (&Setting::PLAIN, all, STARTS);
        let settings = aim.settings.iter().map(|it| (it, nearest, usize::MAX));
        for (setting, between, starts) in settings.chain([plain]) {
            let starts: &[Pieces] = match setting.context {
                None => &aim.starts[..aim.starts.len().min(starts)],
                Some(_) => &fragment,
            };
            let mut apart = Queue::default();
            let alone = starts.iter().flat_map(|start| {
                let own = own.iter().take(OWN);
                own.flat_map(|own| {
                    ["", "x"].map(|more| [&start[..], &[own.clone(), more.to_owned()]].concat())
                })
            });
            let after = between.iter().flat_map(|piece| {
                let own = move |start: &Pieces| {
                    let start = [&start[..], std::slice::from_ref(piece)].concat();
                    let own = own.iter().take(FEW);
                    own.map(|own| [&start[..], std::slice::from_ref(own)].concat())
                        .collect::<Vec<_>>()
                };
                starts.iter().flat_map(own)
            });
            for document in alone.chain(after) {
                if self.runs >= limit {
                    return;
                }
                if let Some(situations) = self.consider(number, &document, *setting).apart
                    && apart.is_new(situations)
                    && self.is_apart_by_itself(number, &document, *setting, situations)
                {
                    apart.documents.push_back(document);
                }
                if self.shows(number) {
                    return;
                }
            }
            self.follow(number, apart, *setting, [&aim.about, all], limit);
            if self.shows(number) {
                return;
            }
        }
    }

    /// Continues where the tables are in different situations.
    fn follow(
        &mut self,
        number: usize,
        mut apart: Queue,
        setting: Setting<'_>,
        pieces: [&[String]; 2],
        limit: usize,
    ) {
        for _ in 0..MOST_SITUATIONS {
            let Some(document) = apart.documents.pop_front() else {
                return;
            };
            for piece in pieces.into_iter().flatten() {
                if self.runs >= limit || self.shows(number) {
                    return;
                }
                let mut longer = [&document[..], std::slice::from_ref(piece)].concat();
                let seen = self.consider(number, &longer, setting);
                if seen.apart.is_some_and(|it| apart.is_new(it)) {
                    longer.push("x".to_owned());
                    self.consider(number, &longer, setting);
                    longer.pop();
                    apart.documents.push_back(longer);
                }
            }
        }
    }

    /// Documents of pieces that the change is about, before the way to it, between its pieces and after it.
    fn at_random(&mut self, number: usize, aim: &Aim<'_>, all: &[String], limit: usize) {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut known = Queue::default();
        // What further documents are made of.
        let mut basis: Vec<(Pieces, Setting<'_>)> = Vec::new();
        let piece = |random: &mut Random| match (random.below(8), &aim.about[..]) {
            (0, _) => "x".to_owned(),
            (1 | 2, _) | (_, []) => random.one(all).clone(),
            // The first ones are nearest to the change.
            (_, about) => {
                let most = 1 + random.below(about.len());
                let times = *random.one(&TIMES);
                random.one(&about[..most]).repeat(times)
            }
        };
        // Some have been tried before.
        for _ in 0..2 * limit.saturating_sub(self.runs) {
            if self.runs >= limit || self.shows(number) {
                return;
            }
            let is_based = !basis.is_empty() && random.below(2) == 0;
            let (mut document, setting) = match is_based {
                true => random.one(&basis).clone(),
                false => {
                    let setting = match random.below(3) {
                        0 => *random.one(&aim.settings),
                        _ => Setting::PLAIN,
                    };
                    match (random.below(4), setting.context) {
                        (1.., None) => (random.one(&aim.starts).clone(), setting),
                        _ => (Pieces::new(), setting),
                    }
                }
            };
            if !is_based && random.below(4) == 0 {
                // Of few pieces, so that they meet.
                let few = (0..2 + random.below(4)).map(|_| piece(&mut random));
                let few: Pieces = few.chain(aim.own.first().cloned()).collect();
                let length = random.below(CROWD);
                document.extend((0..length).map(|_| random.one(&few).clone()));
            }
            for _ in 0..random.below(4) {
                let at = random.below(document.len() + 1);
                document.insert(at, piece(&mut random));
            }
            if !aim.own.is_empty() && !is_based {
                // The first ones are nearest to the change.
                let most = 1 + random.below(aim.own.len());
                document.push(random.one(&aim.own[..most]).clone());
            }
            for _ in 0..random.below(4) {
                document.push(piece(&mut random));
            }
            let seen = self.consider(number, &document, setting);
            let is_apart = seen.apart.is_some_and(|it| {
                known.is_new(it) && self.is_apart_by_itself(number, &document, setting, it)
            });
            if (seen.is_new || is_apart) && document.len() <= LONGEST {
                basis.push((document, setting));
            }
        }
    }

    /// Takes pieces from the document that was found, as long as it shows the change: first many at once.
    fn shorten(&mut self, number: usize, aim: &Aim<'_>) {
        let limit = self.runs + SHORTENING;
        let mut size = usize::MAX;
        // `consider` keeps what is better.
        while let Some(witness) = &self.found[number] {
            let before = witness.input.clone();
            let pieces = pieces::split(&before);
            let settings = [Setting::PLAIN, witness.setting(&aim.settings)];
            size = size.min(pieces.len() / 2).max(1);
            self.consider(number, &pieces, Setting::PLAIN);
            for end in (1..=pieces.len()).rev().step_by(size) {
                let shorter = [&pieces[..end.saturating_sub(size)], &pieces[end..]].concat();
                for setting in settings {
                    if self.runs >= limit {
                        return;
                    }
                    self.consider(number, &shorter, setting);
                }
            }
            let found = self.found[number].as_ref();
            if found.is_some_and(|it| it.input == before) {
                if size == 1 {
                    return;
                }
                size /= 2;
            }
        }
    }

    /// Runs both tables; keeps the document if it shows the change better than what was found before.
    fn consider(&mut self, number: usize, document: &[String], setting: Setting<'_>) -> Seen {
        let input = document.concat();
        let change = &self.changes[number];
        let mut hash = DefaultHasher::new();
        (number, &input, setting).hash(&mut hash);
        if !change.has_mark(&input) || !self.tried.insert(hash.finish()) {
            return Seen::default();
        }
        let environment = setting.environment();
        self.runs += 1 + input.len() / LONG;
        let one = self.parsers[0].parse(&input, &environment);
        // As long as nothing runs that may differ, both do the same.
        let is_across = comes_across(change, 0, &one);
        if !is_across && self.is_only_change && change.is_decided_by_the_first() {
            return Seen::default();
        }
        let other = self.parsers[1].parse(&input, &environment);
        if !is_across && !comes_across(change, 1, &other) || one.is_err() && other.is_err() {
            return Seen::default();
        }
        let parsed = [one, other];
        let seen = Seen {
            is_new: self.is_new(number, &parsed),
            apart: match &parsed {
                [Ok(one), Ok(other)] if one.situation[1] != other.situation[1] => {
                    let [names, places] = [0, 1].map(|it| [one.situation[it], other.situation[it]]);
                    Some(Apart { names, places })
                }
                _ => None,
            },
        };
        let outcomes = [0, 1].map(|it| Outcome::of(self.sides[it].tree, &parsed[it], &input));
        if outcomes[0] == outcomes[1] {
            return seen;
        }
        let mut witness = Witness {
            input,
            context: setting.context.map(str::to_owned),
            scripting: setting.scripting,
            has_shadow_roots: setting.has_shadow_roots,
            outcomes,
            is_alone: true,
            others: 0,
        };
        let is_better = |found: &Option<Witness>, witness: &Witness| {
            let before = found.as_ref();
            before.is_none_or(|before| witness.rank() < before.rank())
        };
        if !is_better(&self.found[number], &witness) {
            return seen;
        }
        let others = self
            .changes
            .iter()
            .enumerate()
            .filter(|(it, _)| *it != number);
        let others = others.filter(|(_, it)| {
            !it.is_declared()
                && it.has_mark(&witness.input)
                && (comes_across(it, 0, &parsed[0]) || comes_across(it, 1, &parsed[1]))
        });
        let others = others.count();
        if others > 0 {
            match self.is_by_itself(number, &witness, setting) {
                Some(true) => {}
                Some(false) => return seen,
                None => (witness.is_alone, witness.others) = (false, others),
            }
        }
        if is_better(&self.found[number], &witness) {
            self.found[number] = Some(witness);
        }
        seen
    }

    /// Whether steps of a change have run that have not run before, or other ones in one table than in the other as never before.
    fn is_new(&mut self, number: usize, parsed: &[Result<Parsed, Refusal>; 2]) -> bool {
        let mut is_new = false;
        let mut hash = DefaultHasher::new();
        for (side, parsed) in parsed.iter().enumerate() {
            let Ok(parsed) = parsed else { continue };
            let concerned = &self.changes[number].concerned[side];
            for &passed in &parsed.passed {
                if passed.body().is_some_and(|body| concerned.contains(&body)) {
                    (side, passed).hash(&mut hash);
                    is_new |= self.passed.insert((number, side, passed));
                }
            }
        }
        is_new | self.ran.insert((number, hash.finish()))
    }

    /// Whether a table with only this change differs from one of the two. `None` if there is none.
    fn is_by_itself(
        &mut self,
        number: usize,
        witness: &Witness,
        setting: Setting<'_>,
    ) -> Option<bool> {
        let differs = |side: usize, tree: &TreeMachine, parsed: &Result<Parsed, Refusal>| {
            Outcome::of(tree, parsed, &witness.input) != witness.outcomes[side]
        };
        self.differs_alone(number, &witness.input, setting, &differs)
    }

    /// Whether the situations after a document differ by this change alone, or that cannot be said.
    fn is_apart_by_itself(
        &mut self,
        number: usize,
        document: &[String],
        setting: Setting<'_>,
        apart: Apart,
    ) -> bool {
        let differs = |side: usize, _: &TreeMachine, parsed: &Result<Parsed, Refusal>| {
            let parsed = parsed.as_ref();
            parsed.map_or(true, |it| it.situation[1] != apart.places[side])
        };
        let alone = self.changes.len() == 1;
        alone || self.differs_alone(number, &document.concat(), setting, &differs) != Some(false)
    }

    /// Whether tables with only one change differ from one of the two. `None` if there is none.
    fn differs_alone(
        &mut self,
        number: usize,
        input: &str,
        setting: Setting<'_>,
        differs: Differs<'_>,
    ) -> Option<bool> {
        let (sides, change, load) = (self.sides, &self.changes[number], self.load);
        let mut answer = None;
        // The second table is the younger one: more often it has the words for what the first says.
        for (side, made) in self.hybrids[number].iter().enumerate().rev() {
            let made = made.get_or_init(|| hybrid(sides, side, change, load));
            let Some(tree) = made else { continue };
            let parser = &mut self.parsers[side];
            parser.set_tree(tree);
            let parsed = parser.parse(input, &setting.environment());
            parser.set_tree(sides[side].tree);
            self.runs += 1;
            if differs(side, tree, &parsed) {
                return Some(true);
            }
            answer = Some(false);
        }
        answer
    }

    /// Whether a document has been found in whose tree a change shows by itself.
    fn shows(&self, number: usize) -> bool {
        let found = self.found[number].as_ref();
        found.is_some_and(|it| it.is_alone && it.shows_in_tree())
    }

    /// Context elements, each with the insertion mode in which its fragments start.
    fn contexts(&mut self) -> Vec<(&'static str, String)> {
        let (parser, tree) = (&mut self.parsers[1], self.sides[1].tree);
        let contexts = CONTEXTS.into_iter().chain(MORE_CONTEXTS);
        let contexts = contexts.filter_map(|context| {
            let setting = Setting {
                context: Some(context),
                ..Setting::PLAIN
            };
            let parsed = parser.parse("", &setting.environment()).ok()?;
            Some((context, place_at_end(tree, &parsed)?.to_owned()))
        });
        contexts.collect()
    }

    /// Documents that come to where a change is, the shortest first.
    fn starts(&mut self, change: &Change) -> Vec<Pieces> {
        let mut starts = vec![Pieces::new()];
        for (side, ways) in self.ways.iter_mut().enumerate() {
            let modes = |side: usize| self.sides[side].tree.modes.iter();
            let has_place = |side: usize| modes(side).any(|rules| rules.name == change.place);
            let (parser, tree) = (&mut self.parsers[side], self.sides[side].tree);
            // What both have is reached alike.
            match (has_place(side), &change.concerned[side]) {
                (true, _) if side == 1 && has_place(0) => {}
                (true, _) => starts.extend(ways.reaching_mode(parser, tree, &change.place)),
                (false, bodies) if bodies.is_empty() => {}
                (false, bodies) => starts.extend(ways.running(parser, tree, bodies)),
            }
        }
        let mut lines = change.before.iter().chain(&change.after);
        if lines.any(|line| line.contains("patching") || line.contains("insertion target")) {
            starts
                .extend([1, 2].map(|most| PATCH[..most].iter().map(|&it| it.to_owned()).collect()));
        }
        starts.sort_by_key(|it| it.concat().len());
        starts.dedup();
        starts
    }
}

/// Whether a change may have a part in what a table makes of a document that has its mark.
fn comes_across(change: &Change, side: usize, ran: &Result<Parsed, Refusal>) -> bool {
    let is_list = change.concerned.iter().all(BTreeSet::is_empty);
    let ran = ran.as_ref();
    is_list || ran.map_or(true, |it| !it.ran.is_disjoint(&change.concerned[side]))
}

/// Whether what a table makes of a document, instead of one side, differs from what that side makes.
type Differs<'d> = &'d dyn Fn(usize, &TreeMachine, &Result<Parsed, Refusal>) -> bool;

/// Documents to continue; one for situations of the same names.
#[derive(Debug, Default)]
struct Queue {
    documents: VecDeque<Pieces>,
    known: BTreeSet<[u64; 2]>,
}

impl Queue {
    fn is_new(&mut self, situations: Apart) -> bool {
        self.known.insert(situations.names)
    }
}

/// Numbers that look random: the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    /// One of a list, which is not empty.
    fn one<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}
