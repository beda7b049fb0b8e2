//! Which characters are worth trying next: one of each kind that two states tell apart, and the letters that
//! matter in words and names that are compared.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::bodies;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Body, Guard, Next, State, StateKind, Target, Value as Source,
};

use super::facts::{Kinds, NameKinds, Situation, other_case};
use super::liveness::{Live, Liveness};
use super::product::{Pair, Product};
use super::runner::configuration::{Configuration, Register, Value, characters};
use crate::body::{asks, parts, visit};

impl Product<'_, '_> {
    /// The kinds of characters that matter where two machines are.
    pub(super) fn kinds(&self, pair: &Pair) -> Rc<Kinds> {
        let end = pair.input.len() as u32;
        let deep = (0..2).any(|side| {
            let held = &pair.sides[side];
            held.place < end || self.live(pair, side) & Liveness::MARK != 0
        });
        let situation = (pair.sides[0].state, pair.sides[1].state, deep);
        let known = self.model.situations.borrow().get(&situation).cloned();
        known.unwrap_or_else(|| {
            let kinds = Rc::new(self.find_kinds(situation));
            let mut situations = self.model.situations.borrow_mut();
            situations.insert(situation, Rc::clone(&kinds));
            kinds
        })
    }

    /// Strings to go on with: one character of each kind that the two machines tell apart here, letters
    /// that continue a word that matters, and numbers.
    pub(super) fn choices(&self, pair: &Pair) -> Vec<Vec<char>> {
        let kinds = self.kinds(pair);
        let length = pair.input.len();
        let mut chosen: BTreeSet<Vec<char>> = (kinds.samples.iter())
            .filter_map(|&class| Some(vec![self.model.alphabet.sample(class, length)?]))
            .collect();
        for side in 0..2 {
            let (held, live) = (&pair.sides[side], self.live(pair, side));
            let wanted = self.wanted(held, side, live, &pair.input);
            chosen.extend(wanted.into_iter().map(|c| vec![c]));
            if self.begins_numbers(held, side, live) {
                chosen.extend(self.model.spelled.iter().cloned());
            }
        }
        // How newlines and byte order marks are treated is a matter of preprocessing.
        let preprocessing = &self.model.machine.preprocessing;
        let (normalized, drops) = (preprocessing.normalize_newlines, preprocessing.drop_bom);
        chosen.retain(|text| {
            let newline = normalized && text.contains(&'\r');
            let mark = drops && length == 0 && text.first() == Some(&'\u{FEFF}');
            !newline && !mark
        });
        let mut chosen: Vec<Vec<char>> = chosen.into_iter().collect();
        chosen.sort_by_key(|text| text.iter().map(|&c| legibility(c)).max());
        chosen
    }
}

/// The order in which characters are tried: of inputs that are equally short the most legible is found first.
pub(super) fn legibility(c: char) -> u8 {
    match c {
        'a'..='z' => 0,
        'A'..='Z' | '0'..='9' => 1,
        '!'..='~' => 2,
        ' ' => 3,
        _ if c.is_alphabetic() => 4,
        _ => 5,
    }
}

impl Product<'_, '_> {
    fn find_kinds(&self, (one, other, deep): Situation) -> Kinds {
        let reached = [one, other].map(|state| self.reached(state, deep));
        let mut sets: Vec<&CharSet> = Vec::new();
        let mut firsts: BTreeSet<char> = BTreeSet::new();
        let machine = &self.model.machine;
        sets.extend(machine.preprocessing.errors.iter().map(|(set, _)| set));
        firsts.extend(self.model.facts.behind.iter().flat_map(|text| text.chars()));
        let reached: BTreeSet<u32> = reached.into_iter().flatten().collect();
        for state in reached
            .iter()
            .filter_map(|&id| machine.states.get(id as usize))
        {
            state_sets(state, &mut sets, &mut firsts);
        }
        sets.sort_by_key(|set| set.ranges());
        sets.dedup();
        let mut groups: FxHashMap<Vec<bool>, u16> = FxHashMap::default();
        let mut members: Vec<Vec<u16>> = Vec::new();
        let mut of_class = Vec::new();
        for (index, class) in (0..).zip(&self.model.alphabet.classes) {
            let c = class.set.first().unwrap_or_default();
            let mut membership: Vec<bool> = sets.iter().map(|set| set.contains(c)).collect();
            membership.push(c.is_ascii_uppercase());
            membership.extend(firsts.iter().map(|first| *first == c));
            let kind = *groups.entry(membership).or_insert_with(|| {
                members.push(Vec::new());
                members.len() as u16 - 1
            });
            of_class.push(kind);
            members[usize::from(kind)].push(index);
        }
        let preference = |class: &u16| {
            let set = self.model.alphabet.classes.get(usize::from(*class));
            let size = set.map_or(0, |class| class.set.len());
            let sample = self.model.alphabet.sample(*class, 0);
            let printable = sample.is_some_and(|c| c.is_ascii_graphic());
            (printable && size > 1, size > 1, printable, size)
        };
        let best = |group: Vec<u16>| group.into_iter().max_by_key(preference);
        let digits = |group: &Vec<u16>| {
            let of_classes = group
                .iter()
                .filter_map(|&class| self.model.alphabet.digits(class));
            of_classes.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
        };
        Kinds {
            of_class,
            digits: members.iter().map(digits).collect(),
            samples: members.into_iter().filter_map(best).collect(),
        }
    }

    /// The states that may look at the next character.
    pub(super) fn reached(&self, state: Option<u32>, deep: bool) -> BTreeSet<u32> {
        let model = self.model;
        let mut reached: BTreeSet<u32> = state.into_iter().collect();
        let mut todo: Vec<(u32, bool)> = reached.iter().map(|&state| (state, deep)).collect();
        while let Some((id, all)) = todo.pop() {
            let Some(state) = model.machine.states.get(id as usize) else {
                continue;
            };
            let moves = match &state.kind {
                StateKind::Consume(consume) => {
                    all || !consume.literals.is_empty() || consume.arms.iter().any(|arm| arm.peeked)
                }
                StateKind::Steps(_) | StateKind::Match { .. } => true,
            };
            for body in bodies(state) {
                for (target, reconsume) in ends(body) {
                    if !moves && !reconsume {
                        continue;
                    }
                    let states = match target {
                        Target::State(state) => vec![state.0],
                        Target::Register(register) => {
                            let held = model.state_registers.get(&register);
                            held.into_iter().flatten().map(|state| state.0).collect()
                        }
                        Target::End => Vec::new(),
                    };
                    for state in states {
                        if reached.insert(state) {
                            let on = all && model.may_rewind.get(state as usize) == Some(&true);
                            todo.push((state, on));
                        }
                    }
                }
            }
        }
        reached
    }

    /// Characters that take a comparison under way one step further.
    fn wanted(
        &self,
        held: &Configuration,
        side: usize,
        live: Live,
        input: &[char],
    ) -> BTreeSet<char> {
        let mut wanted = BTreeSet::new();
        let runner = &self.sides[side].runner;
        let waiting = input.get(held.place as usize..).unwrap_or_default();
        let state = held
            .state
            .and_then(|s| runner.machine.states.get(s as usize));
        match state.map(|state| &state.kind) {
            Some(StateKind::Consume(consume)) => {
                for literal in &consume.literals {
                    wanted.extend(continuations(
                        literal.text.chars(),
                        waiting,
                        literal.ignore_case,
                    ));
                }
            }
            Some(StateKind::Match { .. }) => {
                let names = runner.references.iter();
                wanted.extend(
                    names.flat_map(|(name, _)| continuations(name.chars(), waiting, false)),
                );
            }
            _ => {}
        }
        let starts = self
            .model
            .word_starts
            .get_or_init(|| self.find_word_starts());
        let starts = held.state.and_then(|state| starts.get(state as usize));
        wanted.extend(starts.into_iter().flatten());
        for words in &self.model.facts.words {
            if live & self.sides[side].liveness.register(words.register as usize) == 0 {
                continue;
            }
            let text: Vec<char> = characters(held.text_register(words.register)).collect();
            for word in &words.words {
                // A state may let in one case of a letter only, and lower it.
                let next = continuations(word.chars(), &text, words.ignore_case);
                wanted.extend(next.iter().copied().map(other_case));
                wanted.extend(next);
            }
        }
        for (index, register) in held.registers.iter().enumerate() {
            if let Register::Character(Some(c)) = register
                && live & self.sides[side].liveness.register(index) != 0
            {
                wanted.insert(*c);
            }
        }
        let last = held.last_start_tag.as_ref();
        let last = last.filter(|_| live & Liveness::START_TAG != 0);
        for (index, token) in held.tokens.iter().enumerate() {
            if live & self.sides[side].liveness.token(index) == 0 {
                continue;
            }
            let field = runner.name_fields.get(index).copied().flatten();
            if let (Some(last), Some(Value::Text(name))) =
                (last, field.and_then(|f| token.fields.get(f)))
            {
                let name: Vec<char> = characters(name).collect();
                let next = continuations(characters(last), &name, false);
                wanted.extend(next.iter().copied().map(other_case));
                wanted.extend(next);
            }
            if self.model.facts.duplicates {
                let current = token.attributes().last().filter(|_| token.has_current);
                let current: Vec<char> = current
                    .into_iter()
                    .flat_map(|(n, _)| characters(n))
                    .collect();
                for (name, _) in token.attributes() {
                    let next = continuations(characters(name), &current, false);
                    let next = characters(name).next().into_iter().chain(next);
                    wanted.extend(next.flat_map(|c| [c, other_case(c)]));
                }
            }
        }
        if let Some(last) = last {
            wanted.extend(continuations(characters(last), waiting, true));
        }
        wanted
    }

    /// Whether a number may begin here: none is begun, or only with zeros. A digit alone stands for all of its kind;
    /// each of the intervals to which these may lead must be found in the same situation, and is from here, or the
    /// search is no proof.
    fn begins_numbers(&self, held: &Configuration, side: usize, live: Live) -> bool {
        let counted = self.model.facts.digits.iter().any(|&register| {
            live & self.sides[side].liveness.register(register as usize) != 0
                && held.number(register).value == 0
        });
        counted && {
            let reached = self.reached(held.state, false);
            reached.into_iter().any(|state| self.adds_digits(state))
        }
    }

    fn adds_digits(&self, state: u32) -> bool {
        let mut found = false;
        let state = self.model.machine.states.get(state as usize);
        for body in state.into_iter().flat_map(bodies) {
            visit(body, &mut |actions, _| {
                found |= actions
                    .iter()
                    .any(|action| matches!(action, Action::AddDigit(_)));
            });
        }
        found
    }
}

/// The next character of a word that begins with `start`, in either case where case does not matter: a state may let in
/// one case of a letter only, as `e` of "ENCODING".
fn continuations(
    mut word: impl Iterator<Item = char>,
    start: &[char],
    ignore_case: bool,
) -> Vec<char> {
    let fits = |a: char, b: char| a == b || ignore_case && a.eq_ignore_ascii_case(&b);
    if !start
        .iter()
        .all(|&c| word.next().is_some_and(|expected| fits(c, expected)))
    {
        return Vec::new();
    }
    let next = word.next();
    let other = next.map(other_case).filter(|_| ignore_case);
    next.into_iter().chain(other).collect()
}

/// All ends of a body.
pub(super) fn ends(body: &Body) -> Vec<(Target, bool)> {
    let mut ends = Vec::new();
    visit(body, &mut |_, next| {
        if let Next::Go { target, reconsume } = next {
            ends.push((*target, *reconsume));
        }
    });
    ends
}

/// The sets that a state tells characters apart with.
pub(super) fn state_sets<'m>(
    state: &'m State,
    sets: &mut Vec<&'m CharSet>,
    firsts: &mut BTreeSet<char>,
) {
    if let StateKind::Consume(consume) = &state.kind {
        sets.extend(consume.arms.iter().map(|arm| &arm.set));
        for first in consume
            .literals
            .iter()
            .filter_map(|literal| literal.text.chars().next())
        {
            firsts.extend([first, other_case(first)]);
        }
    }
    for body in bodies(state) {
        visit(body, &mut |actions, next| {
            for action in actions {
                if let Action::EmitText(Source::Literal(text))
                | Action::Append(_, Source::Literal(text))
                | Action::AppendAttribute(_, _, Source::Literal(text))
                | Action::AppendRegister(_, Source::Literal(text)) = action
                    && text.chars().count() == 1
                {
                    firsts.extend(text.chars());
                }
            }
            if let Next::If { guard, .. } = next {
                guard_sets(guard, sets);
            }
        });
    }
}

fn guard_sets<'m>(guard: &'m Guard, sets: &mut Vec<&'m CharSet>) {
    for part in parts(guard) {
        match part {
            Guard::CurrentIn(set)
            | Guard::NextIn { set, .. }
            | Guard::NextIsLastStartTag {
                followed_by: set, ..
            } => sets.push(set),
            Guard::NextAre { run, then } => sets.extend([run, then]),
            _ => {}
        }
    }
}

impl Product<'_, '_> {
    /// For each state the letters that may begin a word or the name of a reference: a register that is written here is
    /// not live before, and what matches names may be reached only with the letter.
    fn find_word_starts(&self) -> Vec<BTreeSet<char>> {
        let machine = &self.model.machine;
        let starts = |state: u32| {
            let mut starts = BTreeSet::new();
            let reached = self.reached(Some(state), false);
            if !reached.is_disjoint(&self.model.matching) {
                let names = self.model.names.iter();
                starts.extend(names.filter_map(|name| name.chars().next()));
            }
            let states = reached
                .iter()
                .filter_map(|&id| machine.states.get(id as usize));
            for body in states.flat_map(bodies) {
                visit(body, &mut |actions, _| {
                    let written = actions.iter().filter_map(|action| match action {
                        Action::SetText(register, _) | Action::AppendRegister(register, _) => {
                            Some(register.0)
                        }
                        _ => None,
                    });
                    for register in written {
                        let words = self.model.facts.words.iter();
                        let words = words.filter(|w| w.register == register);
                        let firsts = words
                            .flat_map(|w| &w.words)
                            .filter_map(|word| word.chars().next());
                        starts.extend(firsts.flat_map(|c| [c, other_case(c)]));
                    }
                });
            }
            starts
        };
        (0..machine.states.len() as u32).map(starts).collect()
    }

    /// The characters that are told apart where names are compared with the last start tag's, or on the way
    /// there.
    pub(super) fn name_kinds(&self) -> &NameKinds {
        self.model.name_kinds.get_or_init(|| self.find_name_kinds())
    }

    fn find_name_kinds(&self) -> NameKinds {
        let mut sets: Vec<&CharSet> = Vec::new();
        let compares = |state: &State| {
            bodies(state)
                .into_iter()
                .any(|body| asks(body, compares_names))
        };
        let states = &self.model.machine.states;
        let leads = |state: &State| {
            let ends = bodies(state).into_iter().flat_map(ends);
            let mut states = ends.filter_map(|(target, _)| match target {
                Target::State(id) => states.get(id.0 as usize),
                _ => None,
            });
            states.any(compares)
        };
        for state in states
            .iter()
            .filter(|state| compares(state) || leads(state))
        {
            state_sets(state, &mut sets, &mut BTreeSet::new());
        }
        let mut groups: Vec<Vec<bool>> = Vec::new();
        let mut kinds = NameKinds::default();
        for class in 0..self.model.alphabet.classes.len() as u16 {
            let c = self.model.alphabet.sample(class, 0).unwrap_or_default();
            // Either case of a letter may be written for it.
            let in_sets = |c: char| {
                sets.iter()
                    .map(|set| set.contains(c))
                    .collect::<Vec<bool>>()
            };
            let mut cases = [in_sets(c), in_sets(other_case(c))];
            cases.sort();
            let of = cases.concat();
            let group = groups
                .iter()
                .position(|group| *group == of)
                .unwrap_or_else(|| {
                    groups.push(of);
                    kinds.letters.push(c);
                    groups.len() - 1
                });
            kinds.of_class.push(group as u16);
            let best = &mut kinds.letters[group];
            if (legibility(c), c) < (legibility(*best), *best) {
                *best = c;
            }
        }
        kinds.letters.retain(|&c| legibility(c) <= 1);
        kinds.letters.sort_by_key(|&c| (legibility(c), c));
        kinds
    }
}

/// Whether a guard asks for the last start tag's name.
fn compares_names(guard: &Guard) -> bool {
    matches!(
        guard,
        Guard::AppropriateEndTag(_) | Guard::NextIsLastStartTag { .. }
    )
}
