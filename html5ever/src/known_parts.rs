//! The parts of a tag, taken from the tokenizer while it gives the tag away: so they need not be read once more.

use std::cell::{Cell, RefMut};

use speclex::Span;
use speclex::parts::{AttributeParts, Form, Reader, TagParts, is_space};

use crate::place::Place;

/// Parts of a start tag as the tokenizer tells them. What it tells as no place in the text is read there: names in upper case, and
/// values with references. Of a tag that starts in another text they are not known.
pub(crate) struct Known<'a> {
    parts: RefMut<'a, TagParts>,
    /// Set to false if something is not known.
    is_known: &'a Cell<bool>,
    text: &'a str,
    /// Offset of the text in the stream.
    offset: u64,
}

impl<'a> Known<'a> {
    /// Nothing yet.
    #[inline(always)]
    pub(crate) fn new(
        parts: RefMut<'a, TagParts>,
        is_known: &'a Cell<bool>,
        (text, offset): (&'a str, u64),
    ) -> Self {
        is_known.set(true);
        Self {
            parts,
            is_known,
            text,
            offset,
        }
    }

    /// Starts with the name of a tag, and whether it ends in `/>`.
    #[inline(always)]
    pub(crate) fn name(&mut self, name: Place, tag: Span, has_slash: bool) {
        self.parts.attributes.clear();
        self.parts.name = match self.is_part(name) {
            true => self.span(name),
            false => self.read_name(tag.start),
        };
        self.parts.slash = has_slash.then(|| Span {
            start: tag.end - 2,
            end: tag.end - 1,
        });
    }

    #[inline(always)]
    fn is_part(&self, place: Place) -> bool {
        place.start < self.text.len()
    }

    #[inline(always)]
    fn span(&self, place: Place) -> Span {
        let start = self.offset.wrapping_add(place.start as u64);
        let end = start.wrapping_add(place.length as u64);
        Span { start, end }
    }

    /// Adds an attribute.
    #[inline(always)]
    pub(crate) fn attribute(&mut self, told: &str, value: &str) {
        let (name, value) = (Place::of(told, self.text), Place::of(value, self.text));
        if let Some(form) = self.form(value)
            && self.is_part(name)
        {
            let attribute = AttributeParts::new(self.span(name), (self.span(value), form));
            self.parts.attributes.push(attribute);
        } else {
            self.read_attribute(told);
        }
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

    /// Reads the name of the tag, if it starts in this text.
    #[cold]
    fn read_name(&self, start: u64) -> Span {
        match start.checked_sub(self.offset) {
            Some(at) => self.reader(at as usize + 1).tag_name(),
            None => {
                self.is_known.set(false);
                Span::default()
            }
        }
    }

    /// Adds an attribute that is read: where its name is or, if that is no place, behind the one before. If another one stands there,
    /// nothing is known.
    #[cold]
    #[inline(never)]
    fn read_attribute(&mut self, told: &str) {
        let name = Place::of(told, self.text);
        let attribute = if self.is_part(name) {
            let value = self.reader(name.start + name.length).value();
            Some(AttributeParts::new(self.span(name), value))
        } else {
            let before = self.parts.attributes.last();
            let end = before.map_or(self.parts.name, AttributeParts::span).end;
            let at = end.checked_sub(self.offset);
            at.and_then(|at| self.reader(at as usize).attribute())
                .filter(|(name, _)| self.is_written(*name, told))
                .map(|(name, value)| AttributeParts::new(name, value))
        };
        match attribute {
            Some(attribute) => self.parts.attributes.push(attribute),
            None => self.is_known.set(false),
        }
    }

    /// Whether a name is written here.
    fn is_written(&self, name: Span, told: &str) -> bool {
        let [start, end] = [name.start, name.end].map(|at| (at - self.offset) as usize);
        let written = self.text.get(start..end);
        written.is_some_and(|written| written.eq_ignore_ascii_case(told))
    }

    fn reader(&self, at: usize) -> Reader<'a> {
        Reader {
            text: self.text,
            at,
            offset: self.offset,
        }
    }
}

/// Whether a value without quotes has these bytes before and behind it.
// A call of its own: most values have quotes.
#[cold]
#[inline(never)]
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
        let known = Known::new(parts.borrow_mut(), &is_known, (text, 0));
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
    fn what_is_no_part_of_the_text_is_read_there_or_not_known() {
        let text = "<p><a b='c'>";
        let [tag, name, value] = [4, 6, 9].map(|at| &text[at..=at]);
        let others = ["a", "b", "c", "d"].map(str::to_owned);
        let [other_tag, other_name, other_value, wrong] = others.each_ref().map(|s| &**s);
        for (tag, name, value, offset, is_expected) in [
            (tag, name, value, 0, true),
            (other_tag, name, value, 0, true),
            (tag, other_name, value, 0, true),
            (tag, name, other_value, 0, true),
            (other_tag, other_name, other_value, 0, true),
            // It starts in another text.
            (other_tag, name, value, 4, false),
            // Another attribute stands there.
            (tag, wrong, value, 0, false),
        ] {
            let (parts, is_known) = (RefCell::default(), Cell::default());
            let mut known = Known::new(parts.borrow_mut(), &is_known, (text, offset));
            let span = Span {
                start: 3,
                end: text.len() as u64,
            };
            known.name(Place::of(tag, text), span, false);
            known.attribute(name, value);
            drop(known);
            assert_eq!(is_known.get(), is_expected);
            let expected = TagParts::of(&text[3..], 3);
            assert!(!is_expected || *parts.borrow() == expected);
        }
    }
}
