//! The sinks that borrow, which our tokenizers are measured with.

use speclex::markup::{
    Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
    XmlDeclaration,
};
use speclex::{ParseError, Span};

use crate::feedback::{Follows, follows};
use crate::tally::Tally;

/// Which errors a sink asks for.
pub(crate) mod report {
    /// None.
    pub(crate) const NOTHING: u8 = 0;
    /// Parse errors.
    pub(crate) const PARSE_ERRORS: u8 = 1;
    /// Those of the input stream too.
    pub(crate) const ALL: u8 = 2;
}

/// What tree construction says after a start tag.
#[inline(always)]
pub(crate) fn answer<const FEEDBACK: bool>(start_tag: &str) -> Answer {
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

/// Looks at every name, value and text, borrowed; keeps counts. With feedback it answers start tags as
/// tree construction does.
#[derive(Debug, Default)]
pub struct Borrowed<const FEEDBACK: bool, const REPORT: u8> {
    /// What it saw.
    pub tally: Tally,
}

impl<const FEEDBACK: bool, const REPORT: u8> Borrowed<FEEDBACK, REPORT> {
    #[inline(always)]
    fn tag(&mut self, tag: &Tag<'_>) {
        self.tally.name_bytes += tag.name.len() as u64;
        for (name, value) in tag.attributes.iter() {
            self.tally.attribute(name.len(), value.len());
        }
    }
}

impl<const FEEDBACK: bool, const REPORT: u8> Sink for Borrowed<FEEDBACK, REPORT> {
    const ERRORS: bool = REPORT >= report::PARSE_ERRORS;
    const INPUT_ERRORS: bool = REPORT >= report::ALL;

    #[inline]
    fn characters(&mut self, data: &str, _: Span) {
        self.tally.text_bytes += data.len() as u64;
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.tally.start_tags += 1;
        self.tag(tag);
        answer::<FEEDBACK>(tag.name)
    }

    #[inline]
    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.tally.end_tags += 1;
        self.tag(tag);
        Answer::Continue
    }

    #[inline]
    fn empty_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.tally.start_tags += 1;
        self.tag(tag);
        Answer::Continue
    }

    #[inline]
    fn short_end_tag(&mut self, _: Span) {
        self.tally.end_tags += 1;
    }

    #[inline]
    fn comment(&mut self, comment: &Comment<'_>, _: Span) {
        self.tally.comment(comment.data.len());
    }

    fn doctype(&mut self, _: &Doctype<'_>, _: Span) {
        self.tally.others += 1;
    }

    fn processing_instruction(&mut self, _: &ProcessingInstruction<'_>, _: Span) {
        self.tally.others += 1;
    }

    fn xml_declaration(&mut self, _: &XmlDeclaration<'_>, _: Span) {
        self.tally.others += 1;
    }

    fn entity_reference(&mut self, _: &EntityReference<'_>, _: Span) {
        self.tally.others += 1;
    }

    fn error(&mut self, _: ParseError) {
        self.tally.errors += 1;
    }
}
