//! A token as the rules see it.

use crate::markup::Doctype;
use crate::span::Span;

use super::names::{Name, Space};
use super::sink::TagAttributes;

/// A kind of tokens: one of those below, or one of a table's own. A number without parts, which is compared for each token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(u8);

/// As tables write those of the shared vocabulary.
const SHARED: [&str; 11] = [
    "character",
    "end-of-file",
    "start tag",
    "end tag",
    "empty tag",
    "short end tag",
    "comment",
    "DOCTYPE",
    "processing instruction",
    "XML declaration",
    "entity reference",
];

#[allow(missing_docs, non_upper_case_globals)]
impl Kind {
    pub const Characters: Self = Self(0);
    pub const EndOfFile: Self = Self(1);
    pub const StartTag: Self = Self(2);
    pub const EndTag: Self = Self(3);
    pub const EmptyTag: Self = Self(4);
    pub const ShortEndTag: Self = Self(5);
    pub const Comment: Self = Self(6);
    pub const Doctype: Self = Self(7);
    pub const ProcessingInstruction: Self = Self(8);
    pub const XmlDeclaration: Self = Self(9);
    pub const EntityReference: Self = Self(10);

    /// One of a table's own, by its number among these.
    pub const fn other(number: u8) -> Self {
        Self(SHARED.len() as u8 + number)
    }

    /// As tables write it; `others` are those of the table's own.
    pub(super) fn name(self, others: &[&'static str]) -> &'static str {
        let mut all = SHARED.iter().chain(others);
        all.nth(self.0.into()).copied().unwrap_or_default()
    }
}

/// The token that is processed.
#[derive(Debug)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// The number of the name of a tag.
    pub name: Name,
    /// The name of a tag or an entity, the data of a comment or of a processing instruction; characters that are still to be
    /// processed, and in an arm those that it takes.
    pub text: &'a str,
    /// The target of a processing instruction.
    pub target: &'a str,
    /// The attributes of a tag.
    pub attributes: TagAttributes<'a>,
    /// The self-closing flag of a tag.
    pub is_self_closing: bool,
    /// Whether the self-closing flag is an error if no step acknowledges it.
    pub must_be_acknowledged: bool,
    /// The parts of a DOCTYPE.
    pub doctype: Option<&'a Doctype<'a>>,
    /// Where it stands; of characters, where the first one does and the last one.
    pub span: Span,
}

impl<'a> Token<'a> {
    /// A token without parts.
    #[inline(always)]
    pub(super) const fn new(kind: Kind, span: Span) -> Self {
        Self {
            kind,
            name: Name(u32::MAX),
            text: "",
            target: "",
            attributes: TagAttributes::NONE,
            is_self_closing: false,
            must_be_acknowledged: false,
            doctype: None,
            span,
        }
    }

    /// None: what is asked between tokens.
    pub const fn none() -> Self {
        Self::new(Kind::EndOfFile, Span { start: 0, end: 0 })
    }

    /// Characters.
    #[inline(always)]
    pub(super) const fn characters(text: &'a str, span: Span) -> Self {
        let mut token = Self::new(Kind::Characters, span);
        token.text = text;
        token
    }

    /// The first character.
    #[inline(always)]
    pub fn character(&self) -> char {
        self.text.chars().next().unwrap_or_default()
    }

    /// Takes so many bytes of the characters.
    #[inline(always)]
    pub fn take(&mut self, length: usize) {
        if length < self.text.len() {
            (self.text, self.span) = part(self.text, self.span, 0, length);
        }
    }

    /// Takes one character.
    #[inline(always)]
    pub fn take_one(&mut self) {
        self.take(self.character().len_utf8());
    }

    /// Takes the characters up to the first that is to be left.
    #[inline(always)]
    pub fn take_until(&mut self, is_left: impl FnMut(char) -> bool) {
        let length = self.text.find(is_left);
        self.take(length.unwrap_or(self.text.len()));
    }

    /// Takes the characters up to the first of some ASCII characters.
    #[inline(always)]
    pub fn take_until_byte(&mut self, is_left: impl Fn(u8) -> bool + Copy) {
        // Nearly always there is none.
        if has_any(self.text.as_bytes(), is_left) {
            self.take_until(|it| u8::try_from(it).is_ok_and(|it| it.is_ascii() && is_left(it)));
        }
    }

    /// Changes the names of the attributes.
    pub fn adjust_attributes(&mut self, by: super::sink::Adjust) {
        self.attributes.adjust(by);
    }

    /// Whether it has an attribute with one of these values, ASCII case-insensitively.
    pub fn has_value(&self, name: &str, values: &[&str]) -> bool {
        let value = self.attributes.get(name);
        value.is_some_and(|value| values.iter().any(|it| it.eq_ignore_ascii_case(value)))
    }

    /// Whether an attribute in the XMLNS namespace, by its qualified name, has another value than this.
    pub fn has_other_namespace(&self, name: &str, url: &str) -> bool {
        if self.attributes.are_plain() {
            return false;
        }
        self.attributes.iter().any(|(it, value)| {
            let is_name = match (it.prefix, name.split_once(':')) {
                (Some(prefix), Some(parts)) => parts == (prefix, it.local),
                (None, None) => it.local == name,
                _ => false,
            };
            it.space == Space::Xmlns && is_name && value != url
        })
    }
}

/// Whether one of the bytes is as said.
#[inline(always)]
pub(super) fn has_any(bytes: &[u8], is: impl Fn(u8) -> bool + Copy) -> bool {
    // Without a way out in its middle, a stretch of some bytes is a few instructions. The last one may overlap with the one before.
    macro_rules! in_stretches {
        ($length:literal) => {{
            let any = |it: &[u8; $length]| it.iter().fold(false, |found, &it| found | is(it));
            let (stretches, _) = bytes.as_chunks::<$length>();
            stretches.iter().any(any) || bytes.last_chunk::<$length>().is_some_and(any)
        }};
    }
    match bytes.len() {
        16.. => in_stretches!(16),
        8.. => in_stretches!(8),
        4.. => in_stretches!(4),
        _ => bytes.iter().any(|&it| is(it)),
    }
}

/// Some of the characters that stand in a span. If they stand there as they are, each has a place of its own.
pub(super) fn part(text: &str, span: Span, from: usize, to: usize) -> (&str, Span) {
    let taken = text.get(from..to).unwrap_or_default();
    let longer = (span.end - span.start).checked_sub(text.len() as u64);
    // A newline of two characters may come with what follows it.
    let has_newline = longer == Some(1) && text.starts_with('\n');
    if longer != Some(0) && !has_newline {
        return (taken, span);
    }
    let place = |at: usize| span.start + at as u64 + u64::from(has_newline && at > 0);
    let start = place(from);
    let end = place(to);
    (taken, Span { start, end })
}
