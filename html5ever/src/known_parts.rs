//! The parts of a tag, taken from the tokenizer while it gives the tag away: so they need not be read once more.

use std::cell::{Cell, RefMut};

use speclex::Span;

use crate::parts::{AttributeParts, Form, Reader, TagParts, is_space};
use crate::place::Place;

/// Parts of a tag as the tokenizer tells them. They are not known where its strings are no places in the text: of names in upper
/// case, of values with references, of a tag that starts in another text.
pub(crate) struct Known<'a> {
    parts: RefMut<'a, TagParts>,
    /// Set to false if something is not known.
    is_known: &'a Cell<bool>,
    bytes: &'a [u8],
    /// Offset of the text in the stream.
    offset: u64,
}

impl<'a> Known<'a> {
    /// Starts with the name of a tag.
    #[inline(always)]
    pub(crate) fn new(
        mut parts: RefMut<'a, TagParts>,
        is_known: &'a Cell<bool>,
        name: Place,
        (text, offset): (&'a str, u64),
    ) -> Self {
        parts.attributes.clear();
        is_known.set(true);
        let mut known = Self {
            parts,
            is_known,
            bytes: text.as_bytes(),
            offset,
        };
        known.parts.name = known.span(name);
        known
    }

    #[inline(always)]
    fn span(&self, place: Place) -> Span {
        if place.start >= self.bytes.len() {
            self.is_known.set(false);
        }
        let start = self.offset.wrapping_add(place.start as u64);
        let end = start.wrapping_add(place.length as u64);
        Span { start, end }
    }

    /// Adds an attribute.
    #[inline(always)]
    pub(crate) fn attribute(&mut self, name: Place, value: Place) {
        let (value, form) = match value.length {
            0 => self.empty_value(name),
            _ => (self.span(value), self.form(value)),
        };
        let name = self.span(name);
        self.parts
            .attributes
            .push(AttributeParts { name, value, form });
    }

    /// How a value is written that is not empty.
    #[inline(always)]
    fn form(&self, value: Place) -> Form {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or_default();
        let before = byte(value.start.wrapping_sub(1));
        let behind = byte(value.start.wrapping_add(value.length));
        // The value may be longer in the text than this string: `&amp;amp;` stands for `&amp;`, with which it begins. So what
        // is behind the string must be what ends a value.
        if matches!(before, b'"' | b'\'') && before == behind {
            return Form::Quoted;
        }
        if !matches!(before, b'=' | b' ') || !(is_space(behind) || behind == b'>') {
            self.is_known.set(false);
        }
        Form::Bare
    }

    /// A value that is empty or missing, behind a name.
    #[cold]
    fn empty_value(&self, name: Place) -> (Span, Form) {
        let mut reader = Reader {
            bytes: self.bytes,
            // Anywhere, if the name is not known.
            at: name.start.saturating_add(name.length).min(self.bytes.len()),
            offset: self.offset,
        };
        reader.value()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// The form of the value that is a part of a text, if it is known.
    fn form(text: &str, value: &str) -> Option<Form> {
        let start = text.find(value).expect("a part");
        let (parts, is_known) = (RefCell::default(), Cell::default());
        let place = Place::of(&text[1..2], text);
        let mut known = Known::new(parts.borrow_mut(), &is_known, place, (text, 0));
        known.attribute(place, Place::of(&text[start..start + value.len()], text));
        is_known.get().then(|| known.parts.attributes[0].form)
    }

    #[test]
    fn a_value_that_goes_on_behind_the_place_is_not_known() {
        for quote in ["\"", "'"] {
            let text = format!("<a b={quote}&amp;amp;{quote}>");
            assert_eq!(form(&text, "&amp;amp;"), Some(Form::Quoted));
            assert_eq!(form(&text, "&amp;"), None);
            assert_eq!(form(&text, "amp;"), None);
        }
        for end in [" ", ">", "\n"] {
            let text = format!("<a b=&amp;amp;{end}");
            assert_eq!(form(&text, "&amp;amp;"), Some(Form::Bare));
            assert_eq!(form(&text, "&amp;"), None);
            assert_eq!(form(&text, "amp;"), None);
        }
    }

    #[test]
    fn what_is_no_part_of_the_text_is_not_known() {
        let text = "<a b='c'>";
        let [tag, name, value] = [1, 3, 6].map(|at| Place::of(&text[at..=at], text));
        let other = "c".to_owned();
        let elsewhere = Place::of(&other, text);
        for (tag, name, value, expected) in [
            (tag, name, value, true),
            (elsewhere, name, value, false),
            (tag, elsewhere, value, false),
            (tag, name, elsewhere, false),
        ] {
            let (parts, is_known) = (RefCell::default(), Cell::default());
            let mut known = Known::new(parts.borrow_mut(), &is_known, tag, (text, 0));
            known.attribute(name, value);
            assert_eq!(is_known.get(), expected);
        }
    }
}
