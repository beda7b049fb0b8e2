//! Borrowed tokens: a sink that counts them.

use speclex::markup::{
    Answer, Comment, Doctype, EntityReference, ProcessingInstruction, Sink, Tag, XmlDeclaration,
};
use speclex::{ParseError, Span};

use crate::counts::Counts;

/// Counts every name, value and text. With feedback the table says what follows start tags.
#[derive(Debug, Default)]
pub(super) struct Borrowed<const FEEDBACK: bool, const ERRORS: bool> {
    counts: Counts,
}

impl<const FEEDBACK: bool, const ERRORS: bool> Borrowed<FEEDBACK, ERRORS> {
    /// What it counted.
    pub(super) fn counts(self) -> Counts {
        self.counts
    }

    #[inline(always)]
    fn tag(&mut self, tag: &Tag<'_>) {
        self.counts.name_bytes += tag.name.len() as u64;
        for (name, value) in tag.attributes.iter() {
            self.counts.attribute(name.len(), value.len());
        }
    }
}

impl<const FEEDBACK: bool, const ERRORS: bool> Sink for Borrowed<FEEDBACK, ERRORS> {
    const ERRORS: bool = ERRORS;
    const FEEDBACK: bool = FEEDBACK;

    #[inline]
    fn characters(&mut self, data: &str, _: Span) {
        self.counts.text_bytes += data.len() as u64;
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.counts.start_tags += 1;
        self.tag(tag);
        Answer::Continue
    }

    #[inline]
    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.counts.end_tags += 1;
        self.tag(tag);
        Answer::Continue
    }

    #[inline]
    fn empty_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.counts.start_tags += 1;
        self.tag(tag);
        Answer::Continue
    }

    #[inline]
    fn short_end_tag(&mut self, _: Span) {
        self.counts.end_tags += 1;
    }

    #[inline]
    fn comment(&mut self, comment: &Comment<'_>, _: Span) {
        self.counts.comment(comment.data.len());
    }

    fn doctype(&mut self, _: &Doctype<'_>, _: Span) {
        self.counts.others += 1;
    }

    fn processing_instruction(&mut self, _: &ProcessingInstruction<'_>, _: Span) {
        self.counts.others += 1;
    }

    fn xml_declaration(&mut self, _: &XmlDeclaration<'_>, _: Span) {
        self.counts.others += 1;
    }

    fn entity_reference(&mut self, _: &EntityReference<'_>, _: Span) {
        self.counts.others += 1;
    }

    fn error(&mut self, _: ParseError) {
        self.counts.errors += 1;
    }
}
