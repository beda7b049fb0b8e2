//! What two machines will do from here on: the state of the search, without letters.
//!
//! Two pairs with the same key behave alike. Strings that both sides have in common are left out; of the
//! rest only remains which parts of the input they are, by order and not by place. What a string may
//! yet be compared with is kept: how far it has got in each word, and with the last start tag's name.

use speclex_codegen::machine::StateKind;

use super::key_names::{against, overlap, progress};
use super::key_parts::{Key, mark, write_value};
use super::liveness::Liveness;
use super::pair::{Pair, Product};
use super::side::{Building, Register, Side, Symbol, Value};
use super::steps::Item;

/// What is left of two strings without what they have in common.
pub(super) enum Rest<'t> {
    Nothing,
    Of(usize, &'t [Symbol]),
    Differ,
}

impl Product<'_> {
    /// The key of a pair.
    pub(super) fn key(&self, pair: &Pair, corresponds: &dyn Fn(u32, u32) -> bool) -> Key {
        let mut key = Key::default();
        let end = pair.input.len() as u32;
        let live = [self.live(pair, 0), self.live(pair, 1)];
        let [one, other] = &pair.sides;
        key.apart |= match (one.state, other.state) {
            (Some(a), Some(b)) => !corresponds(a, b),
            (a, b) => a != b,
        };
        self.registers(&mut key, pair, live, corresponds);
        for (side, &live) in live.iter().enumerate() {
            self.place(&mut key, pair, side, live);
        }
        key.apart |= one.place != other.place || one.delivered != other.delivered;
        let marks = [0, 1].map(|side| {
            pair.sides[side]
                .mark
                .filter(|_| live[side] & Liveness::MARK != 0)
        });
        key.apart |= marks[0] != marks[1];
        let spans = (one.token_start, one.run) == (other.token_start, other.run);
        key.parts.push(u32::from(spans));
        if !spans {
            key.apart = true;
            let ends = |side: &Side| side.run.map(|run| run.1);
            let starts = |side: &Side| side.run.map(|run| run.0);
            let orders = [
                one.token_start.cmp(&other.token_start),
                starts(one).cmp(&starts(other)),
                ends(one).cmp(&ends(other)),
            ];
            key.parts
                .extend(orders.map(|order| order as i8 as u8 as u32));
        }
        self.texts(&mut key, pair, live);
        self.tokens(&mut key, pair, live);
        self.start_tags(&mut key, pair, live);
        key.parts.push(mark::SECTION);
        key.apart |= !pair.pending.is_empty();
        key.parts.push(pair.ahead as u32);
        self.pending(&mut key, pair);
        for errors in &pair.errors {
            key.parts.push(mark::SECTION);
            key.apart |= !errors.is_empty();
            for error in errors {
                key.parts.push(error.code);
                key.place(error.place);
            }
        }
        key.finish(self, pair, end);
        key
    }

    fn registers(
        &self,
        key: &mut Key,
        pair: &Pair,
        live: [u128; 2],
        corresponds: &dyn Fn(u32, u32) -> bool,
    ) {
        let mut numbers: Vec<(u32, Vec<usize>, (u32, u32))> = Vec::new();
        for (side, &live) in live.iter().enumerate() {
            let held = &pair.sides[side];
            key.parts
                .push(held.state.map_or(mark::ABSENT, |state| state));
            for (index, register) in held.registers.iter().enumerate() {
                if live & self.liveness[side].register(index) == 0 {
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
                        key.parts.push(self.interval(number.value) as u32);
                        let equal = numbers
                            .iter_mut()
                            .find(|(value, ..)| *value == number.value);
                        match equal {
                            Some((_, places, (low, high))) => {
                                places.push(at);
                                *low = number.low.min(*low);
                                *high = number.high.max(*high);
                            }
                            None => {
                                numbers.push((number.value, vec![at], (number.low, number.high)));
                            }
                        }
                    }
                    Register::Text(_) => {}
                }
            }
        }
        for (_, places, _) in &numbers {
            key.parts.push(mark::SECTION);
            key.parts.extend(places.iter().map(|&at| at as u32));
        }
        for (_, places, (low, high)) in numbers {
            let intervals = (self.interval(low), self.interval(high));
            if intervals.0 != intervals.1 {
                key.spread.push((places, intervals.0, intervals.1));
            }
        }
        self.compare_registers(key, pair, live, corresponds);
    }

    /// Whether registers that both have by the same name hold the same.
    fn compare_registers(
        &self,
        key: &mut Key,
        pair: &Pair,
        live: [u128; 2],
        corresponds: &dyn Fn(u32, u32) -> bool,
    ) {
        for (left, right) in self.shared_registers(live) {
            let same = match (
                &pair.sides[0].registers[left],
                &pair.sides[1].registers[right],
            ) {
                (Register::State(a), Register::State(b)) => corresponds(*a, *b),
                (Register::Finite(a), Register::Finite(b)) => a == b,
                (Register::Character(a), Register::Character(b)) => a == b,
                (Register::Number(a), Register::Number(b)) => a.value == b.value,
                (Register::Text(_), Register::Text(_)) => true,
                _ => false,
            };
            key.apart |= !same;
        }
    }

    /// Registers that are live on both sides and have the same name.
    fn shared_registers(&self, live: [u128; 2]) -> Vec<(usize, usize)> {
        let is_live = |&(left, right): &(usize, usize)| {
            live[0] & self.liveness[0].register(left) != 0
                && live[1] & self.liveness[1].register(right) != 0
        };
        let named = self.named_alike.iter().copied();
        named.filter(is_live).collect()
    }

    /// Where a side is, and what it may read again.
    fn place(&self, key: &mut Key, pair: &Pair, side: usize, live: u128) {
        let held = &pair.sides[side];
        let end = pair.input.len() as u32;
        key.parts.push(mark::SECTION);
        key.place(held.place);
        key.place(held.delivered);
        if live & Liveness::MARK != 0
            && let Some(mark) = held.mark
        {
            key.place(mark);
            key.reread.push((mark, held.place.max(mark)));
        }
        if live & Liveness::MATCHED != 0
            && let Some((index, _)) = held.matched
        {
            key.parts.push(index);
        }
        let consumed = pair.input.get(..held.place as usize).unwrap_or_default();
        for text in &self.facts[side].behind {
            key.parts.push(overlap(text, consumed));
        }
        if held.place >= end {
            return;
        }
        let waiting: String = pair.input.iter().skip(held.place as usize).collect();
        let state = held
            .state
            .and_then(|s| self.runners[side].machine.states.get(s as usize));
        let spelled = match state.map(|state| &state.kind) {
            Some(StateKind::Match { .. }) => {
                let mut names = self.runners[side].references.iter();
                names.any(|(name, _)| name.starts_with(&waiting))
            }
            Some(StateKind::Consume(consume)) => consume.literals.iter().any(|literal| {
                let start = literal.text.get(..waiting.len());
                start.is_some_and(|start| {
                    start == waiting || literal.ignore_case && start.eq_ignore_ascii_case(&waiting)
                })
            }),
            _ => false,
        };
        if spelled {
            key.parts
                .extend(waiting.chars().map(|c| mark::LITERAL | c as u32));
        } else {
            key.reread.push((held.place, end));
        }
        if live & Liveness::START_TAG != 0 {
            key.parts.push(against(&waiting, held, true));
        }
    }

    /// Text registers.
    fn texts(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        let shared = self.shared_registers(live);
        for &(left, right) in &shared {
            let texts = [
                pair.sides[0].text_register(left as u32),
                pair.sides[1].text_register(right as u32),
            ];
            match self.rest(texts[0], texts[1]) {
                Rest::Differ => {
                    key.apart = true;
                    key.parts.push(mark::DIFFER);
                    texts.iter().for_each(|text| key.text(text, &pair.input));
                }
                rest => self.write_rest(key, pair, rest),
            }
        }
        for side in 0..2 {
            let held = &pair.sides[side];
            for (index, register) in held.registers.iter().enumerate() {
                let Register::Text(text) = register else {
                    continue;
                };
                if live[side] & self.liveness[side].register(index) == 0 {
                    continue;
                }
                let pairs = shared.iter().map(|&pair| [pair.0, pair.1][side]);
                if !pairs.into_iter().any(|shared| shared == index) {
                    key.text(text, &pair.input);
                }
                let words = self.facts[side].words.iter();
                for words in words.filter(|words| words.register as usize == index) {
                    key.parts.push(progress(text, words));
                }
            }
        }
    }

    fn tokens(&self, key: &mut Key, pair: &Pair, live: [u128; 2]) {
        let count = pair.sides[0].tokens.len().max(pair.sides[1].tokens.len());
        for token in 0..count {
            let is_live = |side: usize| live[side] & self.liveness[side].token(token) != 0;
            let get = |side: usize| {
                let token = pair.sides[side].tokens.get(token).filter(|_| is_live(side));
                token.map(|token| &**token)
            };
            let held = [get(0), get(1)];
            key.parts.push(mark::SECTION);
            key.parts
                .push(u32::from(held[0].is_some()) | u32::from(held[1].is_some()) << 1);
            for (side, building) in held.iter().enumerate() {
                if let Some(building) = building {
                    self.shape(key, building, side);
                }
            }
            match held {
                [Some(one), Some(other)] => self.both(key, pair, one, other),
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

    /// A token under construction that both have.
    fn both(&self, key: &mut Key, pair: &Pair, one: &Building, other: &Building) {
        key.apart |= one.kind != other.kind || one.has_current != other.has_current;
        for (left, right) in one.fields.iter().zip(&other.fields) {
            match (left, right) {
                (Value::Text(left), Value::Text(right)) => {
                    self.write_rest(key, pair, self.rest(left, right));
                }
                (Value::Flag(a), Value::Flag(b)) => key.apart |= a != b,
                (Value::Missing, Value::Missing) => {}
                (Value::Attributes(left), Value::Attributes(right)) => {
                    if left.len() != right.len() {
                        key.apart = true;
                        key.parts.push(mark::DIFFER);
                        write_value(key, &Value::Attributes(left.clone()), &pair.input);
                        write_value(key, &Value::Attributes(right.clone()), &pair.input);
                        continue;
                    }
                    for ((a, b), (c, d)) in left.iter().zip(right) {
                        let rests = [self.rest(a, c), self.rest(b, d)];
                        for rest in rests {
                            if !matches!(rest, Rest::Nothing) {
                                self.write_rest(key, pair, rest);
                            }
                        }
                    }
                    key.parts.push(mark::END);
                }
                _ => {
                    key.apart = true;
                    write_value(key, left, &pair.input);
                    write_value(key, right, &pair.input);
                }
            }
        }
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
        match rest {
            Rest::Nothing => key.parts.push(mark::END),
            Rest::Differ => {
                key.apart = true;
                key.parts.push(mark::DIFFER);
            }
            Rest::Of(side, text) => {
                key.apart = true;
                key.parts.push(side as u32);
                key.text(text, &pair.input);
            }
        }
    }

    /// What came out of one side and not yet of the other.
    fn pending(&self, key: &mut Key, pair: &Pair) {
        let mut text: Vec<Symbol> = Vec::new();
        for item in &pair.pending {
            if let Item::Character(symbol) = item {
                text.push(*symbol);
                continue;
            }
            key.text(&std::mem::take(&mut text), &pair.input);
            match item {
                Item::RunEnd(..) | Item::Character(..) => key.parts.push(mark::RUN_END),
                Item::Token(token) => {
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
