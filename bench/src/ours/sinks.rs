//! The sinks that our tokenizers are measured with.

use speclex::markup::{
    Answer, Collector, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink,
    Tag, Token, XmlDeclaration,
};
use speclex::{OwnedAttributes, ParseError, Span};

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

#[inline(always)]
fn answer<const FEEDBACK: bool>(start_tag: &str) -> Answer {
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

/// Makes owned tokens, which are looked at and dropped as soon as they are complete, with feedback.
#[derive(Debug, Default)]
pub struct Owned<const FEEDBACK: bool> {
    tokens: Collector,
    tally: Tally,
}

impl<const FEEDBACK: bool> Owned<FEEDBACK> {
    /// What it saw, after the end.
    pub fn tally(mut self) -> Tally {
        self.take();
        self.tally
    }

    /// Looks at the tokens and drops them. All are complete: only text may still grow, and it has other tokens after it.
    fn take(&mut self) {
        for (token, _) in &self.tokens.tokens {
            count(&mut self.tally, token);
        }
        self.tokens.tokens.clear();
    }
}

impl<const FEEDBACK: bool> Sink for Owned<FEEDBACK> {
    #[inline]
    fn characters(&mut self, data: &str, span: Span) {
        self.tokens.characters(data, span);
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.start_tag(tag, span);
        self.take();
        answer::<FEEDBACK>(tag.name)
    }

    #[inline]
    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.end_tag(tag, span);
        self.take();
        Answer::Continue
    }

    #[inline]
    fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.tokens.empty_tag(tag, span);
        self.take();
        Answer::Continue
    }

    #[inline]
    fn short_end_tag(&mut self, span: Span) {
        self.tokens.short_end_tag(span);
        self.take();
    }

    #[inline]
    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        self.tokens.comment(comment, span);
        self.take();
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        self.tokens.doctype(doctype, span);
        self.take();
    }

    fn processing_instruction(&mut self, pi: &ProcessingInstruction<'_>, span: Span) {
        self.tokens.processing_instruction(pi, span);
        self.take();
    }

    fn xml_declaration(&mut self, declaration: &XmlDeclaration<'_>, span: Span) {
        self.tokens.xml_declaration(declaration, span);
        self.take();
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        self.tokens.entity_reference(reference, span);
        self.take();
    }
}

/// Counts an owned token.
#[inline(always)]
pub(crate) fn count(tally: &mut Tally, token: &Token) {
    let tag = |tally: &mut Tally, name: &str, attributes: &OwnedAttributes| {
        tally.name_bytes += name.len() as u64;
        for (name, value) in attributes {
            tally.attribute(name.len(), value.len());
        }
    };
    match token {
        Token::Characters(text) => tally.text_bytes += text.len() as u64,
        Token::StartTag {
            name, attributes, ..
        }
        | Token::EmptyTag {
            name, attributes, ..
        } => {
            tally.start_tags += 1;
            tag(tally, name, attributes);
        }
        Token::EndTag {
            name, attributes, ..
        } => {
            tally.end_tags += 1;
            tag(tally, name, attributes);
        }
        Token::ShortEndTag => tally.end_tags += 1,
        Token::Comment { data } => tally.comment(data.len()),
        Token::Doctype { .. }
        | Token::ProcessingInstruction { .. }
        | Token::XmlDeclaration { .. }
        | Token::EntityReference { .. } => tally.others += 1,
        Token::EndOfFile => {}
    }
}
