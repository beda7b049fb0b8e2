//! Strings of owned tokens.

use alloc::boxed::Box;
use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use crate::short::{ROOM, Short};

/// A string of an owned token. Up to 22 bytes it needs no memory but its own: most names, and most texts between
/// tags, are as short. It is a [`str`] in all but ownership.
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
pub struct Text(Form);

#[derive(Clone)]
enum Form {
    Short(Short),
    Long(Box<str>),
    /// With room for more. Boxed, so that it takes no more place than the others.
    #[allow(clippy::box_collection)]
    Growing(Box<String>),
}

impl Text {
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
        self.0 = Form::Long(Box::from(text));
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

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl From<&str> for Text {
    #[inline]
    fn from(text: &str) -> Self {
        let mut new = Self::new();
        new.set(text);
        new
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        match text.len() {
            0..=ROOM => Self::from(text.as_str()),
            _ => Self(Form::Long(text.into_boxed_str())),
        }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text.0 {
            Form::Short(text) => Self::from(text.as_str()),
            Form::Long(text) => text.into_string(),
            Form::Growing(text) => *text,
        }
    }
}

impl Extend<Text> for String {
    fn extend<I: IntoIterator<Item = Text>>(&mut self, texts: I) {
        texts.into_iter().for_each(|text| self.push_str(&text));
    }
}

impl FromIterator<Text> for String {
    fn from_iter<I: IntoIterator<Item = Text>>(texts: I) -> Self {
        let mut all = Self::new();
        all.extend(texts);
        all
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Write for Text {
    #[inline]
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.push_str(more);
        Ok(())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl Eq for Text {}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other)
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

// As that of `str`, which it can be borrowed as.
impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

/// Comparisons with the strings of the standard library, either way.
macro_rules! equal {
    ($($other:ty),*) => {$(
        impl PartialEq<$other> for Text {
            fn eq(&self, other: &$other) -> bool {
                let other: &str = other;
                self.as_str() == other
            }
        }

        impl PartialEq<Text> for $other {
            fn eq(&self, other: &Text) -> bool {
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
        let lengths = (0..30).chain([100, 5000]);
        lengths
            .flat_map(|length| ends.map(|end| "a".repeat(length) + end))
            .collect()
    }

    #[test]
    fn it_is_what_it_is_made_of() {
        for sample in samples() {
            let text = Text::from(sample.as_str());
            assert_eq!(text.as_str(), sample);
            assert_eq!(text, Text::from(sample.clone()));
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
        assert_eq!(Text::default(), "");
    }

    #[test]
    fn it_grows() {
        for sample in samples() {
            for more in samples().iter().step_by(7) {
                let mut text = Text::from(sample.as_str());
                text.push_str(more);
                text.push_str("");
                text.push_str(more);
                assert_eq!(text, sample.clone() + more + more);
                assert_eq!(text.to_string(), String::from(text.clone()));
                // Another one in its place, which then grows as that would.
                text.set(more);
                assert_eq!(text, *more);
                text.push_str(&sample);
                assert_eq!(text, more.clone() + &sample);
            }
        }
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

    #[test]
    fn it_is_as_small_as_a_string() {
        assert_eq!(size_of::<Text>(), size_of::<String>());
        assert_eq!(size_of::<Option<Text>>(), size_of::<String>());
    }
}
