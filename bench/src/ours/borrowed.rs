//! Borrowed tokens: a sink that counts them.

use speclex::markup::{
    Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
    XmlDeclaration,
};
use speclex::{ParseError, Span};

use crate::counts::Counts;
use crate::feedback::{Follows, follows};

/// What tree construction answers to a start tag.
#[inline(always)]
pub(super) fn answer<const FEEDBACK: bool>(start_tag: &str) -> Answer {
    if !FEEDBACK {
        return Answer::Continue;
    }
    match follows(start_tag.as_bytes()) {
        None => Answer::Continue,
        Some(Follows::Rcdata) => Answer::Switch(Content::Rcdata),
        Some(Follows::Rawtext) => Answer::Switch(Content::Rawtext),
        Some(Follows::ScriptData) => Answer::Switch(Content::ScriptData),
        Some(Follows::Plaintext) => Answer::Switch(Content::Plaintext),
    }
}

/// Counts every name, value and text. With feedback it answers start tags as tree construction does.
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

    #[inline]
    fn characters(&mut self, data: &str, _: Span) {
        self.counts.text_bytes += data.len() as u64;
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.counts.start_tags += 1;
        self.tag(tag);
        answer::<FEEDBACK>(tag.name)
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
