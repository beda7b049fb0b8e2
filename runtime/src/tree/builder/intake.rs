//! Tokens come in: a builder is the sink of a tokenizer.

use super::super::element::Type;
use super::super::ends::Ends;
use super::super::names::Name;
use super::super::sink::{Place, TagAttributes, Text, TreeSink};
use super::super::token::{Kind, Token, has_any, part};
use super::{Builder, Rules};
use crate::markup::{Answer, Comment, Doctype, EntityReference, ProcessingInstruction, Sink, Tag};
use crate::span::{ParseError, Span};

impl<S: TreeSink, R: Rules<SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    #[inline(always)]
    pub(super) fn process(&mut self, token: &mut Token<'_>) {
        self.list.forget_positions();
        self.reprocess = false;
        R::dispatch(self, token);
        if self.reprocess {
            self.process_again(token);
        }
        if S::ERRORS && token.must_be_acknowledged && !self.stopped {
            self.error(
                token,
                Some("non-void-html-element-start-tag-with-trailing-solidus"),
            );
        }
    }

    #[inline(never)]
    pub(super) fn process_again(&mut self, token: &mut Token<'_>) {
        while self.reprocess && !self.stopped {
            self.reprocess = false;
            R::dispatch(self, token);
        }
    }

    #[inline(always)]
    pub(super) fn tag(&mut self, kind: Kind, tag: &Tag<'_>, span: Span) -> Answer {
        if self.stopped {
            return Answer::Continue;
        }
        self.ignored_next = None;
        let name = self.names.intern(tag.name);
        if matches!(kind, Kind::EndTag) && self.end_at_once(name, span) {
            return Answer::Continue;
        }
        let mut token = Token {
            kind,
            name,
            text: tag.name,
            target: "",
            attributes: TagAttributes::new(&tag.attributes, span),
            is_self_closing: tag.self_closing_flag,
            must_be_acknowledged: tag.self_closing_flag && matches!(kind, Kind::StartTag),
            doctype: None,
            span,
        };
        self.process(&mut token);
        if self.content.is_none() && !self.pauses {
            return Answer::Continue;
        }
        self.answer()
    }

    /// Pops the current node for its end tag, and takes it off the list if it is there, if no more is to be done. Whether that is so.
    #[inline(always)]
    pub(super) fn end_at_once(&mut self, name: Name, span: Span) -> bool {
        let leaves_list = match R::ends(self.mode, name) {
            Ends::More => return false,
            Ends::Pops => false,
            Ends::PopsAndLeavesList => true,
        };
        let is_it = self.stack.current().is_some_and(|current| {
            current.is(Type::html(name)) && (!leaves_list || self.list.ends_with(current.serial))
        });
        if !is_it || !self.is_plain || !self.pop_plain(Some((name, span))) {
            return false;
        }
        if leaves_list {
            self.list.pop();
        }
        true
    }

    /// Inserts characters after the last child of the current node, if no more is to be done. Whether that is so.
    #[inline(always)]
    pub(super) fn insert_text_at_once(&mut self, text: &str, span: Span) -> bool {
        if !self.is_plain
            || self.ignored_next.is_some()
            || !(self.stack.current()).is_some_and(|current| current.ty.is_html())
            || has_any(text.as_bytes(), |it| it == 0)
            || !R::only_inserts_characters(self)
        {
            return false;
        }
        let Self { stack, sink, .. } = self;
        if let Some(current) = stack.current() {
            let place = Place::LastChild(current.node.clone());
            sink.insert_text(Text { text, span }, &place);
        }
        true
    }

    #[cold]
    pub(super) fn answer(&mut self) -> Answer {
        let content = self.content.take();
        if core::mem::take(&mut self.pauses) {
            return Answer::Pause;
        }
        content.map_or(Answer::Continue, Answer::Switch)
    }

    pub(super) fn other(&mut self, mut token: Token<'_>) {
        self.ignored_next = None;
        if !self.stopped {
            self.process(&mut token);
        }
    }

    #[inline(never)]
    pub(super) fn text(&mut self, text: &str, span: Span) {
        if self.stopped {
            return;
        }
        if self.ignored_next.is_some() {
            return self.text_after(text, span);
        }
        let mut token = Token::characters(text, span);
        self.reprocess = false;
        R::dispatch(self, &mut token);
        // Nearly always the rules take all characters.
        if self.reprocess || token.text.len() < text.len() {
            let taken = if self.reprocess { 0 } else { token.text.len() };
            self.rest(text, span, taken);
        }
    }

    /// Gives characters to the rules of which the first may be ignored.
    #[cold]
    pub(super) fn text_after(&mut self, text: &str, span: Span) {
        let ignored = self.ignored_next.take();
        let ignored = ignored.filter(|it| text.starts_with(*it));
        self.rest(text, span, ignored.map_or(0, char::len_utf8));
    }

    /// Gives the rest of the characters to the rules.
    #[inline(never)]
    pub(super) fn rest(&mut self, text: &str, span: Span, mut from: usize) {
        while from < text.len() && !self.stopped {
            // The rules take some of the characters, or change the mode and take none.
            let (rest, place) = part(text, span, from, text.len());
            let mut token = Token::characters(rest, place);
            self.reprocess = false;
            R::dispatch(self, &mut token);
            if !self.reprocess {
                from += token.text.len();
            }
        }
        self.reprocess = false;
    }
}

impl<S: TreeSink, R: Rules<SCOPES>, const SCOPES: usize> Sink for Builder<S, R, SCOPES> {
    const ERRORS: bool = S::ERRORS;
    // So each character has a place.
    const ERRORS_IN_ORDER: bool = true;
    const FEEDBACK: bool = false;

    fn characters(&mut self, data: &str, span: Span) {
        if !self.insert_text_at_once(data, span) {
            self.text(data, span);
        }
    }

    #[inline(always)]
    fn start_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::StartTag, token, span)
    }

    #[inline(always)]
    fn end_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::EndTag, token, span)
    }

    fn empty_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::EmptyTag, token, span)
    }

    fn short_end_tag(&mut self, span: Span) {
        self.other(Token::new(Kind::ShortEndTag, span));
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        let mut token = Token::new(Kind::Comment, span);
        token.text = comment.data;
        self.other(token);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        let mut token = Token::new(Kind::Doctype, span);
        if let Some(name) = doctype.name.and_then(|name| self.names.find(name)) {
            token.name = name;
        }
        token.doctype = Some(doctype);
        self.other(token);
    }

    fn processing_instruction(&mut self, instruction: &ProcessingInstruction<'_>, span: Span) {
        let mut token = Token::new(Kind::ProcessingInstruction, span);
        token.text = instruction.data;
        token.target = instruction.target;
        self.other(token);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        let mut token = Token::new(Kind::EntityReference, span);
        token.text = reference.name;
        self.other(token);
    }

    fn end_of_file(&mut self, at: u64) {
        self.other(Token::new(Kind::EndOfFile, Span { start: at, end: at }));
    }

    fn error(&mut self, error: ParseError) {
        self.sink.tokenizer_error(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        R::cdata_sections_are_allowed(self)
    }
}
