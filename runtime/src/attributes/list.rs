//! The attributes of a tag under construction: those complete, and one that is not.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Attributes, OWN, Part};
use crate::buffer::{Buffer, ROOM};
use crate::duplicates::{Duplicates, MANY};
use crate::held::{Held, Seal};
use crate::input::Input;
use crate::offset::Offset;

/// The attributes of a tag under construction.
#[derive(Debug, Default)]
pub struct AttributeList {
    parts: Vec<(Part, Part)>,
    own: String,
    /// So many of the first parts are in the list's own characters since an input went.
    detached: usize,
    duplicates: Duplicates,
    /// The name of the attribute under construction.
    pub name: Buffer,
    /// The value of the attribute under construction.
    pub value: Buffer,
    /// Whether there is an attribute under construction that has not been dropped.
    open: bool,
    /// The numbers of parts and of own bytes at which the list stops growing.
    sealed: (usize, usize),
}

impl AttributeList {
    /// Makes it empty.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.open = false;
        self.parts.clear();
        self.own.clear();
        self.detached = 0;
        // Only many names are in there.
        if !self.duplicates.is_empty() {
            self.duplicates.clear();
        }
    }

    /// Starts a new attribute, with its name expected from `at` on.
    #[inline(always)]
    pub fn start(&mut self, input: Input<'_>, at: usize) {
        self.close(input);
        self.name.clear(at);
        self.value.clear(at);
        self.open = true;
    }

    /// Adds the attribute under construction to the complete ones.
    #[inline(always)]
    pub fn close(&mut self, input: Input<'_>) {
        if self.open {
            self.open = false;
            match (self.name.range(), self.value.range()) {
                (Some(name), Some(value)) => self.parts.push((Part::of(name), Part::of(value))),
                _ => self.close_own(input),
            }
        }
    }

    /// The same, when one of its strings is not a range of the input.
    #[cold]
    fn close_own(&mut self, input: Input<'_>) {
        if self.name.is_held() && self.hold_more(input) {
            return;
        }
        let [name, value] = [&self.name, &self.value].map(|buffer| match buffer.range() {
            Some(range) => Part::of(range),
            None => Part::own(buffer.get(input), &mut self.own),
        });
        self.parts.push((name, value));
    }

    /// Makes it grow no more. It must be independent of the input.
    fn seal(&mut self, seal: Seal) {
        let gone = Input::new("");
        if self.is_duplicate(gone) {
            self.drop_current();
        }
        self.close(gone);
        // Its name may not be complete. Wherever the input was cut, the attribute is the last one.
        let own = &self.own;
        if self
            .parts
            .last()
            .is_some_and(|(_, value)| value.get("", own).is_empty())
        {
            self.parts.pop();
        }
        if seal == Seal::Drop {
            self.clear();
            self.own = String::new();
        }
        self.sealed = (self.parts.len(), self.own.len());
    }

    /// Takes out what has come since it was to grow no more: of one character, which was not the end of the tag.
    fn take_out(&mut self) {
        let (parts, own) = self.sealed;
        self.parts.truncate(parts);
        self.own.truncate(own);
        self.detached = parts;
        self.name.clear(0);
        self.value.clear(0);
        self.open = false;
    }

    /// Makes the name under construction empty; it is expected from `at` on.
    pub fn clear_name(&mut self, input: Input<'_>, at: usize) {
        self.reopen_held(input);
        self.name.clear(at);
    }

    /// Makes the value under construction empty; it is expected from `at` on.
    pub fn clear_value(&mut self, input: Input<'_>, at: usize) {
        self.reopen_held(input);
        self.value.clear(at);
    }

    /// Whether the attribute under construction is among the complete ones, but for what came after an input went.
    #[inline]
    fn is_held(&self) -> bool {
        self.open && self.name.is_held()
    }

    /// Puts the attribute under construction among the complete ones, when its value has begun and both are in the input: when
    /// that goes they are copied together, and of what comes later only the value once more.
    #[inline]
    fn hold(&mut self, input: Input<'_>) -> bool {
        if self.name.is_held() {
            return self.hold_more(input);
        }
        match (self.name.range(), self.value.range()) {
            (Some(name), Some(value)) if value.0 < value.1 => {
                self.parts.push((Part::of(name), Part::of(value)));
                self.name.hold();
                self.value.clear(0);
                true
            }
            _ => false,
        }
    }

    /// Adds what came later to the value. When more was appended to the name, the attribute is no longer among the complete
    /// ones, and the answer `false`.
    fn hold_more(&mut self, input: Input<'_>) -> bool {
        if !self.name.get(input).is_empty() {
            self.reopen(input);
            return false;
        }
        if let Some((_, value)) = self.parts.last_mut() {
            if value.end as usize != self.own.len() {
                // In the input it stood before the name: it is copied once more.
                let start = self.own.len() as Offset | OWN;
                self.own
                    .extend_from_within((value.start & !OWN) as usize..value.end as usize);
                value.start = start;
            }
            self.own.push_str(self.value.get(input));
            value.end = self.own.len() as Offset;
        }
        self.value.clear(0);
        true
    }

    fn reopen_held(&mut self, input: Input<'_>) {
        if self.is_held() {
            self.reopen(input);
        }
    }

    /// Takes the attribute under construction from among the complete ones.
    #[cold]
    fn reopen(&mut self, input: Input<'_>) {
        if let Some((name, value)) = self.parts.pop() {
            let own = &self.own;
            self.name.take_back(input, name.get_own("", own));
            self.value.take_back(input, value.get_own("", own));
            self.detached = self.parts.len();
        }
    }

    /// Drops the attribute under construction; what is appended to it later is lost.
    pub fn drop_current(&mut self) {
        if self.is_held() {
            self.parts.pop();
            self.detached = self.parts.len();
        }
        self.open = false;
    }

    /// Adds a whole attribute: two ranges of the input. Leaves it out and returns `false` when another has its name.
    #[inline(always)]
    pub fn add(&mut self, input: Input<'_>, name: (usize, usize), value: (usize, usize)) -> bool {
        self.close(input);
        if self.has_length(Some(name)) && self.has_name(input, input.slice(name.0, name.1)) {
            return false;
        }
        self.parts.push((Part::of(name), Part::of(value)));
        true
    }

    /// Whether a complete attribute has the name of the one under construction.
    #[inline]
    pub fn is_duplicate(&mut self, input: Input<'_>) -> bool {
        self.open && self.has_length(self.name.range()) && self.is_repeated(input)
    }

    /// Whether a complete attribute may have a name of this range: names of one tag mostly differ in length.
    #[inline(always)]
    fn has_length(&self, range: Option<(usize, usize)>) -> bool {
        let parts = &self.parts;
        match range {
            Some((start, end)) if parts.len() < MANY => {
                parts.iter().any(|(name, _)| name.len() == end - start)
            }
            _ => !parts.is_empty(),
        }
    }

    #[inline(never)]
    fn is_repeated(&mut self, input: Input<'_>) -> bool {
        self.reopen_held(input);
        let name = core::mem::take(&mut self.name);
        let is_repeated = self.has_name(input, name.get(input));
        self.name = name;
        is_repeated
    }

    #[inline(never)]
    fn has_name(&mut self, input: Input<'_>, name: &str) -> bool {
        let (parts, text) = (&self.parts, input.text());
        let own = &self.own;
        if parts.len() < MANY {
            let is_name = |part: Part| {
                part.len() == name.len() && part.get(text, own).bytes().eq(name.bytes())
            };
            return parts.iter().any(|(part, _)| is_name(*part));
        }
        let lookup = |index: u32| parts[index as usize].0.get(text, own);
        self.duplicates.contains(name, parts.len() as u32, lookup)
    }

    /// Whether there is a complete one.
    #[inline(always)]
    pub fn has_complete(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Whether there is none, complete or not.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && !self.open
    }

    /// The complete attributes.
    #[inline(always)]
    pub fn view<'a>(&'a self, input: Input<'a>) -> Attributes<'a> {
        Attributes {
            input: input.text(),
            own: &self.own,
            parts: &self.parts,
        }
    }

    /// Makes it independent of the input, which is about to go.
    pub fn detach(&mut self, input: Input<'_>, held: &mut Held) {
        if let Some((seal, is_first)) = held.seal_of_list() {
            if is_first {
                self.detach(input, &mut Held::default());
                self.seal(seal);
            }
            self.take_out();
            held.attributes(self.parts.len(), self.own.len());
            return;
        }
        let is_held = self.open && self.hold(input);
        let new = self.parts.get_mut(self.detached..).unwrap_or_default();
        // They stand close together: one copy holds them all.
        let (mut from, mut to) = (OWN, 0);
        for (name, value) in new.iter() {
            for part in [name, value] {
                // The start of one that is in the list's own characters is greater.
                if part.start < OWN {
                    (from, to) = (from.min(part.start), to.max(part.end));
                }
            }
        }
        if from <= to {
            let copy = self.own.len() as Offset;
            self.own.reserve(ROOM);
            self.own.push_str(input.slice(from as usize, to as usize));
            for (name, value) in new.iter_mut() {
                for part in [name, value] {
                    if part.start < OWN {
                        part.start = (part.start - from + copy) | OWN;
                        part.end = part.end - from + copy;
                    }
                }
            }
        }
        self.detached = self.parts.len();
        if is_held {
            // Its characters are where those of the complete ones are.
        } else if self.open {
            self.name.detach(input, held);
            self.value.detach(input, held);
        } else {
            // What they hold belongs to no attribute, and may be of an input that went long ago.
            self.name.clear(0);
            self.value.clear(0);
        }
        let unfinished = usize::from(self.open && !is_held);
        held.attributes(self.parts.len() + unfinished, self.own.len());
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    /// What a list should hold.
    #[derive(Default)]
    struct Model {
        complete: Vec<(String, String)>,
        current: (String, String),
        open: bool,
    }

    impl Model {
        fn close(&mut self) {
            if core::mem::take(&mut self.open) {
                self.complete.push(self.current.clone());
            }
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) as usize % bound
        }
    }

    /// One input, in which the list's attributes are continued, closed and dropped in any order.
    fn one_input(list: &mut AttributeList, model: &mut Model, text: &str, random: &mut Random) {
        let input = Input::new(text);
        let mut at = 0;
        for _ in 0..random.below(8) {
            let run = (at, (at + random.below(9)).min(text.len() - 1));
            let string = ["é", "ab", "x", ""][random.below(4)];
            match random.below(14) {
                0 | 1 => {
                    list.start(input, at);
                    model.close();
                    model.current = Default::default();
                    model.open = true;
                }
                2 | 3 => {
                    list.name.push_run(input, run.0, run.1);
                    model.current.0 += &text[run.0..run.1];
                    at = run.1;
                }
                4..=7 => {
                    list.value.push_run(input, run.0, run.1);
                    model.current.1 += &text[run.0..run.1];
                    at = run.1;
                }
                8 => {
                    list.value.push_str(input, string);
                    model.current.1 += string;
                }
                9 => {
                    list.name.push_str(input, string);
                    model.current.0 += string;
                }
                10 => {
                    list.clear_value(input, at);
                    model.current.1.clear();
                }
                11 => {
                    list.clear_name(input, at);
                    model.current.0.clear();
                }
                12 => {
                    let has_name = |(name, _): &(String, String)| *name == model.current.0;
                    let wanted = model.open && model.complete.iter().any(has_name);
                    assert_eq!(list.is_duplicate(input), wanted);
                }
                _ => {
                    list.drop_current();
                    model.open = false;
                }
            }
            if random.below(5) == 0 {
                list.close(input);
                model.close();
                let found = list.view(input).to_vec();
                assert_eq!(found, model.complete);
            }
        }
    }

    #[test]
    fn inputs_may_go_at_any_time() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for _ in 0..20_000 {
            let (mut list, mut model) = (AttributeList::default(), Model::default());
            for _ in 0..2 {
                for _ in 0..random.below(6) {
                    let length = 1 + random.below(20);
                    let text: String = (0..length)
                        .map(|_| ["a", "b", "ab"][random.below(3)])
                        .collect();
                    one_input(&mut list, &mut model, &text, &mut random);
                    list.detach(Input::new(&text), &mut Held::default());
                }
                list.close(Input::new(""));
                model.close();
                let found = list.view(Input::new(""));
                assert_eq!(found.to_vec(), model.complete);
                assert_eq!(list.is_empty(), model.complete.is_empty());
                list.clear();
                model.complete.clear();
            }
        }
    }

    #[test]
    fn what_is_held_is_copied_once() {
        let mut list = AttributeList::default();
        let first = Input::new("a=bc");
        list.start(first, 0);
        list.name.push_run(first, 0, 1);
        list.value.push_run(first, 2, 4);
        list.detach(first, &mut Held::default());
        assert_eq!(list.own, "a=bc");
        let next = Input::new("de f");
        list.value.push_run(next, 0, 2);
        list.detach(next, &mut Held::default());
        assert_eq!(list.own, "a=bcde");
        list.close(next);
        let all = list.view(next).to_vec();
        assert_eq!(all, [("a".to_string(), "bcde".to_string())]);
        assert_eq!(list.own, "a=bcde");
    }
}
