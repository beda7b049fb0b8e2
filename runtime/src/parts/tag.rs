//! Where the parts of a tag are.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::reader::{Form, Reader};
use crate::span::Span;

/// The parts of a tag: places in the stream, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagParts {
    /// The name.
    pub name: Span,
    /// The attributes as they are written, in order: also those that the tokenizer drops because their name came before.
    pub attributes: Vec<AttributeParts>,
    /// The `/` in front of the `>`.
    pub slash: Option<Span>,
}

/// The parts of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeParts {
    /// The name.
    pub name: Span,
    /// Where the value would be, if there is none.
    value: Span,
    form: Form,
    /// Whether an attribute of this name came before, so that the tokenizer drops this one.
    pub is_duplicate: bool,
}

impl AttributeParts {
    /// An attribute whose name did not come before.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(name: Span, (value, form): (Span, Form)) -> Self {
        Self {
            name,
            value,
            form,
            is_duplicate: false,
        }
    }

    /// The value without quotation marks, if there is one.
    #[inline]
    pub fn value(&self) -> Option<Span> {
        (self.form != Form::Missing).then_some(self.value)
    }

    /// The value with its quotation marks, if it has them. If the file ends in front of the second one, there is only the first.
    #[inline]
    pub fn quoted(&self) -> Option<Span> {
        let end = match self.form {
            Form::Missing | Form::Bare => return None,
            Form::Quoted => self.value.end + 1,
            Form::Open => self.value.end,
        };
        let start = self.value.start - 1;
        Some(Span { start, end })
    }

    /// What must still come behind the value.
    pub(super) fn missing_quote<'s>(&self, quoted: &'s str) -> &'s str {
        match self.form {
            Form::Open => &quoted[..1],
            _ => "",
        }
    }

    /// All of it, from the name to the value or its second quotation mark.
    pub fn span(&self) -> Span {
        Span {
            start: self.name.start,
            end: self.quoted().unwrap_or(self.value).end,
        }
    }
}

impl TagParts {
    /// The parts of a tag of HTML whose text, from `<` to `>`, starts at an offset in the stream. If the file ends in the tag, as some
    /// tables let it, there is no `>`.
    pub fn of(source: &str, offset: u64) -> Self {
        let mut parts = Self::default();
        parts.read(source, offset);
        parts
    }

    /// The attributes that the token has, in its order.
    pub fn kept(&self) -> impl Iterator<Item = &AttributeParts> {
        let attributes = self.attributes.iter();
        attributes.filter(|attribute| !attribute.is_duplicate)
    }

    /// Reads a tag in place of the one before.
    #[doc(hidden)]
    pub fn read(&mut self, source: &str, offset: u64) {
        self.find(source, offset);
        if self.attributes.len() > 1 {
            self.mark_duplicates(source, offset);
        }
    }

    /// Finds the parts, but not which attributes are duplicates.
    pub(super) fn find(&mut self, source: &str, offset: u64) {
        let mut reader = Reader {
            text: source,
            at: if source.starts_with("</") { 2 } else { 1 },
            offset,
        };
        self.name = reader.tag_name();
        self.attributes.clear();
        while let Some((name, value)) = reader.attribute() {
            self.attributes.push(AttributeParts::new(name, value));
        }
        let last = self
            .attributes
            .last()
            .map_or(self.name, AttributeParts::span);
        self.slash = reader.slash().filter(|slash| slash.start >= last.end);
    }

    /// Marks the attributes whose name came before: in HTML, letters of both cases are the same, and U+0000 is U+FFFD.
    fn mark_duplicates(&mut self, source: &str, offset: u64) {
        let text = |attribute: &AttributeParts| {
            let Span { start, end } = attribute.name;
            let [start, end] = [start, end].map(|at| (at - offset) as usize);
            source.get(start..end).unwrap_or_default()
        };
        let all = &mut self.attributes;
        if all.len() < MANY && !source.contains('\0') {
            for index in 1..all.len() {
                let (before, rest) = all.split_at_mut(index);
                let name = text(&rest[0]);
                let is_same = |other| text(other).eq_ignore_ascii_case(name);
                rest[0].is_duplicate = before.iter().any(is_same);
            }
        } else {
            let mut names = BTreeSet::new();
            for attribute in all {
                let name = text(attribute).to_ascii_lowercase();
                attribute.is_duplicate = !names.insert(name.replace('\0', "\u{FFFD}"));
            }
        }
    }
}

/// A tag with fewer attributes than this is searched for each name; one with more gets a set of names.
const MANY: usize = 16;
