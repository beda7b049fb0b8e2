//! Which characters are worth trying next: one of each kind that two states tell apart, and the letters that
//! matter in words and names that are compared.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use speclex_codegen::analyse::{Path, bodies, paths};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Body, Guard, RegisterId, State, StateId, StateKind, Target, Value as Source,
};
use speclex_codegen::uses::Variable;

use super::beyond::names::{named_tags, names_tag};
use super::beyond::{names_attribute, remembers_more};
use super::facts::{Ahead, Kinds, NameKinds, Situation, other_case, states_before};
use super::liveness::Liveness;
use super::product::{Pair, Product, Side};
use super::runner::configuration::{Register, Value, characters};
use super::runner::{changes_more_than_text, is_flag};
use crate::paths::{ArmInput, arms};

impl Product<'_, '_> {
    /// The kinds of characters that matter where two machines are.
    pub(super) fn kinds(&self, pair: &Pair) -> Rc<Kinds> {
        let situation = [0, 1].map(|side| self.ahead(pair, side));
        let known = self.model.situations.borrow().get(&situation).cloned();
        known.unwrap_or_else(|| {
            let kinds = self.find_kinds(&situation);
            let mut situations = self.model.situations.borrow_mut();
            situations.insert(situation, Rc::clone(&kinds));
            kinds
        })
    }

    /// Where a side is, and the characters that it may yet read again.
    fn ahead(&self, pair: &Pair, side: usize) -> Ahead {
        let held = &pair.sides[side];
        let is_marked = self.live(pair, side) & Liveness::MARK != 0;
        let mark = held.mark.filter(|_| is_marked);
        let first = mark.map_or(held.place, |mark| mark.min(held.place));
        let known = pair.input.get(first as usize..).unwrap_or_default();
        Ahead {
            state: held.state,
            known: known.iter().collect(),
            place: (held.place - first) as usize,
            mark: mark.map(|mark| (mark - first) as usize),
        }
    }

    /// The strings that are tried next: one character of each kind that the two machines tell apart here, the characters in
    /// `wanted`, and numbers.
    pub(super) fn choices<'c>(
        &'c self,
        pair: &Pair,
        wanted: &'c BTreeSet<char>,
    ) -> Vec<&'c [char]> {
        let kinds = self.kinds(pair);
        let length = pair.input.len();
        let samples = kinds.samples.iter();
        let samples = samples.filter_map(|&class| self.model.alphabet.sample(class, length));
        let mut chosen: Vec<&[char]> = samples.chain(wanted).map(std::slice::from_ref).collect();
        if kinds.adds_digits && (0..2).any(|side| self.begins_numbers(pair, side)) {
            chosen.extend(self.model.spelled.iter().map(Vec::as_slice));
        }
        // How newlines and byte order marks are treated is a matter of preprocessing.
        let preprocessing = &self.model.machine.preprocessing;
        let (normalized, drops) = (preprocessing.normalize_newlines, preprocessing.drop_bom);
        chosen.retain(|text| {
            let newline = normalized && text.contains(&'\r');
            let mark = drops && length == 0 && text.first() == Some(&'\u{FEFF}');
            !newline && !mark
        });
        let legible = |text: &&[char]| text.iter().map(|&c| legibility(c)).max();
        chosen.sort_by_cached_key(|text| (legible(text), *text));
        chosen.dedup();
        chosen
    }

    /// Letters that continue a word that matters to either machine.
    pub(super) fn wanted(&self, pair: &Pair) -> BTreeSet<char> {
        let mut wanted = BTreeSet::new();
        (0..2).for_each(|side| self.add_wanted(pair, side, &mut wanted));
        wanted.extend(&self.kinds(pair).word_letters);
        wanted
    }
}

/// The order in which characters are tried: of inputs that are equally short the most legible is found first. A `&` looks as if it
/// began a reference, a `!` as if it began a comment.
pub(super) fn legibility(c: char) -> u8 {
    match c {
        'a'..='z' => 0,
        'A'..='Z' | '0'..='9' => 1,
        '&' | '!' => 3,
        '!'..='~' => 2,
        ' ' => 4,
        _ if c.is_alphabetic() => 5,
        _ => 6,
    }
}

impl Product<'_, '_> {
    /// The kinds of all states that may read what comes next, or what may be read again.
    fn find_kinds(&self, situation: &Situation) -> Rc<Kinds> {
        let mut reached: BTreeSet<u32> = BTreeSet::new();
        let mut remembers = false;
        for ahead in situation {
            let (states, remembered) = self.reached(ahead);
            reached.extend(states);
            remembers |= remembered;
        }
        let rereads = situation.iter().any(|it| !it.known.is_empty());
        let mut known = self.model.kinds.borrow_mut();
        let number = known.len() as u32;
        let kinds = known.entry((reached, rereads, remembers));
        let kinds = kinds.or_insert_with_key(|(reached, rereads, remembers)| {
            Rc::new(self.kinds_of_states(reached, [*rereads, *remembers], number))
        });
        Rc::clone(kinds)
    }

    fn kinds_of_states(
        &self,
        reached: &BTreeSet<u32>,
        [rereads, remembers]: [bool; 2],
        number: u32,
    ) -> Kinds {
        let mut sets: Vec<&CharSet> = Vec::new();
        let mut firsts: BTreeSet<char> = BTreeSet::new();
        let machine = &self.model.machine;
        sets.extend(machine.preprocessing.errors.iter().map(|(set, _)| set));
        firsts.extend(self.model.facts.behind.iter().flat_map(|text| text.chars()));
        for state in reached
            .iter()
            .filter_map(|&id| machine.states.get(id as usize))
        {
            state_sets(state, &mut sets, &mut firsts);
            let mut questions = bodies(state).into_iter().flat_map(Body::all_questions);
            if questions.any(|guard| matches!(guard, Guard::CurrentIsCharacter(_))) {
                firsts.extend(&self.model.facts.characters);
            }
        }
        self.add_held(reached, &mut firsts);
        sets.sort_by_key(|set| set.ranges());
        sets.dedup();
        let classes = self.model.alphabet.classes.iter().map(|class| {
            let c = class.set.first().unwrap_or_default();
            let in_sets = sets.iter().map(|set| set.contains(c));
            let are_firsts = firsts.iter().map(|first| *first == c);
            let alike = in_sets.chain([c.is_ascii_uppercase()]).chain(are_firsts);
            alike.collect::<Vec<bool>>()
        });
        let (of_class, members) = grouped(classes);
        let preference = |class: &u16| {
            let set = self.model.alphabet.classes.get(usize::from(*class));
            let size = set.map_or(0, |class| class.set.len());
            let sample = self.model.alphabet.sample(*class, 0);
            let printable = sample.is_some_and(char::is_ascii_graphic);
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
            number,
            remembers,
            of_class,
            word_letters: self.word_letters(reached, rereads),
            adds_digits: reached.iter().any(|&state| self.adds_digits(state)),
            digits: members.iter().map(digits).collect(),
            samples: members.into_iter().filter_map(best).collect(),
        }
    }

    /// Adds the characters that the table puts into the variables that these states copy, or to which they add the character that
    /// is read: where one side copies or writes them, the other may have that character.
    fn add_held(&self, reached: &BTreeSet<u32>, firsts: &mut BTreeSet<char>) {
        let machine = &self.model.machine;
        let states = reached
            .iter()
            .filter_map(|&id| machine.states.get(id as usize));
        let actions = states.flat_map(bodies).flat_map(Body::all_actions);
        let held = |action: &Action| match action.value()? {
            Source::Current | Source::LowerCurrent => action.changes(),
            other => other.reads(),
        };
        let mut todo: Vec<Variable> = actions.filter_map(held).collect();
        let mut seen: BTreeSet<Variable> = BTreeSet::new();
        while let Some(variable) = todo.pop() {
            if seen.insert(variable)
                && let Some(put) = self.model.facts.put.get(&variable)
            {
                firsts.extend(&put.characters);
                todo.extend(&put.copied);
            }
        }
    }

    /// The states that may read the next character, or those that are read again before it; and whether something is remembered of
    /// these.
    fn reached(&self, ahead: &Ahead) -> (BTreeSet<u32>, bool) {
        let model = self.model;
        let known: Vec<char> = ahead.known.chars().collect();
        // The next character is behind those that are known; what comes after it is all one place.
        let past = known.len() + 1;
        let mut todo: Vec<(u32, usize, Option<usize>)> = Vec::new();
        todo.extend(ahead.state.map(|state| (state, ahead.place, ahead.mark)));
        let mut seen: BTreeSet<_> = todo.iter().copied().collect();
        let consumes_nothing = |state: u32| {
            let state = model.machine.states.get(state as usize);
            state.is_some_and(|state| matches!(state.kind, StateKind::Steps(_)))
        };
        // What may yet be a literal is spelled.
        let begins = |text: &str| {
            let mut fits = text
                .chars()
                .zip(&known)
                .map(|(a, b)| a.eq_ignore_ascii_case(b));
            fits.all(|it| it)
        };
        let first = ahead
            .state
            .and_then(|id| model.machine.states.get(id as usize));
        let mut literals = first.into_iter().flat_map(arms);
        let is_spelled = ahead.mark.is_none()
            && literals.any(|arm| matches!(arm.on, ArmInput::Literal(it) if begins(&it.text)));
        let rest = known.get(1..).filter(|rest| rest.len() > 1 && !is_spelled);
        let rest = rest.unwrap_or_default();
        let mut remembers = false;
        while let Some((id, place, mark)) = todo.pop() {
            let Some(state) = model.machine.states.get(id as usize) else {
                continue;
            };
            // The order of what is behind the first character matters if it leads to other states.
            let in_rest = |set: &CharSet| rest.iter().any(|c| set.contains(*c));
            for arm in arms(state) {
                let is_behind = (1..known.len()).contains(&place);
                let moves =
                    |it: &Path<'_>| !it.reconsume && it.target != Target::State(StateId(id));
                // What comes next is one of those that wait.
                let looks_at_rest = |guard: &Guard| match guard {
                    Guard::NextIn { .. } | Guard::NextIsLastStartTag { .. } => !rest.is_empty(),
                    Guard::NextAre { then, .. } => is_behind || in_rest(then),
                    _ => false,
                };
                // What waits for the name of a reference is spelled.
                let is_spelled = model.matching.contains(&id);
                let looks = |it: &Path<'_>| !is_spelled && it.questions().any(looks_at_rest);
                remembers |= match arm.on {
                    ArmInput::Set(set, _) if is_behind => {
                        in_rest(set) && paths(arm.body).iter().any(|it| moves(it) || looks(it))
                    }
                    ArmInput::Set(..) if place == 0 => paths(arm.body).iter().any(looks),
                    _ => false,
                };
                let mut ends = self.ends_of_arm(arm.on, arm.is_peeked, &known, place);
                // Of two that match references and differ, the model has an arm that looks at any character.
                let matches =
                    arm.on == ArmInput::Matched || arm.is_peeked && model.matching.contains(&id);
                if matches {
                    let names = self.ends_of_names(&known, place);
                    remembers |= is_behind && !names.is_empty();
                    ends.extend(names);
                }
                for end in ends {
                    for path in paths(arm.body) {
                        // What waits is spelled for the literals and references of the state that waits only.
                        remembers |= match arm.on {
                            _ if place >= known.len() => false,
                            ArmInput::Literal(_) => Some(id) != ahead.state,
                            // The first character is known by its kind.
                            ArmInput::Set(..) => path.actions().any(|it| match place {
                                0 => self.remembers(it) && !is_flag(it),
                                _ => self.remembers(it) || self.depends_on_order(it),
                            }),
                            _ => false,
                        };
                        let marks = path.actions().any(|it| *it == Action::Mark);
                        let (place, mark) = match mark {
                            Some(mark) if path.rewinds() => (mark, None),
                            _ if path.reconsume => (place, mark),
                            _ => (end, mark),
                        };
                        let mark = if marks { Some(end) } else { mark };
                        for state in self.targets(path.target) {
                            let may_rewind = model.may_rewind.get(state as usize) == Some(&true);
                            let mark = mark.filter(|&mark| may_rewind && mark < past);
                            let next = (state, place, mark);
                            let is_met = place < past || mark.is_some() || consumes_nothing(state);
                            if is_met && seen.insert(next) {
                                todo.push(next);
                            }
                        }
                    }
                }
            }
        }
        // Where nothing is consumed, something may be written yet that is compared with what was read.
        let is_reached = |(state, place, _): &_| *place < past || consumes_nothing(*state);
        let states = seen.into_iter().filter(is_reached);
        (states.map(|(state, ..)| state).collect(), remembers)
    }

    /// Whether an action remembers which character was read: in a register, or in a text that is compared.
    fn remembers(&self, action: &Action) -> bool {
        let facts = &self.model.facts;
        let is_word = |it: RegisterId| facts.words.iter().any(|words| words.register == it.0);
        match action {
            Action::AppendRegister(register, _) | Action::SetText(register, _) => {
                is_word(*register)
            }
            _ if names_attribute(action) => facts.duplicates,
            _ => changes_more_than_text(action),
        }
    }

    /// Whether it matters when an action is done that is done for one of several characters: it writes another text than what is
    /// read, writes one anew, begins something, or emits a token after which something is remembered.
    fn depends_on_order(&self, action: &Action) -> bool {
        let value = action.value();
        let writes = value.is_some_and(|it| !matches!(it, Source::Current | Source::LowerCurrent));
        let begins = matches!(
            action,
            Action::SetText(..)
                | Action::Create(..)
                | Action::StartAttribute(_)
                | Action::DropAttribute(_)
        );
        writes || begins || remembers_more(&self.model.machine, action)
    }

    /// Where an arm may end that begins at a place, if the characters known let it.
    fn ends_of_arm(
        &self,
        on: ArmInput<'_>,
        is_peeked: bool,
        known: &[char],
        place: usize,
    ) -> BTreeSet<usize> {
        let past = known.len() + 1;
        let rest = known.get(place..).unwrap_or_default();
        let next = if is_peeked { place } else { place + 1 };
        match on {
            ArmInput::Set(set, _) => match rest.first() {
                Some(c) => set.contains(*c).then_some(next).into_iter().collect(),
                None => [next.min(past)].into(),
            },
            ArmInput::Literal(it) => {
                let end = end_of(&it.text, it.ignore_case, known, place);
                end.into_iter().collect()
            }
            ArmInput::Matched => BTreeSet::new(),
            ArmInput::Entering | ArmInput::Unmatched => [place].into(),
            // The input may end behind the next character.
            ArmInput::Eof => Some(past).filter(|_| place == past).into_iter().collect(),
        }
    }

    /// Where the name of a reference may end that begins at a place. Characters that wait for a literal may be in another case.
    fn ends_of_names(&self, known: &[char], place: usize) -> BTreeSet<usize> {
        let names = self.model.names.iter();
        names
            .filter_map(|name| end_of(name, true, known, place))
            .collect()
    }

    /// The states that a target may be.
    fn targets(&self, target: Target) -> impl Iterator<Item = u32> {
        let (state, register) = match target {
            Target::State(state) => (Some(state.0), None),
            Target::Register(register) => (None, self.model.state_registers.get(&register)),
            Target::End => (None, None),
        };
        let held = register.into_iter().flatten().map(|state| state.0);
        state.into_iter().chain(held)
    }

    /// Adds characters that take a comparison under way one step further.
    fn add_wanted(&self, pair: &Pair, side: usize, wanted: &mut BTreeSet<char>) {
        let (held, live) = (&pair.sides[side], self.live(pair, side));
        let Side {
            runner, liveness, ..
        } = self.sides[side];
        let waiting = pair.input.get(held.place as usize..).unwrap_or_default();
        let waiting = || waiting.iter().copied();
        let state = held
            .state
            .and_then(|s| runner.machine.states.get(s as usize));
        match state.map(|state| &state.kind) {
            Some(StateKind::Consume(consume)) => {
                for literal in &consume.literals {
                    let next = next_of(literal.text.chars(), waiting(), literal.ignore_case);
                    wanted.extend(next.filter(|_| literal.ignore_case).map(other_case));
                    wanted.extend(next);
                }
            }
            Some(StateKind::Match { .. }) => {
                let names = runner.references.iter();
                wanted
                    .extend(names.filter_map(|(name, _)| next_of(name.chars(), waiting(), false)));
            }
            _ => {}
        }
        // A state may let in one case of a letter only, and lower it: as `e` of "ENCODING".
        let both = |c: char| [c, other_case(c)];
        for words in &self.model.facts.words {
            if live & liveness.register(words.register as usize) != 0 {
                let text = || characters(held.text_register(words.register));
                let words = (words.words.iter())
                    .filter_map(|word| next_of(word.chars(), text(), words.ignore_case));
                wanted.extend(words.flat_map(both));
            }
        }
        for (index, register) in held.registers().iter().enumerate() {
            if let Register::Character(Some(c)) = register
                && live & liveness.register(index) != 0
            {
                wanted.insert(*c);
            }
        }
        let last = held.last_start_tag.as_ref();
        let last = last.filter(|_| live & Liveness::START_TAG != 0);
        for (index, token) in held.tokens.iter().enumerate() {
            if live & liveness.token(index) == 0 {
                continue;
            }
            let field = runner.name_fields.get(index).copied().flatten();
            if let (Some(last), Some(Value::Text(name))) =
                (last, field.and_then(|f| token.fields.get(f)))
            {
                let next = next_of(characters(last), characters(name), false);
                wanted.extend(next.into_iter().flat_map(both));
            }
            if self.model.facts.duplicates {
                let current = token.attributes().last().filter(|_| token.has_current);
                let current = || current.into_iter().flat_map(|(name, _)| characters(name));
                for (name, _) in token.attributes() {
                    let next = next_of(characters(name), current(), false);
                    let next = characters(name).next().into_iter().chain(next);
                    wanted.extend(next.flat_map(both));
                }
            }
        }
        if let Some(last) = last {
            let next = next_of(characters(last), waiting(), true);
            wanted.extend(next.into_iter().flat_map(both));
        }
    }

    /// Whether a number may begin here: none is begun, or only with zeros. A digit alone stands for all of its kind;
    /// each of the intervals to which these may lead must be found in the same situation, and is from here, or the
    /// search is no proof.
    fn begins_numbers(&self, pair: &Pair, side: usize) -> bool {
        let (held, live) = (&pair.sides[side], self.live(pair, side));
        self.model.facts.digits.iter().any(|&register| {
            live & self.sides[side].liveness.register(register as usize) != 0
                && held.number(register).value == 0
        })
    }

    fn adds_digits(&self, state: u32) -> bool {
        let state = self.model.machine.states.get(state as usize);
        let mut actions = state
            .into_iter()
            .flat_map(bodies)
            .flat_map(Body::all_actions);
        actions.any(|action| matches!(action, Action::AddDigit(_)))
    }
}

/// Where a text ends that begins at a place, if the characters known let it; behind the next character if more is needed.
fn end_of(text: &str, ignore_case: bool, known: &[char], place: usize) -> Option<usize> {
    let rest = known.get(place..).unwrap_or_default();
    let fits = |(a, b): (char, &char)| a == *b || ignore_case && a.eq_ignore_ascii_case(b);
    let all_fit = text.chars().zip(rest).all(fits);
    all_fit.then(|| (place + text.chars().count()).min(known.len() + 1))
}

/// The next character of a word that begins with `start`.
fn next_of(
    mut word: impl Iterator<Item = char>,
    mut start: impl Iterator<Item = char>,
    ignore_case: bool,
) -> Option<char> {
    let fits = |a: char, b: char| a == b || ignore_case && a.eq_ignore_ascii_case(&b);
    let begins = start.all(|c| word.next().is_some_and(|expected| fits(c, expected)));
    word.next().filter(|_| begins)
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
        for action in body.all_actions() {
            if let Action::SetCharacter(_, Some(c)) = action {
                firsts.insert(*c);
            }
            // The other side may write the character that is read.
            if let Some(Source::Literal(text)) = action.value() {
                firsts.extend(text.chars());
            }
        }
        sets.extend(body.all_questions().flat_map(Guard::sets));
    }
}

impl Product<'_, '_> {
    /// The letters that may begin a word or the name of a reference in these states: a register that is written here is
    /// not live before, and what matches names may be reached only with the letter. All letters, where several characters are read
    /// at once.
    fn word_letters(&self, reached: &BTreeSet<u32>, several: bool) -> BTreeSet<char> {
        let machine = &self.model.machine;
        let mut letters = BTreeSet::new();
        if !reached.is_disjoint(&self.model.matching) {
            let names = self.model.names.iter();
            letters.extend(names.filter_map(|name| name.chars().next()));
        }
        let states = reached.iter();
        let states = states.filter_map(|&id| machine.states.get(id as usize));
        let actions = states.flat_map(bodies).flat_map(Body::all_actions);
        let written: BTreeSet<Variable> = actions.filter_map(Action::changes).collect();
        let words = self.model.facts.words.iter();
        let words =
            words.filter(|it| written.contains(&Variable::Register(RegisterId(it.register))));
        let count = if several { usize::MAX } else { 1 };
        let of_words = words
            .flat_map(|it| &it.words)
            .flat_map(|word| word.chars().take(count));
        letters.extend(of_words.flat_map(|c| [c, other_case(c)]));
        letters
    }

    /// The characters that are told apart where names are compared with the last start tag's, or on the way
    /// there.
    pub(super) fn name_kinds(&self) -> &NameKinds {
        self.model.name_kinds.get_or_init(|| self.find_name_kinds())
    }

    fn find_name_kinds(&self) -> NameKinds {
        let mut sets: Vec<&CharSet> = Vec::new();
        let compares = |state: &State| {
            let mut questions = bodies(state).into_iter().flat_map(Body::all_questions);
            questions.any(Guard::compares_start_tags)
        };
        let machine = &self.model.machine;
        let tags = named_tags(machine);
        let adds = |state: &State| {
            let mut actions = bodies(state).into_iter().flat_map(Body::all_actions);
            actions.any(|it| names_tag(&tags, it))
        };
        let before = states_before(machine, &|id| {
            machine.states.get(id as usize).is_some_and(compares)
        });
        for (id, state) in (0..).zip(&machine.states) {
            if compares(state) || adds(state) || before.contains(&id) {
                state_sets(state, &mut sets, &mut BTreeSet::new());
            }
        }
        // Names that the table writes.
        let actions = machine.all_actions().filter(|it| names_tag(&tags, it));
        let written = actions.filter_map(|action| match action.value() {
            Some(Source::Literal(text)) => Some(text.chars()),
            _ => None,
        });
        let written: BTreeSet<char> = written.flatten().collect();
        let sample = |class: u16| {
            let sample = self.model.alphabet.sample(class, 0);
            sample.copied().unwrap_or_default()
        };
        let in_sets = |c: char| {
            let in_sets = sets.iter().map(|set| set.contains(c));
            let are_written = written.iter().map(|it| *it == c);
            in_sets.chain(are_written).collect::<Vec<bool>>()
        };
        let classes = 0..self.model.alphabet.classes.len() as u16;
        let (of_class, members) = grouped(classes.map(sample).map(|c| {
            // Either case of a letter may be written for it.
            let mut cases = [in_sets(c), in_sets(other_case(c))];
            cases.sort();
            cases
        }));
        let order = |c: &char| (legibility(*c), *c);
        let best = |group: Vec<u16>| group.into_iter().map(sample).min_by_key(order);
        let letters = members.into_iter().filter_map(best);
        let mut letters: Vec<char> = letters.filter(|&c| legibility(c) <= 1).collect();
        letters.sort_by_key(order);
        NameKinds { of_class, letters }
    }
}

/// The group of each of these, and the members of each group: those that are the same.
fn grouped<T: Eq + Hash>(all: impl Iterator<Item = T>) -> (Vec<u16>, Vec<Vec<u16>>) {
    let mut groups: FxHashMap<T, u16> = FxHashMap::default();
    let mut members: Vec<Vec<u16>> = Vec::new();
    let of_each = (0..).zip(all).map(|(index, one)| {
        let group = *groups.entry(one).or_insert_with(|| {
            members.push(Vec::new());
            members.len() as u16 - 1
        });
        members[usize::from(group)].push(index);
        group
    });
    (of_each.collect(), members)
}
