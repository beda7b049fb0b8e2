//! Attributes as they are written, read by a table.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::tag::{AttributeParts, TagParts};
use crate::limits::Limits;
use crate::machine::Machine;
use crate::markup::{Collector, Token};
use crate::span::Span;
use crate::tokenizer::Tokenizer;

/// An attribute as it is written in a tag, and as a table reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAttribute {
    /// Where its parts are, and whether the table drops it.
    pub parts: AttributeParts,
    /// The name, as a token has it.
    pub name: String,
    /// The value, as a token has it.
    pub value: String,
}

/// All attributes of a tag in order, also those that the table drops because their name came before. `source` is the tag's text
/// from `<` to `>`, which starts at `offset` in the stream; `new` is `Tokenizer::new` of a generated module.
///
/// The table reads each attribute by itself, and the tag once more. If the tag has other attributes than those that
/// are no duplicates, the answer is `None`. No table of HTML has such a tag. Those of XML5 have some: U+000C is no white
/// space there, and a `:` in front of a name is left out.
///
/// The page "How a page is read" has an example.
pub fn written_attributes<M: Machine<Sink = Collector>>(
    new: impl Fn(Collector) -> Tokenizer<M>,
    source: &str,
    offset: u64,
) -> Option<Vec<WrittenAttribute>> {
    let mut tags = Tags(new(Collector::new()));
    tags.0.set_limits(Limits::MAX);
    tags.0.without_reminder();
    attributes_read(|pieces| tags.attributes(pieces), source, offset)
}

/// The same, whatever reads tags: `read` returns the attributes of a tag whose text is in pieces.
#[doc(hidden)]
pub fn attributes_read(
    mut read: impl FnMut(&[&str]) -> Option<Vec<(String, String)>>,
    source: &str,
    offset: u64,
) -> Option<Vec<WrittenAttribute>> {
    let kept = read(&[source])?;
    if kept.is_empty() {
        return Some(Vec::new());
    }
    let mut only = |pieces: &[&str]| {
        let [attribute] = read(pieces)?.try_into().ok()?;
        Some::<(String, String)>(attribute)
    };
    let mut parts = TagParts::default();
    parts.find(source, offset);
    let mut written = Vec::with_capacity(parts.attributes.len());
    let mut names = BTreeSet::new();
    for mut parts in parts.attributes {
        let text = |Span { start, end }| {
            let [start, end] = [start, end].map(|at: u64| (at - offset) as usize);
            source.get(start..end)
        };
        let spelled = text(parts.name)?;
        let (equals, value) = match parts.quoted().or(parts.value()) {
            Some(value) => ("=", text(value)?),
            None => ("", ""),
        };
        let quote = parts.missing_quote(value);
        let (name, value) = only(&["<x ", spelled, equals, value, quote, ">"])?;
        if !is_spelled(&name, spelled) {
            return None;
        }
        parts.is_duplicate = !names.insert(name.clone());
        if parts.is_duplicate {
            // No token has it: what stands between its parts must mean nothing, too.
            let whole = only(&["<x ", text(parts.span())?, quote, ">"])?;
            if (&whole.0, &whole.1) != (&name, &value) {
                return None;
            }
        }
        written.push(WrittenAttribute { parts, name, value });
    }
    let are_kept = written.iter().filter(|it| !it.parts.is_duplicate);
    let are_kept = are_kept.map(|it| (&it.name, &it.value));
    are_kept
        .eq(kept.iter().map(|(name, value)| (name, value)))
        .then_some(written)
}

/// Whether a name may be spelled so: tables lower letters and replace U+0000. Where one leaves out a character, the place is wrong.
fn is_spelled(name: &str, spelled: &str) -> bool {
    let replaced = spelled.replace('\0', "\u{FFFD}");
    [spelled, &replaced]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(name))
}

/// Reads tags.
struct Tags<M: Machine>(Tokenizer<M>);

impl<M: Machine<Sink = Collector>> Tags<M> {
    /// The attributes of a tag whose text is in pieces.
    fn attributes(&mut self, pieces: &[&str]) -> Option<Vec<(String, String)>> {
        self.0.reset();
        self.0.sink().tokens.clear();
        for piece in pieces {
            self.0.feed(piece).ok()?;
        }
        self.0.end().ok()?;
        let mut tokens = self.0.sink().tokens.drain(..);
        let attributes = tokens.find_map(|(token, _)| match token {
            Token::StartTag { attributes, .. }
            | Token::EndTag { attributes, .. }
            | Token::EmptyTag { attributes, .. } => Some(attributes),
            _ => None,
        })?;
        let own = |(name, value): (alloc::borrow::Cow<'_, str>, alloc::borrow::Cow<'_, str>)| {
            (name.into_owned(), value.into_owned())
        };
        Some(attributes.into_iter().map(own).collect())
    }
}
