//! The sinks that make owned tokens, which our tokenizers are measured with.

use std::borrow::Cow;

use speclex::Span;
use speclex::markup::{
    Answer, Collector, Comment, Doctype, EntityReference, ProcessingInstruction, Sink, Tag, Token,
    XmlDeclaration,
};

use super::sinks::answer;
use crate::tally::Tally;

/// A sink that keeps tokens.
pub trait Keep: Sink + Default {
    /// Looks at the tokens and drops them.
    fn count(&mut self, tally: &mut Tally);

    /// The same when the last is a start tag.
    #[inline(always)]
    fn count_start_tag(&mut self, tally: &mut Tally) {
        self.count(tally);
    }

    /// The same when the last is an end tag.
    #[inline(always)]
    fn count_end_tag(&mut self, tally: &mut Tally) {
        self.count(tally);
    }
}

impl Keep for Collector {
    #[inline(always)]
    fn count(&mut self, tally: &mut Tally) {
        count_all(tally, &self.tokens);
        self.tokens.clear();
    }

    #[inline(always)]
    fn count_start_tag(&mut self, tally: &mut Tally) {
        count_last(tally, &self.tokens, is_start_tag);
        self.tokens.clear();
    }

    #[inline(always)]
    fn count_end_tag(&mut self, tally: &mut Tally) {
        count_last(tally, &self.tokens, is_end_tag);
        self.tokens.clear();
    }
}

/// Makes owned tokens, which are looked at and dropped as soon as they are complete, with feedback.
#[derive(Debug, Default)]
pub struct Kept<K, const FEEDBACK: bool> {
    tokens: K,
    tally: Tally,
}

/// Tokens in a list.
pub type Collected<const FEEDBACK: bool> = Kept<Collector, FEEDBACK>;

impl<K: Keep, const FEEDBACK: bool> Kept<K, FEEDBACK> {
    /// What it saw, after the end.
    pub fn tally(mut self) -> Tally {
        self.tokens.count(&mut self.tally);
        self.tally
    }
}

// Tokens are looked at where all are complete: only text may still grow, and it has other tokens after it.
impl<K: Keep, const FEEDBACK: bool> Sink for Kept<K, FEEDBACK> {
    #[inline]
    fn characters(&mut self, data: &str, span: Span) {
        self.tokens.characters(data, span);
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.start_tag(tag, span);
        self.tokens.count_start_tag(&mut self.tally);
        answer::<FEEDBACK>(tag.name)
    }

    #[inline]
    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.end_tag(tag, span);
        self.tokens.count_end_tag(&mut self.tally);
        Answer::Continue
    }

    #[inline]
    fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.empty_tag(tag, span);
        self.tokens.count(&mut self.tally);
        Answer::Continue
    }

    #[inline]
    fn short_end_tag(&mut self, span: Span) {
        self.tokens.short_end_tag(span);
        self.tokens.count(&mut self.tally);
    }

    #[inline]
    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        self.tokens.comment(comment, span);
        self.tokens.count(&mut self.tally);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        self.tokens.doctype(doctype, span);
        self.tokens.count(&mut self.tally);
    }

    fn processing_instruction(&mut self, pi: &ProcessingInstruction<'_>, span: Span) {
        self.tokens.processing_instruction(pi, span);
        self.tokens.count(&mut self.tally);
    }

    fn xml_declaration(&mut self, declaration: &XmlDeclaration<'_>, span: Span) {
        self.tokens.xml_declaration(declaration, span);
        self.tokens.count(&mut self.tally);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        self.tokens.entity_reference(reference, span);
        self.tokens.count(&mut self.tally);
    }
}

#[inline(always)]
fn count_all(tally: &mut Tally, tokens: &[(Token<'_>, Span)]) {
    tokens.iter().for_each(|(token, _)| count(tally, token));
}

/// Counts tokens of which the last is mostly one that `is_it` counts, with text or nothing before it.
// What has just come is known: asking for its kind is a branch that nobody foresees.
#[inline(always)]
fn count_last(
    tally: &mut Tally,
    tokens: &[(Token<'_>, Span)],
    is_it: impl FnOnce(&mut Tally, &Token<'_>) -> bool,
) {
    match tokens.split_last() {
        Some((last, before)) if is_it(tally, &last.0) => match before {
            [] => {}
            [(Token::Characters(text), _)] => tally.text_bytes += text.len() as u64,
            before => count_all(tally, before),
        },
        _ => count_all(tally, tokens),
    }
}

/// Counts an owned token.
// What is not text is counted by a call, as attributes are: else all counts are loaded for each tag.
#[inline(always)]
pub(crate) fn count(tally: &mut Tally, token: &Token<'_>) {
    if let Token::Characters(text) = token {
        tally.text_bytes += text.len() as u64;
    } else {
        count_other(tally, token);
    }
}

#[inline(never)]
fn count_other(tally: &mut Tally, token: &Token<'_>) {
    if !is_start_tag(tally, token) && !is_end_tag(tally, token) {
        count_rare(tally, token);
    }
}

/// Counts it if it is a start tag.
#[inline(always)]
fn is_start_tag(tally: &mut Tally, token: &Token<'_>) -> bool {
    let Token::StartTag {
        name, attributes, ..
    } = token
    else {
        return false;
    };
    tally.start_tags += 1;
    count_tag(tally, name, attributes);
    true
}

/// Counts it if it is an end tag.
#[inline(always)]
fn is_end_tag(tally: &mut Tally, token: &Token<'_>) -> bool {
    let Token::EndTag {
        name, attributes, ..
    } = token
    else {
        return false;
    };
    tally.end_tags += 1;
    count_tag(tally, name, attributes);
    true
}

#[inline(always)]
fn count_tag(tally: &mut Tally, name: &str, attributes: &[(Cow<'_, str>, Cow<'_, str>)]) {
    tally.name_bytes += name.len() as u64;
    if !attributes.is_empty() {
        count_attributes(tally, attributes);
    }
}

#[inline(never)]
fn count_rare(tally: &mut Tally, token: &Token<'_>) {
    match token {
        Token::EmptyTag {
            name, attributes, ..
        } => {
            tally.start_tags += 1;
            count_tag(tally, name, attributes);
        }
        Token::ShortEndTag => tally.end_tags += 1,
        Token::Comment { data } => tally.comment(data.len()),
        Token::Doctype { .. }
        | Token::ProcessingInstruction { .. }
        | Token::XmlDeclaration { .. }
        | Token::EntityReference { .. } => tally.others += 1,
        // Counted before, or nothing to count.
        Token::Characters(_) | Token::StartTag { .. } | Token::EndTag { .. } | Token::EndOfFile => {
        }
    }
}

#[inline(never)]
fn count_attributes(tally: &mut Tally, attributes: &[(Cow<'_, str>, Cow<'_, str>)]) {
    for (name, value) in attributes {
        tally.attribute(name.len(), value.len());
    }
}
