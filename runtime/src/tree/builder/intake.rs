//! Tokens come in: a builder is the sink of a tokenizer.

use super::super::element::Type;
use super::super::ends::{Ends, Starts};
use super::super::names::{Name, Space};
use super::super::sink::{Place, TagAttributes, Text, TreeSink};
use super::super::token::{Kind, Token, part};
use super::{Builder, Rules};
use crate::attributes::Attributes;
use crate::markup::{
    Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
    XmlDeclaration,
};
use crate::span::{ParseError, Span};

/// A token of a vocabulary that is a table's own, with the parts that tree construction knows.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: Option<&'a str>,
    /// Its data, unless it has a name.
    pub data: Option<&'a str>,
    /// Its target.
    pub target: Option<&'a str>,
    /// Its attributes.
    pub attributes: Option<&'a Attributes<'a>>,
    /// Its self-closing flag.
    pub self_closing_flag: bool,
    /// Its public identifier.
    pub public_identifier: Option<&'a str>,
    /// Its system identifier.
    pub system_identifier: Option<&'a str>,
    /// Its force-quirks flag.
    pub force_quirks_flag: bool,
}

impl Parts<'_> {
    /// A token without parts.
    pub const fn of(kind: Kind) -> Self {
        Self {
            kind,
            name: None,
            data: None,
            target: None,
            attributes: None,
            self_closing_flag: false,
            public_identifier: None,
            system_identifier: None,
            force_quirks_flag: false,
        }
    }
}

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
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

    /// What follows a token: whether the tokenizer pauses, and the content that it is switched to.
    pub(super) fn outcome(&mut self) -> (bool, Option<R::Content>) {
        (core::mem::take(&mut self.pauses), self.content.take())
    }

    /// Takes a token of a vocabulary that is the table's own.
    pub fn take(&mut self, parts: Parts<'_>, span: Span) -> (bool, Option<R::Content>) {
        let current = self.stack.current().map(|it| it.ty.name());
        let name = match (parts.kind, parts.name, current) {
            (Kind::EndTag | Kind::ShortEndTag, None, Some(current)) => current,
            (_, name, _) => self.names.intern(name.unwrap_or_default()),
        };
        let doctype = Doctype {
            name: parts.name,
            public_identifier: parts.public_identifier,
            system_identifier: parts.system_identifier,
            force_quirks_flag: parts.force_quirks_flag,
        };
        let attributes = parts.attributes.map(|it| TagAttributes::new(it, span));
        self.hand(Token {
            kind: parts.kind,
            name,
            text: parts.data.or(parts.name).unwrap_or_default(),
            target: parts.target.unwrap_or_default(),
            attributes: attributes.unwrap_or(TagAttributes::NONE),
            is_self_closing: parts.self_closing_flag,
            must_be_acknowledged: parts.self_closing_flag && parts.kind == Kind::StartTag,
            doctype: Some(&doctype),
            span,
        });
        self.outcome()
    }

    /// Takes characters.
    pub fn take_characters(&mut self, data: &str, span: Span) {
        if !self.insert_text_at_once(data, span) {
            self.text(data, span);
        }
    }

    /// Takes the end-of-file token.
    pub fn take_end_of_file(&mut self, at: u64) {
        self.other(Token::new(Kind::EndOfFile, Span { start: at, end: at }));
    }
}

impl<S: TreeSink, R: Rules<S, SCOPES, Content = Content>, const SCOPES: usize>
    Builder<S, R, SCOPES>
{
    #[inline(always)]
    pub(super) fn tag(&mut self, kind: Kind, tag: &Tag<'_>, span: Span) -> Answer {
        if self.stopped {
            return Answer::Continue;
        }
        self.ignored_next = None;
        let name = self.names.intern(tag.name);
        match kind {
            Kind::StartTag if S::CREATES_IN => self.start(name, tag, span),
            Kind::EndTag if self.end_at_once(name, span) => Answer::Continue,
            _ => self.any_tag(kind, name, tag, span),
        }
    }

    /// A start tag. Calls of their own do what it comes to, so that this one keeps nothing.
    #[inline(never)]
    fn start(&mut self, name: Name, tag: &Tag<'_>, span: Span) -> Answer {
        let starts = match self.current_is_html() && !tag.self_closing_flag {
            true => R::starts(self, name),
            false => Starts::More,
        };
        match starts {
            Starts::Inserts => self.insert_start(false, name, tag, span),
            Starts::InsertsAndEntersList if self.list.last_of(Type::html(name)).is_none() => {
                self.insert_start(true, name, tag, span)
            }
            _ => self.any_tag(Kind::StartTag, name, tag, span),
        }
    }

    /// Inserts an element for a start tag, which does no more.
    #[inline(never)]
    fn insert_start(&mut self, enters_list: bool, name: Name, tag: &Tag<'_>, span: Span) -> Answer {
        let attributes = TagAttributes::new(&tag.attributes, span);
        if !self.insert_new(name, tag.name, &attributes, Space::Html) {
            return self.any_tag(Kind::StartTag, name, tag, span);
        }
        if enters_list {
            self.add_current(&attributes);
        }
        Answer::Continue
    }

    /// Gives a tag to the rules.
    #[inline(never)]
    fn any_tag(&mut self, kind: Kind, name: Name, tag: &Tag<'_>, span: Span) -> Answer {
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

    #[cold]
    pub(super) fn answer(&mut self) -> Answer {
        match self.outcome() {
            (true, _) => Answer::Pause,
            (false, content) => content.map_or(Answer::Continue, Answer::Switch),
        }
    }
}

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Whether the current node and the adjusted current node are HTML elements, and the depth has no limit.
    #[inline(always)]
    fn current_is_html(&self) -> bool {
        self.is_plain && (self.stack.current()).is_some_and(|current| current.ty.is_html())
    }

    /// Pops the current node for its end tag, and takes it off the list if it is there, if no more is to be done. Whether that is so.
    #[inline(always)]
    pub(super) fn end_at_once(&mut self, name: Name, span: Span) -> bool {
        let leaves_list = match R::ends(self.mode, name) {
            Ends::More => return false,
            Ends::Pops => false,
            Ends::PopsAndLeavesList => true,
        };
        let Self { stack, sink, .. } = self;
        let Some(current) = stack.plain_current() else {
            return false;
        };
        if !current.is(Type::html(name))
            || leaves_list && !self.list.ends_with(current.serial)
            || !self.is_plain
        {
            return false;
        }
        sink.end_tag(&current.node, span);
        sink.popped(&current.node);
        stack.pop_plain();
        if leaves_list {
            self.list.pop();
        }
        true
    }

    /// Inserts characters after the last child of the current node, if no more is to be done. Whether that is so.
    #[inline(always)]
    pub(super) fn insert_text_at_once(&mut self, text: &str, span: Span) -> bool {
        // U+0000 comes alone.
        if !self.current_is_html()
            || self.ignored_next.is_some()
            || text.as_bytes().first().is_none_or(|&first| first == 0)
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

    /// A token after which the tokenizer asks nothing.
    pub(super) fn other(&mut self, token: Token<'_>) {
        self.hand(token);
        self.content = None;
    }

    fn hand(&mut self, mut token: Token<'_>) {
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
        while self.reprocess && !self.stopped {
            self.reprocess = false;
            (token.text, token.span) = (text, span);
            R::dispatch(self, &mut token);
        }
        // Nearly always the rules take all characters.
        if token.text.len() < text.len() {
            self.rest(text, span, token.text.len());
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

impl<S, R, const SCOPES: usize> Sink for Builder<S, R, SCOPES>
where
    S: TreeSink,
    R: Rules<S, SCOPES, Content = Content>,
{
    const ERRORS: bool = S::ERRORS;
    // So each character has a place.
    const ERRORS_IN_ORDER: bool = true;
    const NULLS_ALONE: bool = true;
    const FEEDBACK: bool = false;

    fn characters(&mut self, data: &str, span: Span) {
        self.take_characters(data, span);
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
        let mut token = Token::new(Kind::ShortEndTag, span);
        // It ends the current node, whatever that is called.
        if let Some(current) = self.stack.current() {
            token.name = current.ty.name();
        }
        self.other(token);
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        let mut token = Token::new(Kind::Comment, span);
        token.text = comment.data;
        self.other(token);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        let mut token = Token::new(Kind::Doctype, span);
        token.name = self.names.intern(doctype.name.unwrap_or_default());
        token.doctype = Some(doctype);
        self.other(token);
    }

    fn processing_instruction(&mut self, instruction: &ProcessingInstruction<'_>, span: Span) {
        let mut token = Token::new(Kind::ProcessingInstruction, span);
        token.text = instruction.data;
        token.target = instruction.target;
        self.other(token);
    }

    fn xml_declaration(&mut self, _: &XmlDeclaration<'_>, span: Span) {
        self.other(Token::new(Kind::XmlDeclaration, span));
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        let mut token = Token::new(Kind::EntityReference, span);
        token.name = self.names.intern(reference.name);
        token.text = reference.name;
        self.other(token);
    }

    fn end_of_file(&mut self, at: u64) {
        self.take_end_of_file(at);
    }

    fn error(&mut self, error: ParseError) {
        self.sink.tokenizer_error(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        R::cdata_sections_are_allowed(self)
    }
}
