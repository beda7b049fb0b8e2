//! Where tokens get their strings from.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::input::slice;

/// Makes the strings of tokens.
pub trait Source<'t>: Copy {
    /// The string, for a token to keep.
    fn string(self, string: &str) -> Cow<'t, str>;

    /// The characters of a string from `start` to `end`, for a token to keep; `None` unless that is a range of them that the
    /// quick way finds.
    fn range(self, of: &str, start: usize, end: usize) -> Option<Cow<'t, str>>;

    /// Appends characters to a string that this source has made.
    fn append(self, to: &mut Cow<'t, str>, more: &str);
}

/// Copies every string.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copied;

impl Source<'static> for Copied {
    #[inline(always)]
    fn string(self, string: &str) -> Cow<'static, str> {
        Cow::Owned(String::from(string))
    }

    #[inline(always)]
    fn range(self, of: &str, start: usize, end: usize) -> Option<Cow<'static, str>> {
        slice(of, start, end).map(|string| self.string(string))
    }

    #[inline(always)]
    fn append(self, to: &mut Cow<'static, str>, more: &str) {
        to.to_mut().push_str(more);
    }
}

/// Borrows the strings that lie in this text and copies the others.
#[derive(Clone, Copy, Debug)]
pub struct Borrowed<'t>(pub(crate) &'t str);

impl<'t> Borrowed<'t> {
    /// The characters of a string from `start` to `end`, if they lie in the text. Nothing else is at its addresses as long as it
    /// is borrowed.
    #[inline(always)]
    fn part(self, of: &str, start: usize, end: usize) -> Option<&'t str> {
        let offset = of.as_ptr().addr().wrapping_sub(self.0.as_ptr().addr());
        let (start, end) = (offset.wrapping_add(start), offset.wrapping_add(end));
        // The second is for what the text ends with.
        slice(self.0, start, end).or_else(|| self.0.get(start..end))
    }
}

impl<'t> Source<'t> for Borrowed<'t> {
    #[inline(always)]
    fn string(self, string: &str) -> Cow<'t, str> {
        match self.part(string, 0, string.len()) {
            Some(string) => Cow::Borrowed(string),
            None => Cow::Owned(String::from(string)),
        }
    }

    #[inline(always)]
    fn range(self, of: &str, start: usize, end: usize) -> Option<Cow<'t, str>> {
        self.part(of, start, end).map(Cow::Borrowed)
    }

    #[inline]
    fn append(self, to: &mut Cow<'t, str>, more: &str) {
        if let Cow::Borrowed(first) = to
            && first.as_ptr().addr().wrapping_add(first.len()) == more.as_ptr().addr()
            && let Some(both) = self.part(first, 0, first.len() + more.len())
        {
            *first = both;
        } else {
            to.to_mut().push_str(more);
        }
    }
}
