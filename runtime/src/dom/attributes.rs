//! The attributes of start tags.

use core::iter;

use crate::attributes::Attributes;
use crate::parts::{AttributeParts, TagParts};
use crate::tree::TagAttributes;

use super::sink::DomSink;
use super::strings::{Part, Strings};
use super::{AttributeRange, Dom, DomLimit, RawAttribute};

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Adds the attributes of a tag.
    #[inline]
    pub(super) fn attributes(&mut self, attributes: &TagAttributes<'_>) -> AttributeRange {
        match attributes.plain() {
            // Nearly always.
            Some(plain) => self.plain_attributes(plain, attributes),
            None => self.any_attributes(attributes),
        }
    }

    /// Adds those of a tag that have the names that it spells.
    #[inline(never)]
    fn plain_attributes(
        &mut self,
        plain: &Attributes<'_>,
        attributes: &TagAttributes<'_>,
    ) -> AttributeRange {
        let (first, count) = (self.dom.attributes.len(), plain.len());
        let Some(base) = self.dom.strings.borrowed(plain.input()) else {
            return self.any_attributes(attributes);
        };
        if count > self.limit - first {
            return self.any_attributes(attributes);
        }
        let Dom {
            strings,
            attributes: all,
            attribute_names: names,
            ..
        } = &mut self.dom;
        let mut is_found = true;
        all.reserve(count);
        for (number, range) in plain.ranges().enumerate() {
            if let Some((spelled, start, length)) = range
                && let Some(name) = names.usual(spelled)
            {
                let (start, length) = (start as u32 + base, length as u32);
                let value = Part { start, length };
                all.push(RawAttribute { name, value });
            } else {
                let (name, value) = plain.nth(number);
                let attribute = any_attribute(strings, names.plain(name), name, value);
                is_found &= attribute.value.is_of_input();
                all.push(attribute);
            }
        }
        if !is_found {
            self.find_values(first, attributes);
        }
        AttributeRange {
            first: first as u32,
            count: count as u32,
        }
    }

    /// Adds the attributes of a tag.
    #[inline(never)]
    fn any_attributes(&mut self, attributes: &TagAttributes<'_>) -> AttributeRange {
        let (first, count) = (self.dom.attributes.len(), attributes.len());
        if count > self.limit - first {
            self.exceed(DomLimit::Attributes);
            return AttributeRange::default();
        }
        let Dom {
            strings,
            attributes: all,
            attribute_names: names,
            ..
        } = &mut self.dom;
        all.extend(attributes.spelled().map(|(name, spelled, value)| {
            any_attribute(strings, names.intern(&name), spelled, value)
        }));
        let values = all[first..].iter().map(|it| it.value);
        if !strings.are_found(values, attributes.span()) {
            self.find_values(first, attributes);
        }
        AttributeRange {
            first: first as u32,
            count: count as u32,
        }
    }

    /// Finds out where the values of the last tag stand, of which some are copies: they have character references, or the tag was
    /// cut.
    #[cold]
    #[inline(never)]
    fn find_values(&mut self, first: usize, attributes: &TagAttributes<'_>) {
        let Dom {
            strings,
            attributes: all,
            ..
        } = &mut self.dom;
        let (all, span) = (&mut all[first..], attributes.span());
        let is_whole = strings.is_input_at(attributes.input(), span.start);
        // Where text was inserted, it is not known how far places are moved.
        if self.script.is_some() || is_whole && !all.iter().any(|it| it.value.is_unknown()) {
            return;
        }
        let tag = strings.input().get(span.range()).unwrap_or_default();
        let parts = TagParts::of(tag, span.start);
        let is_it = parts.kept().count() == all.len();
        let places = parts.kept().map(AttributeParts::value).filter(|_| is_it);
        for (attribute, place) in all.iter_mut().zip(places.chain(iter::repeat(None))) {
            attribute.value = strings.at_place(attribute.value, place);
        }
    }

    #[inline]
    pub(super) fn kept(&self, kept: AttributeRange) -> &[RawAttribute] {
        &self.dom.attributes[kept.first as usize..][..kept.count as usize]
    }
}

/// An attribute of a tag: the name, what the tag spells, and the value.
#[inline(never)]
fn any_attribute(strings: &mut Strings<'_>, name: u32, spelled: &str, value: &str) -> RawAttribute {
    let value = match value.is_empty() {
        true => strings.add_empty(spelled, value),
        false => strings.add(value),
    };
    RawAttribute { name, value }
}
