//! What two machines will do from here on: the state of the search, without letters.
//!
//! Two pairs with the same key behave alike. If both sides hold the same string, the key has only two facts of it: whether it is
//! empty, since one side may emit or replace a string that the other extends; and, if the string is copied to or from another
//! variable, whether one of the two begins with the other. For all other strings, the key lists the parts of the input that they
//! consist of, by order and not by place. It also has how far each string matches the words that it may yet be compared with, and
//! the last start tag's name.

pub(super) mod parts;

use parts::{Key, NumberPlaces, mark, write_value};

use speclex_codegen::machine::{AttributePart, FieldId, StateKind, TokenId};

use super::beyond::names::LETTERS;
use super::facts::{Copied, is_sign, overlap};
use super::liveness::Liveness;
use super::product::{Pair, Product, RegisterPlace};
use super::runner::configuration::{
    Building, Configuration, FIRST, LITERAL, Register, Symbol, Text, TextPlace, Value, characters,
};
use super::runner::field_text;
use super::runner::steps::Item;

/// What is left of two strings without what they have in common.
pub(super) enum Rest<'t> {
    Nothing,
    Of(usize, &'t [Symbol]),
    Differ,
}

impl Product<'_, '_> {
    /// The key of a pair.
    pub(super) fn key(&self, pair: &Pair) -> Key {
        let mut key = Key::new();
        let end = pair.input.len() as u32;
        let live = [self.live(pair, 0), self.live(pair, 1)];
        let [one, other] = &pair.sides;
        self.registers(&mut key, pair, live);
        for (side, &live) in live.iter().enumerate() {
            self.place(&mut key, pair, side, live);
        }
        let ends = |side: &Configuration| side.run.map(|run| run.1);
        let starts = |side: &Configuration| side.run.map(|run| run.0);
        for side in &pair.sides {
            key.place(side.token_start);
            // It is farther if the machine has put back more than it has emitted.
            key.place(ends(side).unwrap_or(0).max(side.token_start));
        }
        let orders = [
            starts(one).cmp(&starts(other)),
            ends(one).cmp(&ends(other)),
            // One that has no run yet may start it where its token does.
            starts(one).cmp(&Some(other.token_start)),
            starts(other).cmp(&Some(one.token_start)),
        ];
        key.parts
            .extend(orders.map(|order| order as i8 as u8 as u32));
        self.texts(&mut key, pair, live);
        self.tokens(&mut key, pair, live);
        self.relations(&mut key, pair, live);
        self.start_tags(&mut key, pair, live);
        key.parts.push(mark::SECTION);
        key.parts.push(pair.ahead as u32);
        self.pending(&mut key, pair);
        // What is left of strings and what has come out may yet become the same.
        key.widened |= key.has_rest && !pair.pending.is_empty();
        for errors in &pair.errors {
            key.parts.push(mark::SECTION);
            for error in errors {
                key.parts.push(error.code);
                key.place(error.place);
            }
        }
        key.finish(self, pair, end);
        key
    }

    /// Whether two machines differ in nothing that either may still read or that may still come out.
    pub(super) fn are_alike(&self, pair: &Pair) -> bool {
        let live = self.live(pair, 0) | self.live(pair, 1);
        let [one, other] = &pair.sides;
        let liveness = &self.sides[0].liveness;
        let is_live = |part: u128| live & part != 0;
        let mut registers = one.registers().iter().zip(other.registers()).enumerate();
        let mut tokens = one.tokens.iter().zip(&*other.tokens).enumerate();
        let places = |side: &Configuration| {
            let mark = side.mark.filter(|_| is_live(Liveness::MARK));
            let matched = side.matched.filter(|_| is_live(Liveness::MATCHED));
            let place = (side.state, side.place, side.delivered, mark, matched);
            (place, side.token_start, side.next_start(mark), side.run)
        };
        pair.pending.is_empty()
            && pair.errors.iter().all(Vec::is_empty)
            && places(one) == places(other)
            && (!is_live(Liveness::START_TAG) || one.last_start_tag == other.last_start_tag)
            && registers
                .all(|(index, (one, other))| !is_live(liveness.register(index)) || one == other)
            && tokens.all(|(index, (one, other))| !is_live(liveness.token(index)) || one == other)
    }

    fn registers(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        let mut numbers: Vec<NumberPlaces> = Vec::new();
        for (side, &live) in live.iter().enumerate() {
            let held = &pair.sides[side];
            key.parts
                .push(held.state.map_or(mark::ABSENT, |state| state));
            for (index, register) in held.registers().iter().enumerate() {
                if live & self.sides[side].liveness.register(index) == 0 {
                    continue;
                }
                match register {
                    Register::State(state) => key.parts.push(*state),
                    Register::Finite(value) => key.parts.push(*value),
                    Register::Character(c) => {
                        key.parts.push(c.map_or(mark::ABSENT, |c| c as u32));
                    }
                    Register::Number(number) => {
                        let at = key.parts.len();
                        let register = (side, index);
                        key.parts
                            .push(self.model.interval(index, number.value) as u32);
                        let same = |(other, _): &&mut NumberPlaces| other.is_same(*number);
                        match numbers.iter_mut().find(same) {
                            Some((_, places)) => places.push((at, register)),
                            None => numbers.push((*number, vec![(at, register)])),
                        }
                    }
                    Register::Text(_) => {}
                }
            }
        }
        for (number, places) in numbers {
            key.parts.push(mark::SECTION);
            key.parts.extend(places.iter().map(|&(at, _)| at as u32));
            // Characters of it may have been written; one that stands for itself alone wrote itself.
            key.codes.push(match number.is_exact() {
                true => LITERAL,
                false => number.code_place(),
            });
            let several = |&(_, register): &(usize, RegisterPlace)| {
                self.model.interval(register.1, number.low)
                    != self.model.interval(register.1, number.high)
            };
            if places.iter().any(several) {
                key.spread.push((number, places));
            }
        }
    }

    /// Whether a register is live.
    fn is_live(&self, live: [u128; 2], side: usize, register: usize) -> bool {
        live[side] & self.sides[side].liveness.register(register) != 0
    }

    /// Where a side is, and what it may read again.
    fn place(&self, key: &mut Key, pair: &Pair, side: usize, live: u128) {
        let held = &pair.sides[side];
        let end = pair.input.len() as u32;
        key.parts.push(mark::SECTION);
        key.place(held.place);
        key.place(held.delivered);
        let mark = held.mark.filter(|_| live & Liveness::MARK != 0);
        key.place(held.next_start(mark));
        if let Some(mark) = mark {
            key.place(mark);
            key.reread.push((mark, held.place.max(mark)));
            self.behind(key, pair, mark);
        }
        if live & Liveness::MATCHED != 0
            && let Some((index, _)) = held.matched
        {
            key.parts.push(index);
        }
        self.behind(key, pair, held.place);
        if held.place >= end {
            return;
        }
        let waiting: String = pair.input.iter().skip(held.place as usize).collect();
        let state = held
            .state
            .and_then(|s| self.sides[side].runner.machine.states.get(s as usize));
        let (literals, is_name): (&[_], _) = match state.map(|state| &state.kind) {
            Some(StateKind::Consume(consume)) => (&consume.literals, false),
            Some(StateKind::Match { .. }) => {
                let mut names = self.sides[side].runner.references.iter();
                (&[], names.any(|(name, _)| name.starts_with(&waiting)))
            }
            _ => (&[], false),
        };
        let spelled = is_name || literals.iter().any(|it| it.text.starts_with(&waiting));
        if spelled {
            key.parts
                .extend(waiting.chars().map(|c| mark::LITERAL | c as u32));
        } else {
            // In whatever case each letter is.
            let begins = |text: &str| {
                let start = text.get(..waiting.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(&waiting))
            };
            for (index, literal) in (0..).zip(literals) {
                if literal.ignore_case && begins(&literal.text) {
                    key.parts
                        .extend([mark::LITERAL | index, waiting.len() as u32]);
                }
            }
            key.reread.push((held.place, end));
        }
        if live & Liveness::START_TAG != 0 {
            key.parts.push(name_progress(waiting.chars(), held, true));
        }
    }

    /// How much of each string that the last characters consumed are compared with stands before a place.
    fn behind(&self, key: &mut Key, pair: &Pair, place: u32) {
        let consumed = pair.input.get(..place as usize).unwrap_or_default();
        for text in &self.model.facts.behind {
            key.parts.push(overlap(text, consumed));
        }
    }

    /// Text registers.
    fn texts(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        let shared = |register: usize| (0..2).all(|side| self.is_live(live, side, register));
        for (register, held) in pair.sides[0].registers().iter().enumerate() {
            if !matches!(held, Register::Text(_)) || !shared(register) {
                continue;
            }
            let texts = [0, 1].map(|side| pair.sides[side].text_register(register as u32));
            key.emptiness(texts[0], texts[1]);
            match self.rest(texts[0], texts[1]) {
                Rest::Differ => {
                    key.parts.push(mark::DIFFER);
                    key.has_rest = true;
                    texts.iter().for_each(|text| key.text(text, &pair.input));
                }
                rest => self.write_rest(key, pair, rest),
            }
        }
        for (side, held) in pair.sides.iter().enumerate() {
            for (index, register) in held.registers().iter().enumerate() {
                let Register::Text(text) = register else {
                    continue;
                };
                if !self.is_live(live, side, index) {
                    continue;
                }
                if !shared(index) {
                    key.text(text, &pair.input);
                }
                let words = self.model.facts.words.iter();
                for words in words.filter(|words| words.register as usize == index) {
                    key.parts.push(word_progress(text, words));
                }
            }
        }
    }

    fn tokens(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        let count = pair.sides[0].tokens.len().max(pair.sides[1].tokens.len());
        for token in 0..count {
            let is_live = |side: usize| live[side] & self.sides[side].liveness.token(token) != 0;
            let get = |side: usize| {
                let token = pair.sides[side].tokens.get(token).filter(|_| is_live(side));
                token.map(|token| &**token)
            };
            let held = [get(0), get(1)];
            key.parts.push(mark::SECTION);
            key.parts
                .push(u32::from(held[0].is_some()) | u32::from(held[1].is_some()) << 1);
            for building in held.iter().flatten() {
                self.shape(key, building);
            }
            match held {
                [Some(one), Some(other)] => self.write_both(key, pair, token, [one, other]),
                [None, None] => {}
                [one, other] => {
                    let building = one.or(other).into_iter();
                    for value in building.flat_map(|building| &building.fields) {
                        write_value(key, value, &pair.input);
                    }
                }
            }
        }
    }

    /// How the strings that are copied out of stand to each other: if one is the beginning of the other.
    fn relations(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        for (side, &live) in live.iter().enumerate() {
            let liveness = &self.sides[side].liveness;
            let copied = self.model.facts.copied.iter();
            let texts = copied.map(|copied| {
                let text = pair.sides[side].copied(*copied);
                text.filter(|_| live & liveness.copied(*copied) != 0)
            });
            let texts: Vec<&[Symbol]> = texts.flatten().collect();
            for (index, one) in texts.iter().enumerate() {
                for other in &texts[index + 1..] {
                    key.parts.push(match self.rest(one, other) {
                        Rest::Nothing => 0,
                        Rest::Of(side, _) => 1 + side as u32,
                        Rest::Differ => mark::DIFFER,
                    });
                }
            }
        }
    }

    /// Marks the characters of each string that is copied out of as characters of that variable. Where both sides have the same
    /// string, the key does not say which, so another input with this key may have another one. Returns whether the strings of both
    /// sides are the same only by chance.
    pub(super) fn note_copied(&self, pair: &mut Pair) -> bool {
        let live = self.live(pair, 0) & self.live(pair, 1);
        let mut by_chance = false;
        for (number, copied) in (1..).zip(&self.model.facts.copied) {
            if live & self.sides[0].liveness.copied(*copied) == 0 {
                continue;
            }
            if let [Some(one), Some(other)] = [0, 1].map(|side| pair.sides[side].copied(*copied)) {
                let mut pairs = one.iter().zip(other);
                by_chance |= pairs.any(|(a, b)| self.same(*a, *b) && a.out_of != b.out_of);
            }
            for side in &mut pair.sides {
                let text = side.copied(*copied).into_iter().flatten();
                if text.into_iter().any(|symbol| symbol.out_of != number)
                    && let Some(text) = side.copied_mut(*copied)
                {
                    text.iter_mut().for_each(|symbol| symbol.out_of = number);
                }
            }
        }
        by_chance
    }

    /// Marks what a table has written of each other string that both sides have, and a sign that it begins with: the key says
    /// nothing of these, so another input with this key may have others there.
    pub(super) fn note_shared(&self, pair: &mut Pair) {
        let live = self.live(pair, 0) & self.live(pair, 1);
        let is_live = |place: TextPlace| live & self.sides[0].liveness.text(place) != 0;
        let [one, other] = pair.sides.each_ref().map(Configuration::texts);
        let mut marks: Vec<(TextPlace, usize, u16)> = Vec::new();
        let first = self.model.facts.copied.len() as u16 + 1;
        for (number, (place, one)) in (first..).zip(one) {
            let other = other.iter().find(|(it, _)| *it == place);
            let Some((_, other)) = other.filter(|_| is_live(place)) else {
                continue;
            };
            for (index, (a, b)) in one.iter().zip(*other).enumerate() {
                if !self.same(*a, *b) {
                    break;
                }
                if a.place == LITERAL || b.place == LITERAL {
                    marks.push((place, index, number));
                } else if index == 0 && is_sign(a.c) && self.model.alphabet.is_single(a.c) {
                    marks.push((place, index, FIRST));
                }
            }
        }
        for side in &mut pair.sides {
            for &(place, index, mark) in &marks {
                let is_marked = |text: &Text| text.get(index).is_none_or(|it| it.out_of != 0);
                if side.text(place).is_none_or(is_marked) {
                    continue;
                }
                let symbol = side.text_mut(place).and_then(|text| text.get_mut(index));
                symbol.into_iter().for_each(|it| it.out_of = mark);
            }
        }
    }

    /// A token under construction that both have.
    fn write_both(&self, key: &mut Key, pair: &Pair, token: usize, [one, other]: [&Building; 2]) {
        for (field, (left, right)) in (0..).zip(one.fields.iter().zip(&other.fields)) {
            match (left, right) {
                (Value::Text(left), Value::Text(right)) => {
                    key.emptiness(left, right);
                    let rest = self.rest(left, right);
                    let token = TokenId(token as u32);
                    let copied = Copied::Field(FieldId { token, field });
                    if matches!(rest, Rest::Differ) && self.model.facts.copied.contains(&copied) {
                        key.text(left, &pair.input);
                        key.text(right, &pair.input);
                    }
                    self.may_become_same(key, &rest, copied);
                    self.write_rest(key, pair, rest);
                }
                (Value::Flag(_), Value::Flag(_)) | (Value::Missing, Value::Missing) => {}
                (Value::Attributes(left), Value::Attributes(right))
                    if left.len() == right.len() =>
                {
                    let behind = (0..left.len() as u32).rev();
                    for (((a, b), (c, d)), behind) in left.iter().zip(right).zip(behind) {
                        let rests = [self.rest(a, c), self.rest(b, d)];
                        let parts = [AttributePart::Name, AttributePart::Value];
                        for (part, rest) in parts.into_iter().zip(rests) {
                            let token = TokenId(token as u32);
                            self.may_become_same(key, &rest, Copied::Attribute(token, part));
                            if !matches!(rest, Rest::Nothing) {
                                key.parts.push(2 * behind + part as u32);
                                self.write_rest(key, pair, rest);
                            }
                        }
                    }
                    // Only the last one can change.
                    if let (Some((a, b)), Some((c, d))) = (left.last(), right.last()) {
                        key.emptiness(a, c);
                        key.emptiness(b, d);
                    }
                    key.parts.push(mark::END);
                }
                _ => {
                    key.parts.push(mark::DIFFER);
                    write_value(key, left, &pair.input);
                    write_value(key, right, &pair.input);
                }
            }
        }
    }

    /// Strings that differ may become the same if one is written anew, which depends on what the key does not tell of them.
    fn may_become_same(&self, key: &mut Key, rest: &Rest<'_>, variable: Copied) {
        key.widened |=
            matches!(rest, Rest::Differ) && self.model.facts.set_anew.contains(&variable);
    }

    /// What is left of two strings that grow together.
    pub(super) fn rest<'t>(&self, one: &'t [Symbol], other: &'t [Symbol]) -> Rest<'t> {
        let common = one
            .iter()
            .zip(other)
            .take_while(|(a, b)| self.same(**a, **b))
            .count();
        match (&one[common..], &other[common..]) {
            ([], []) => Rest::Nothing,
            (rest, []) => Rest::Of(0, rest),
            ([], rest) => Rest::Of(1, rest),
            _ => Rest::Differ,
        }
    }

    fn write_rest(&self, key: &mut Key, pair: &Pair, rest: Rest<'_>) {
        key.has_rest |= !matches!(rest, Rest::Nothing);
        match rest {
            Rest::Nothing => key.parts.push(mark::END),
            Rest::Differ => {
                key.parts.push(mark::DIFFER);
            }
            Rest::Of(side, text) => {
                key.parts.push(side as u32);
                key.text(text, &pair.input);
            }
        }
    }

    /// What came out of one side and not yet of the other.
    fn pending(&self, key: &mut Key, pair: &Pair) {
        let mut text: Vec<Symbol> = Vec::new();
        for item in &pair.pending {
            if let Item::Character(symbol, start) = item {
                text.push(*symbol);
                start.iter().for_each(|start| key.place(*start));
                continue;
            }
            key.text(&std::mem::take(&mut text), &pair.input);
            match item {
                Item::RunEnd(start, end) => {
                    key.parts.push(mark::RUN_END);
                    key.place(*start);
                    key.place(*end);
                }
                Item::Character(..) => {}
                Item::Token(token) => {
                    key.place(token.span.0);
                    key.place(token.span.1);
                    key.parts
                        .extend([mark::TOKEN, token.token, token.building.kind]);
                    for value in &token.building.fields {
                        write_value(key, value, &pair.input);
                    }
                }
            }
        }
        key.text(&text, &pair.input);
    }
}

impl Product<'_, '_> {
    /// What is not text in a token under construction.
    pub(super) fn shape(&self, key: &mut Key, building: &Building) {
        key.parts.push(building.kind);
        for value in &building.fields {
            key.parts.push(match value {
                Value::Text(_) => 0,
                Value::Missing => mark::MISSING,
                Value::Flag(set) => u32::from(*set),
                Value::Attributes(all) => all.len().min(2) as u32,
            });
        }
        key.parts.push(u32::from(building.has_current));
        if !self.model.facts.duplicates {
            return;
        }
        // One may begin where no character is left that could tell it from these.
        let mut names = building.attributes().iter().map(|(name, _)| name);
        key.parts.push(u32::from(names.any(Vec::is_empty)));
        if let Some(((name, _), earlier)) = building.attributes().split_last()
            && building.has_current
        {
            let fits = |other: &[Symbol]| {
                other.len() >= name.len()
                    && characters(other).zip(characters(name)).all(|(a, b)| a == b)
            };
            let fitting = earlier.iter().filter(|(other, _)| fits(other));
            let fitting = fitting.map(|(other, _)| if other.len() == name.len() { 2 } else { 1 });
            key.parts.push(fitting.fold(0, |all, one| all | one));
        }
    }

    /// Names against the last start tag's.
    pub(super) fn start_tags(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        key.parts.push(mark::SECTION);
        let used = live.map(|live| live & Liveness::START_TAG != 0);
        let names = [0, 1].map(|side| pair.sides[side].last_start_tag.as_deref());
        for side in 0..2 {
            if !used[side] {
                continue;
            }
            let held = &pair.sides[side];
            key.parts.push(u32::from(names[side].is_some()));
            // What letters it has matters where letters are told apart.
            let letters = names[side]
                .into_iter()
                .flat_map(|name| characters(name))
                .take(LETTERS as usize);
            let kind = |c| {
                self.name_kinds()
                    .of_class
                    .get(usize::from(self.model.alphabet.class(c)))
            };
            key.parts
                .extend(letters.map(|c| kind(c).map_or(0, |kind| u32::from(*kind))));
            for (token, building) in held.tokens.iter().enumerate() {
                let field = self.sides[side]
                    .runner
                    .name_fields
                    .get(token)
                    .copied()
                    .flatten();
                if live[side] & self.sides[side].liveness.token(token) != 0
                    && let Some(name) = field.and_then(|field| building.fields.get(field))
                {
                    let name = characters(field_text(name));
                    key.parts.push(name_progress(name, held, false));
                }
            }
        }
        if used == [true, true]
            && let [Some(one), Some(other)] = names
            && !matches!(self.rest(one, other), Rest::Nothing)
        {
            key.parts.push(mark::DIFFER);
        }
    }
}

/// How a name stands to the last start tag's: none, other, the same, or how much is missing.
fn name_progress(name: impl Iterator<Item = char>, side: &Configuration, ignore_case: bool) -> u32 {
    let Some(last) = &side.last_start_tag else {
        return 0;
    };
    let mut last = characters(last);
    let fits = |a: char, b: char| a == b || ignore_case && a.eq_ignore_ascii_case(&b);
    for c in name {
        match last.next() {
            Some(expected) if fits(c, expected) => {}
            Some(_) => return 1,
            // Longer: for a waiting text that is one thing, for a name another.
            None => return if ignore_case { 5 } else { 1 },
        }
    }
    match last.count() {
        0 => 2,
        1 => 3,
        _ => 4,
    }
}

/// How far a string has got in the words it is compared with.
pub(super) fn word_progress(text: &[Symbol], words: &super::facts::Words) -> u32 {
    let mut code = 0;
    for (index, word) in (1..).zip(&words.words) {
        let fits = |(a, b): (char, char)| a == b || words.ignore_case && a.eq_ignore_ascii_case(&b);
        if text.len() <= word.chars().count() && characters(text).zip(word.chars()).all(fits) {
            code = index << 16 | text.len() as u32;
            // A longer word may go on where a shorter one ends.
            if text.len() < word.chars().count() {
                break;
            }
        }
    }
    code
}
