//! Strings of owned tokens.

use alloc::boxed::Box;
use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use crate::short::Short;

/// A string of an owned token. Up to `ROOM` bytes, at most 255, it needs no memory but its own. It is a [`str`] in all
/// but ownership.
///
/// ```
/// use speclex::Text;
///
/// let mut text = Text::from("one");
/// text.push_str(" and another");
/// assert_eq!(text, "one and another");
/// assert!(text.starts_with("one"));
/// assert_eq!(String::from(text).len(), 15);
/// ```
#[derive(Clone)]
pub struct InlineText<const ROOM: usize>(Form<ROOM>);

/// A string as small as a `String`: most names are as short as that. Characters between tags have the room that a tag
/// has with its name and attributes.
pub type Text = InlineText<22>;

#[derive(Clone)]
enum Form<const ROOM: usize> {
    Short(Short<ROOM>),
    Long(Box<str>),
    /// With room for more. Boxed, so that it takes no more place than the others.
    #[allow(clippy::box_collection)]
    Growing(Box<String>),
}

impl<const ROOM: usize> InlineText<ROOM> {
    /// No characters.
    pub const fn new() -> Self {
        Self(Form::Short(Short::EMPTY))
    }

    /// Its characters.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Form::Short(text) => text.as_str(),
            Form::Long(text) => text,
            Form::Growing(text) => text,
        }
    }

    /// Appends characters.
    #[inline(always)]
    pub fn push_str(&mut self, more: &str) {
        if let Form::Short(text) = &mut self.0
            && text.push_str(more)
        {
            return;
        }
        self.grow(more);
    }

    /// Takes these characters in place of its own.
    #[doc(hidden)]
    #[inline(always)]
    pub fn set(&mut self, text: &str) {
        if let Form::Short(short) = &mut self.0
            && short.set(text)
        {
            return;
        }
        self.replace(text);
    }

    #[inline(never)]
    fn replace(&mut self, text: &str) {
        let mut short = Short::EMPTY;
        self.0 = if short.set(text) {
            Form::Short(short)
        } else {
            Form::Long(Box::from(text))
        };
    }

    #[inline(never)]
    fn grow(&mut self, more: &str) {
        let text = match &mut self.0 {
            Form::Growing(text) => return text.push_str(more),
            Form::Short(text) => text.as_str(),
            Form::Long(text) => text,
        };
        if text.is_empty() {
            // Most texts come in one piece.
            return self.replace(more);
        }
        let mut grown = String::with_capacity(2 * (text.len() + more.len()));
        grown.push_str(text);
        grown.push_str(more);
        self.0 = Form::Growing(Box::new(grown));
    }
}

impl<const ROOM: usize> Default for InlineText<ROOM> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ROOM: usize> From<&str> for InlineText<ROOM> {
    #[inline]
    fn from(text: &str) -> Self {
        let mut new = Self::new();
        new.set(text);
        new
    }
}

impl<const ROOM: usize> From<String> for InlineText<ROOM> {
    fn from(text: String) -> Self {
        if text.len() <= ROOM {
            Self::from(text.as_str())
        } else {
            Self(Form::Long(text.into_boxed_str()))
        }
    }
}

impl<const ROOM: usize> From<InlineText<ROOM>> for String {
    fn from(text: InlineText<ROOM>) -> Self {
        match text.0 {
            Form::Short(text) => Self::from(text.as_str()),
            Form::Long(text) => text.into_string(),
            Form::Growing(text) => *text,
        }
    }
}

impl<const ROOM: usize> Extend<InlineText<ROOM>> for String {
    fn extend<I: IntoIterator<Item = InlineText<ROOM>>>(&mut self, texts: I) {
        texts.into_iter().for_each(|text| self.push_str(&text));
    }
}

impl<const ROOM: usize> FromIterator<InlineText<ROOM>> for String {
    fn from_iter<I: IntoIterator<Item = InlineText<ROOM>>>(texts: I) -> Self {
        let mut all = Self::new();
        all.extend(texts);
        all
    }
}

impl<const ROOM: usize> Deref for InlineText<ROOM> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const ROOM: usize> AsRef<str> for InlineText<ROOM> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl<const ROOM: usize> Borrow<str> for InlineText<ROOM> {
    fn borrow(&self) -> &str {
        self
    }
}

impl<const ROOM: usize> fmt::Write for InlineText<ROOM> {
    #[inline]
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.push_str(more);
        Ok(())
    }
}

impl<const ROOM: usize> fmt::Debug for InlineText<ROOM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const ROOM: usize> fmt::Display for InlineText<ROOM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl<const ROOM: usize> Eq for InlineText<ROOM> {}

impl<const ROOM: usize, const OTHER: usize> PartialEq<InlineText<OTHER>> for InlineText<ROOM> {
    fn eq(&self, other: &InlineText<OTHER>) -> bool {
        self.as_str() == other.as_str()
    }
}

impl<const ROOM: usize> Ord for InlineText<ROOM> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other)
    }
}

impl<const ROOM: usize> PartialOrd for InlineText<ROOM> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

// As that of `str`, which it can be borrowed as.
impl<const ROOM: usize> Hash for InlineText<ROOM> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

/// Comparisons with the strings of the standard library, either way.
macro_rules! equal {
    ($($other:ty),*) => {$(
        impl<const ROOM: usize> PartialEq<$other> for InlineText<ROOM> {
            fn eq(&self, other: &$other) -> bool {
                let other: &str = other;
                self.as_str() == other
            }
        }

        impl<const ROOM: usize> PartialEq<InlineText<ROOM>> for $other {
            fn eq(&self, other: &InlineText<ROOM>) -> bool {
                other == self
            }
        }
    )*};
}

equal!(str, &str, String);

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    use super::*;

    /// Strings of all lengths around the border, with characters of all lengths at the end.
    fn samples() -> Vec<String> {
        let ends = ["", "b", "é", "–", "\u{10FFFF}", "\0"];
        let lengths = (0..30).chain([60, 66, 67, 68, 69, 70, 71, 100, 250, 254, 255, 256, 5000]);
        lengths
            .flat_map(|length| ends.map(|end| "a".repeat(length) + end))
            .collect()
    }

    fn is_what_it_is_made_of<const ROOM: usize>() {
        for sample in samples() {
            let text = InlineText::<ROOM>::from(sample.as_str());
            assert_eq!(text.as_str(), sample);
            assert_eq!(text, InlineText::<ROOM>::from(sample.clone()));
            assert_eq!(text, Text::from(sample.as_str()));
            assert_eq!(text.clone(), text);
            assert_eq!(String::from(text.clone()), sample);
            assert_eq!(
                format!("{text:?} {text:4}"),
                format!("{sample:?} {sample:4}")
            );
            assert_eq!(text, sample);
            assert_eq!(sample, text);
            assert_eq!(text, *sample);
            assert_eq!(*sample, text);
            assert_eq!(text, sample.as_str());
            assert_eq!(sample.as_str(), text);
        }
        assert_eq!(InlineText::<ROOM>::default(), "");
    }

    fn grows<const ROOM: usize>() {
        for sample in samples() {
            for more in samples().iter().step_by(7) {
                let mut text = InlineText::<ROOM>::from(sample.as_str());
                text.push_str(more);
                text.push_str("");
                text.push_str(more);
                assert_eq!(text, sample.clone() + more + more);
                assert_eq!(text.to_string(), String::from(text.clone()));
                // Another one in its place, which then grows as that would.
                text.set(more);
                assert_eq!(text, *more);
                assert_eq!(matches!(text.0, Form::Short(_)), more.len() <= ROOM);
                text.push_str(&sample);
                assert_eq!(text, more.clone() + &sample);
            }
        }
    }

    macro_rules! with_room {
        ($($name:ident: $room:literal;)*) => {$(
            #[test]
            fn $name() {
                is_what_it_is_made_of::<$room>();
                grows::<$room>();
            }
        )*};
    }

    with_room! {
        without_room: 0;
        with_room_for_names: 22;
        with_room_for_what_tags_have: 70;
        with_as_much_room_as_can_be: 255;
    }

    #[test]
    fn many_are_collected() {
        let all: String = samples().into_iter().map(Text::from).collect();
        assert_eq!(all, samples().concat());
    }

    #[test]
    fn it_is_ordered_and_found_as_a_str() {
        use alloc::collections::BTreeSet;
        let texts: BTreeSet<Text> = samples().into_iter().map(Text::from).collect();
        let strings: BTreeSet<String> = samples().into_iter().collect();
        assert!(texts.iter().eq(strings.iter()));
        assert!(texts.contains("aaa"));
        assert!(!texts.contains("bbb"));
    }

    // The generator reckons with these sizes.
    #[test]
    fn characters_make_no_token_larger() {
        assert_eq!(size_of::<Text>(), 24);
        assert_eq!(size_of::<Text>(), size_of::<String>());
        assert_eq!(size_of::<Option<Text>>(), size_of::<Text>());
        assert_eq!(size_of::<crate::OwnedAttributes>(), 48);
        assert_eq!(size_of::<crate::markup::Token>(), 80);
    }
}
