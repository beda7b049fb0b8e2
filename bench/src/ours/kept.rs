//! The sinks that make owned tokens, which our tokenizers are measured with.

use speclex::markup::{
    Answer, Batch, Collector, Comment, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
    Token, TokenView, XmlDeclaration,
};
use speclex::{OwnedAttributes, Span};

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
        for (token, _) in &self.tokens {
            count(tally, token);
        }
        self.tokens.clear();
    }

    // What has just come is known: asking for its kind is a branch that nobody foresees.
    #[inline(always)]
    fn count_start_tag(&mut self, tally: &mut Tally) {
        if let Some((last, before)) = self.tokens.split_last()
            && let Token::StartTag {
                name, attributes, ..
            } = &last.0
        {
            tally.start_tags += 1;
            count_tag(tally, name, attributes);
            count_before(tally, before);
        }
        self.tokens.clear();
    }

    #[inline(always)]
    fn count_end_tag(&mut self, tally: &mut Tally) {
        if let Some((last, before)) = self.tokens.split_last()
            && let Token::EndTag {
                name, attributes, ..
            } = &last.0
        {
            tally.end_tags += 1;
            count_tag(tally, name, attributes);
            count_before(tally, before);
        }
        self.tokens.clear();
    }
}

impl Keep for Batch {
    #[inline(always)]
    fn count(&mut self, tally: &mut Tally) {
        for (token, _) in &*self {
            count_view(tally, &token);
        }
        self.proceed();
    }
}

/// Makes owned tokens, which are looked at and dropped as soon as they are complete, with feedback.
#[derive(Debug, Default)]
pub struct Kept<K, const FEEDBACK: bool> {
    tokens: K,
    tally: Tally,
}

/// Tokens with memory of their own.
pub type Owned<const FEEDBACK: bool> = Kept<Collector, FEEDBACK>;

/// Tokens in a batch.
pub type Batched<const FEEDBACK: bool> = Kept<Batch, FEEDBACK>;

impl<K: Keep, const FEEDBACK: bool> Kept<K, FEEDBACK> {
    /// What it saw, after the end.
    pub fn tally(mut self) -> Tally {
        self.tokens.count(&mut self.tally);
        self.tally
    }
}

// Tokens are looked at where all are complete: only text may still grow, and it has other tokens after it.
impl<K: Keep, const FEEDBACK: bool> Sink for Kept<K, FEEDBACK> {
    fn input(&mut self, text: &str) {
        self.tokens.input(text);
    }

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

/// Counts what came before a tag: mostly text or nothing.
#[inline(always)]
fn count_before(tally: &mut Tally, tokens: &[(Token, Span)]) {
    match tokens {
        [] => {}
        [(Token::Characters(text), _)] => tally.text_bytes += text.len() as u64,
        tokens => tokens.iter().for_each(|(token, _)| count(tally, token)),
    }
}

#[inline(always)]
fn count_tag(tally: &mut Tally, name: &str, attributes: &OwnedAttributes) {
    tally.name_bytes += name.len() as u64;
    if !attributes.is_empty() {
        count_attributes(tally, attributes);
    }
}

/// Counts an owned token.
// What is not text is counted by a call, as attributes are: else all counts are loaded for each tag.
#[inline(always)]
pub(crate) fn count(tally: &mut Tally, token: &Token) {
    if let Token::Characters(text) = token {
        tally.text_bytes += text.len() as u64;
    } else {
        count_other(tally, token);
    }
}

#[inline(never)]
fn count_other(tally: &mut Tally, token: &Token) {
    if let Token::StartTag {
        name, attributes, ..
    } = token
    {
        tally.start_tags += 1;
        count_tag(tally, name, attributes);
    } else if let Token::EndTag {
        name, attributes, ..
    } = token
    {
        tally.end_tags += 1;
        count_tag(tally, name, attributes);
    } else {
        count_rare(tally, token);
    }
}

#[inline(never)]
fn count_rare(tally: &mut Tally, token: &Token) {
    match token {
        Token::EmptyTag {
            name, attributes, ..
        } => {
            tally.start_tags += 1;
            tally.name_bytes += name.len() as u64;
            count_attributes(tally, attributes);
        }
        Token::ShortEndTag => tally.end_tags += 1,
        Token::Comment { data } => tally.comment(data.len()),
        Token::Doctype { .. }
        | Token::ProcessingInstruction { .. }
        | Token::XmlDeclaration { .. }
        | Token::EntityReference { .. } => tally.others += 1,
        _ => {}
    }
}

#[inline(never)]
fn count_attributes(tally: &mut Tally, attributes: &OwnedAttributes) {
    for (name, value) in attributes {
        tally.attribute(name.len(), value.len());
    }
}

/// Counts a token of a batch.
#[inline(always)]
fn count_view(tally: &mut Tally, token: &TokenView<'_>) {
    let tag = |tally: &mut Tally, tag: &Tag<'_>| {
        tally.name_bytes += tag.name.len() as u64;
        for (name, value) in tag.attributes.iter() {
            tally.attribute(name.len(), value.len());
        }
    };
    match token {
        TokenView::Characters(text) => tally.text_bytes += text.len() as u64,
        TokenView::StartTag(token) | TokenView::EmptyTag(token) => {
            tally.start_tags += 1;
            tag(tally, token);
        }
        TokenView::EndTag(token) => {
            tally.end_tags += 1;
            tag(tally, token);
        }
        TokenView::ShortEndTag => tally.end_tags += 1,
        TokenView::Comment(comment) => tally.comment(comment.data.len()),
        TokenView::Doctype(_)
        | TokenView::ProcessingInstruction(_)
        | TokenView::XmlDeclaration(_)
        | TokenView::EntityReference(_) => tally.others += 1,
        TokenView::EndOfFile => {}
    }
}
