//! Owned tokens: those of a `Collector`, counted and dropped after each tag, and those of the iterator.

use speclex::Span;
use speclex::markup::{
    Answer, Collector, Comment, Doctype, EntityReference, ProcessingInstruction, Sink, Tag, Token,
    XmlDeclaration,
};

use crate::counts::Counts;

/// A collector. Counts and drops its tokens after each tag: then all of them are complete.
#[derive(Debug, Default)]
pub(super) struct Collected {
    collector: Collector,
    counts: Counts,
}

impl Collected {
    /// What it counted, after the end.
    pub(super) fn counts(mut self) -> Counts {
        self.count();
        self.counts
    }

    #[inline(always)]
    fn count(&mut self) {
        for (token, _) in &self.collector.tokens {
            count(&mut self.counts, token);
        }
        self.collector.tokens.clear();
    }
}

impl Sink for Collected {
    const ERRORS: bool = false;

    #[inline]
    fn characters(&mut self, data: &str, span: Span) {
        self.collector.characters(data, span);
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.collector.start_tag(tag, span);
        self.count();
        Answer::Continue
    }

    #[inline]
    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.collector.end_tag(tag, span);
        self.count();
        Answer::Continue
    }

    #[inline]
    fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.collector.empty_tag(tag, span);
        self.count();
        Answer::Continue
    }

    fn short_end_tag(&mut self, span: Span) {
        self.collector.short_end_tag(span);
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        self.collector.comment(comment, span);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        self.collector.doctype(doctype, span);
    }

    fn processing_instruction(&mut self, pi: &ProcessingInstruction<'_>, span: Span) {
        self.collector.processing_instruction(pi, span);
    }

    fn xml_declaration(&mut self, declaration: &XmlDeclaration<'_>, span: Span) {
        self.collector.xml_declaration(declaration, span);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        self.collector.entity_reference(reference, span);
    }
}

/// Counts an owned token.
#[inline(always)]
pub(super) fn count(counts: &mut Counts, token: &Token) {
    match token {
        Token::Characters(text) => counts.text_bytes += text.len() as u64,
        // Inlined, it would load and store all counts for each tag.
        other => count_other(counts, other),
    }
}

#[inline(never)]
fn count_other(counts: &mut Counts, token: &Token) {
    match token {
        Token::StartTag {
            name, attributes, ..
        }
        | Token::EmptyTag {
            name, attributes, ..
        } => {
            counts.start_tags += 1;
            counts.name_bytes += name.len() as u64;
            for (name, value) in attributes {
                counts.attribute(name.len(), value.len());
            }
        }
        Token::EndTag {
            name, attributes, ..
        } => {
            counts.end_tags += 1;
            counts.name_bytes += name.len() as u64;
            for (name, value) in attributes {
                counts.attribute(name.len(), value.len());
            }
        }
        Token::ShortEndTag => counts.end_tags += 1,
        Token::Comment { data } => counts.comment(data.len()),
        Token::Doctype { .. }
        | Token::ProcessingInstruction { .. }
        | Token::XmlDeclaration { .. }
        | Token::EntityReference { .. } => counts.others += 1,
        // Counted before, or nothing to count.
        _ => {}
    }
}
