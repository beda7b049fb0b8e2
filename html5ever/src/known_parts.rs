//! The parts of a tag, taken from the tokenizer while it gives the tag away: so they need not be read once more.

use std::cell::{Cell, RefMut};

use speclex::Span;

use crate::parts::{AttributeParts, Form, Reader, TagParts, is_space};
use crate::place::Place;

/// Parts of a tag as the tokenizer tells them. They are not known where its names are no places in the text: those in upper case,
/// and of a tag that starts in another text. A value that is no place, such as one with a reference, is read behind its name.
pub(crate) struct Known<'a> {
    parts: RefMut<'a, TagParts>,
    /// Set to false if something is not known.
    is_known: &'a Cell<bool>,
    text: &'a str,
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
            text,
            offset,
        };
        known.parts.name = known.name(name);
        known
    }

    #[inline(always)]
    fn name(&self, place: Place) -> Span {
        if place.start >= self.text.len() {
            self.is_known.set(false);
        }
        self.span(place)
    }

    #[inline(always)]
    fn span(&self, place: Place) -> Span {
        let start = self.offset.wrapping_add(place.start as u64);
        let end = start.wrapping_add(place.length as u64);
        Span { start, end }
    }

    /// Adds an attribute.
    #[inline(always)]
    pub(crate) fn attribute(&mut self, name: Place, value: Place) {
        let (value, form) = match self.form(value) {
            Some(form) => (self.span(value), form),
            None => self.read_value(name),
        };
        let name = self.name(name);
        self.parts
            .attributes
            .push(AttributeParts { name, value, form });
    }

    /// How a value is written that stands in the text as it is.
    #[inline(always)]
    fn form(&self, value: Place) -> Option<Form> {
        let byte = |at: usize| self.text.as_bytes().get(at).copied();
        let (before, behind) = (
            byte(value.start.wrapping_sub(1))?,
            byte(value.start.wrapping_add(value.length))?,
        );
        if value.length == 0 {
            return None;
        }
        // The value may be longer in the text than this string: `&amp;amp;` stands for `&amp;`, with which it begins. So what
        // is behind the string must be what ends a value.
        if before == behind && (before == b'"' || before == b'\'') {
            return Some(Form::Quoted);
        }
        is_bare(before, behind).then_some(Form::Bare)
    }

    /// Reads the value behind a name.
    #[cold]
    fn read_value(&self, name: Place) -> (Span, Form) {
        let mut reader = Reader {
            text: self.text,
            // Anywhere, if the name is not known.
            at: name.start.saturating_add(name.length).min(self.text.len()),
            offset: self.offset,
        };
        reader.value()
    }
}

/// Whether a value without quotes has these bytes before and behind it.
// A call of its own: most values have quotes.
#[cold]
fn is_bare(before: u8, behind: u8) -> bool {
    matches!(before, b'=' | b' ') && (is_space(behind) || behind == b'>')
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// The value's form, if the part of the text is the whole of it.
    fn form(text: &str, value: &str) -> Option<Form> {
        let start = text.find(value).expect("a part");
        let (parts, is_known) = (RefCell::default(), Cell::default());
        let place = Place::of(&text[1..2], text);
        let known = Known::new(parts.borrow_mut(), &is_known, place, (text, 0));
        known.form(Place::of(&text[start..start + value.len()], text))
    }

    #[test]
    fn a_value_that_goes_on_behind_the_place_is_read() {
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
            (tag, name, elsewhere, true),
        ] {
            let (parts, is_known) = (RefCell::default(), Cell::default());
            let mut known = Known::new(parts.borrow_mut(), &is_known, tag, (text, 0));
            known.attribute(name, value);
            assert_eq!(is_known.get(), expected);
            let attribute = &known.parts.attributes[0];
            let is_read = attribute.value == Span { start: 6, end: 7 };
            assert!(!expected || is_read && attribute.form == Form::Quoted);
        }
    }
}
