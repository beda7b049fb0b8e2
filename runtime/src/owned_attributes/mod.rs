//! Attributes of owned tokens.

mod places;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use crate::attributes::{Attributes, Own, Part};
use crate::input;
use crate::text::Text;
use places::{FEW, Place, Places};

/// The attributes of an owned tag, in the order of the source. All names and values are in one string, mostly just as
/// the source has them, so that one piece of memory is enough for up to four attributes, and none for short ones.
///
/// ```
/// use speclex::OwnedAttributes;
///
/// let attributes = OwnedAttributes::from_iter([("href", "/"), ("hidden", "")]);
/// assert_eq!(attributes.get("href"), Some("/"));
/// for (name, value) in &attributes {
///     println!("{name} = {value}");
/// }
/// ```
#[derive(Clone)]
pub struct OwnedAttributes {
    /// Names and values, and one more byte, so that something comes after each of them: there is a short way to ask for
    /// such a part.
    text: Text,
    places: Places,
}

impl Default for OwnedAttributes {
    fn default() -> Self {
        Self::new()
    }
}

impl OwnedAttributes {
    /// No attributes.
    pub const fn new() -> Self {
        Self {
            text: Text::new(),
            places: Places::NONE,
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names and values.
    #[inline]
    pub fn iter(&self) -> OwnedAttributesIter<'_> {
        OwnedAttributesIter {
            places: &self.places,
            text: &self.text,
            behind: 0,
            count: self.len(),
            at: 0,
        }
    }

    /// The value of the attribute with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// Takes the attributes of a tag, where there are none yet.
    #[doc(hidden)]
    #[inline]
    pub fn fill(&mut self, attributes: Attributes<'_>) {
        let Attributes { input, own, parts } = attributes;
        if !parts.is_empty() {
            self.take(input, parts, own);
        }
    }

    // Given in parts, which stay in registers: a struct would be made for tags without attributes too.
    #[inline(never)]
    fn take(&mut self, input: &str, parts: &[(Part, Part)], own: Own<'_>) {
        let attributes = Attributes { input, own, parts };
        if self.copy(&attributes).is_none() {
            self.take_many(&attributes);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_many(&mut self, attributes: &Attributes<'_>) {
        *self = Self::copied(attributes).unwrap_or_else(|| Self::joined(attributes.iter()));
    }

    /// Copies the input from the first name to the last value and the byte behind it, if all is there and there is not much.
    #[inline(always)]
    fn copy(&mut self, attributes: &Attributes<'_>) -> Option<()> {
        let Places::Few { count, places } = &mut self.places else {
            return None;
        };
        let (text, ranges) = attributes.ranges();
        if ranges.len() > FEW {
            return None;
        }
        *count = ranges.len() as u8;
        let start = ranges.clone().next()?.0?.0;
        let mut end = start;
        for (place, range) in places.iter_mut().zip(ranges) {
            *place = Place::after(&mut end, range)?.near()?;
        }
        self.text.set(text.get(..=end)?.get(start..)?);
        Some(())
    }

    /// As [`copy`](Self::copy), for many attributes.
    fn copied(attributes: &Attributes<'_>) -> Option<Self> {
        let (text, ranges) = attributes.ranges();
        let start = ranges.clone().next()?.0?.0;
        let mut end = start;
        let mut places = Vec::with_capacity(ranges.len());
        for range in ranges {
            places.push(Place::after(&mut end, range)?.close()?);
        }
        Some(Self {
            text: Text::from(text.get(start..=end)?),
            places: Places::Many(places.into_boxed_slice()),
        })
    }

    /// Names and values, one after the other.
    #[inline(never)]
    fn joined<'a>(attributes: impl ExactSizeIterator<Item = (&'a str, &'a str)> + Clone) -> Self {
        let bytes = attributes
            .clone()
            .map(|(name, value)| name.len() + value.len());
        let mut text = String::with_capacity(bytes.sum::<usize>() + 1);
        for (name, value) in attributes.clone() {
            text.push_str(name);
            text.push_str(value);
        }
        // As mostly in the source: see `text`.
        text.push('>');
        let places = attributes.map(|(name, value)| Place {
            before: 0,
            name: name.len(),
            between: 0,
            value: value.len(),
        });
        Self {
            text: Text::from(text),
            places: Places::Many(places.collect()),
        }
    }
}

impl From<Attributes<'_>> for OwnedAttributes {
    fn from(attributes: Attributes<'_>) -> Self {
        let mut owned = Self::new();
        owned.fill(attributes);
        owned
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for OwnedAttributes {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(attributes: I) -> Self {
        let attributes: Vec<_> = attributes.into_iter().collect();
        Self::joined(attributes.iter().map(|(n, v)| (n.as_ref(), v.as_ref())))
    }
}

impl Eq for OwnedAttributes {}

impl PartialEq for OwnedAttributes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl Hash for OwnedAttributes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|attribute| attribute.hash(state));
    }
}

impl fmt::Debug for OwnedAttributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a> IntoIterator for &'a OwnedAttributes {
    type Item = (&'a str, &'a str);
    type IntoIter = OwnedAttributesIter<'a>;

    #[inline]
    fn into_iter(self) -> OwnedAttributesIter<'a> {
        self.iter()
    }
}

/// The names and values of [`OwnedAttributes`].
#[derive(Clone)]
pub struct OwnedAttributesIter<'a> {
    places: &'a Places,
    text: &'a str,
    /// How many are behind.
    behind: usize,
    count: usize,
    /// Where in the text the last of them ends.
    at: usize,
}

impl<'a> Iterator for OwnedAttributesIter<'a> {
    type Item = (&'a str, &'a str);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.behind == self.count {
            return None;
        }
        let place = self.places.get(self.behind);
        self.behind += 1;
        let name = self.at + place.before;
        let between = name + place.name;
        let value = between + place.between;
        self.at = value + place.value;
        let (name, value) = (name..between, value..self.at);
        Some(both(self.text, name, value).unwrap_or_else(nothing))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.behind;
        (left, Some(left))
    }
}

impl ExactSizeIterator for OwnedAttributesIter<'_> {}

impl fmt::Debug for OwnedAttributesIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

#[inline(always)]
fn both(text: &str, name: Range<usize>, value: Range<usize>) -> Option<(&str, &str)> {
    let name = input::slice(text, name.start, name.end)?;
    let value = input::slice(text, value.start, value.end)?;
    Some((name, value))
}

/// What is never needed: all places were made from this text.
#[cold]
const fn nothing<'a>() -> (&'a str, &'a str) {
    ("", "")
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString as _;

    use super::*;
    use crate::attributes::AttributeList;
    use crate::input::Input;

    /// The pairs as attributes with so much space between them and something behind them, made in each way there is.
    fn each_way(pairs: &[(String, String)], space: usize, behind: &str) -> [OwnedAttributes; 3] {
        let mut text = String::from("<a ");
        let mut list = AttributeList::default();
        let ends: Vec<_> = pairs
            .iter()
            .map(|(name, value)| {
                let start = text.len();
                text += &format!("{name}='{value}");
                let end = text.len();
                text += behind;
                text += &" ".repeat(space);
                (start, start + name.len(), start + name.len() + 2, end)
            })
            .collect();
        text.truncate(text.trim_end().len());
        let input = Input::new(&text);
        for (name, name_end, value, end) in ends {
            list.start(input, name);
            list.name.push_run(input, name, name_end);
            list.value.push_run(input, value, end);
        }
        list.close(input);
        let from_input = OwnedAttributes::from(list.view(input));
        list.detach(input, &mut Default::default());
        let from_list = OwnedAttributes::from(list.view(Input::new("")));
        [
            from_input,
            from_list,
            pairs.iter().map(|(n, v)| (n, v)).collect(),
        ]
    }

    #[test]
    fn they_are_what_they_are_made_of() {
        let name = |length: usize| "é".repeat(length) + "name";
        let lengths = [0, 1, 10, 100, 300, 70_000];
        for (count, length) in (0..7).flat_map(|count| lengths.map(|length| (count, length))) {
            let pairs: Vec<_> = (0..count)
                .map(|i| (name(i * length.min(300)), "v".repeat(length / (i + 1))))
                .collect();
            // What is behind the last may also be no byte of its own, or nothing.
            let all = [(1, "'"), (300, "'"), (1, "é"), (1, "")]
                .map(|(space, behind)| each_way(&pairs, space, behind))
                .concat();
            for attributes in &all {
                assert!(all.iter().all(|other| other == attributes));
                assert_eq!(attributes.len(), count);
                assert_eq!(attributes.is_empty(), count == 0);
                let again: Vec<_> = attributes
                    .iter()
                    .map(|(n, v)| (n.to_string(), v.to_string()))
                    .collect();
                assert_eq!(again, pairs);
                assert_eq!(format!("{attributes:?}"), format!("{pairs:?}"));
                assert_eq!(*attributes, attributes.clone());
                assert_eq!(attributes.iter().len(), count);
                for (name, value) in &pairs {
                    let first = pairs
                        .iter()
                        .find(|(n, _)| n == name)
                        .map(|(_, v)| v.as_str());
                    assert_eq!(attributes.get(name), first);
                    assert!(value.len() <= length);
                }
                assert_eq!(attributes.get("none"), None);
            }
        }
    }

    #[test]
    fn they_differ_by_names_values_and_order() {
        let of = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<OwnedAttributes>();
        let different = [
            of(&[]),
            of(&[("a", "b")]),
            of(&[("ab", "")]),
            of(&[("", "ab")]),
            of(&[("a", ""), ("b", "")]),
            of(&[("b", ""), ("a", "")]),
        ];
        for (i, one) in different.iter().enumerate() {
            assert_eq!(different.iter().position(|other| one == other), Some(i));
        }
    }
}
