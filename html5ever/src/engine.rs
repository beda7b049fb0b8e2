//! The tokenizer behind html5ever's interface: one of Speclex's, whose sink is lent for each chunk.

use std::borrow::Cow;
use std::collections::VecDeque;

use speclex::markup::{self, Answer, CommentUnderConstruction, Content, Sink};
use speclex::rt::{Exchange, Input, Machine};
use speclex::{ByteOrderMark, ErrorCode, FeedError, Limits, ParseError, Span, Tokenizer};
use speclex_tokenizers::html_2026_06::{self, errors};
#[cfg(feature = "revisions")]
use speclex_tokenizers::{html_2009, html_2012, html_2014, html_living};

use crate::base::tendril::StrTendril;
use crate::base::tokenizer::TagKind;
use crate::host::{AnyHost, Chunk, Host, NewTag};
use crate::known_parts::Known;
use crate::lines::Lines;
use crate::revision::Revision;
use crate::spans::Spans;

/// Finds the first error of the input stream in a text at or after a place: where its character is, and its code.
type InputError = fn(&str, usize) -> Option<(usize, ErrorCode)>;

/// What a tokenizer is told at its start.
#[derive(Debug)]
pub(crate) struct Start {
    /// Where it starts.
    pub(crate) content: Content,
    /// The name that an end tag must have before there is a start tag.
    pub(crate) last_start_tag: Option<String>,
    /// Whether a byte order mark is dropped.
    pub(crate) drops_bom: bool,
    /// Whether errors of the input stream are reported.
    pub(crate) reports_input_errors: bool,
}

/// A tokenizer of some revision.
pub(crate) trait Engine {
    /// Tokenizes a chunk to its end or to a pause; returns how many of its bytes are used.
    fn feed(&mut self, host: AnyHost<'_>, spans: Option<&Spans>, chunk: &StrTendril) -> usize;

    /// Ends the stream. What is fed then is another one.
    fn end(&mut self, host: AnyHost<'_>, spans: Option<&Spans>);

    /// Goes on in a content.
    fn enter(&mut self, content: Content);
}

macro_rules! engines {
    ($($(#[$condition:meta])? $revision:ident: $module:ident,)*) => {
        /// The tokenizer of a revision. It is compiled here, once for all hosts. In no box: html5ever's own takes no allocation.
        pub(crate) enum AnyEngine {
            $($(#[$condition])? $revision(Slot<$module::Machine<Idle>>),)*
        }

        impl AnyEngine {
            pub(crate) fn new(revision: Revision, start: Start) -> Self {
                match revision {
                    $($(#[$condition])? Revision::$revision => Self::$revision(Slot::new(start)),)*
                }
            }

            pub(crate) fn get(&mut self) -> &mut dyn Engine {
                match self {
                    $($(#[$condition])? Self::$revision(slot) => slot,)*
                }
            }
        }
    };
}

engines! {
    #[cfg(feature = "revisions")]
    Html2009: html_2009,
    #[cfg(feature = "revisions")]
    Html2012: html_2012,
    #[cfg(feature = "revisions")]
    Html2014: html_2014,
    Html2026June: html_2026_06,
    #[cfg(feature = "revisions")]
    HtmlLiving: html_living,
}

/// A machine whose sink can be lent, one with this host.
pub(crate) trait Lends<'a, H>:
    Machine<Sink = Idle, Content = Content> + Exchange<Bridge<'a, H>, With: Exchange<Idle, With = Self>>
{
}

impl<'a, H, M> Lends<'a, H> for M where
    M: Machine<Sink = Idle, Content = Content>
        + Exchange<Bridge<'a, H>, With: Exchange<Idle, With = Self>>
{
}

/// A tokenizer between chunks. There is none after a sink has panicked.
pub(crate) struct Slot<M: Machine>(pub(crate) Option<Tokenizer<M>>);

impl<M: Machine<Sink = Idle, Content = Content> + 'static> Slot<M> {
    fn new(start: Start) -> Self {
        let kept = Kept {
            is_in_cdata: start.content == Content::CdataSection,
            may_have_nul: start.content == Content::CdataSection,
            input_error: start
                .reports_input_errors
                .then_some(M::input_error as InputError),
            ..Kept::default()
        };
        let mut tokenizer = Tokenizer::<M>::new(Bridge::idle(kept));
        // html5ever has no limit.
        tokenizer.set_limits(Limits::MAX);
        tokenizer.set_byte_order_mark(match start.drops_bom {
            true => ByteOrderMark::Skip,
            false => ByteOrderMark::Table,
        });
        // Every table of HTML has every content.
        let _ = tokenizer.enter(start.content);
        if let Some(name) = start.last_start_tag {
            tokenizer.set_last_start_tag(&name);
        }
        Self(Some(tokenizer))
    }

    /// Runs the tokenizer with a sink lent to it.
    fn lend<'a, H: Host, T>(
        &mut self,
        (host, spans): (H, Option<&'a Spans>),
        chunk: Option<&'a StrTendril>,
        run: impl FnOnce(&mut Tokenizer<<M as Exchange<Bridge<'a, H>>>::With>) -> T,
    ) -> Option<T>
    where
        M: Lends<'a, H>,
    {
        let mut idle = self.0.take()?;
        let kept = std::mem::take(&mut idle.sink().kept);
        let (mut lent, _) = idle.with_sink(Bridge {
            host,
            spans,
            chunk: Chunk::new(chunk),
            kept,
        });
        let result = run(&mut lent);
        let kept = std::mem::take(&mut lent.sink().kept);
        self.0 = Some(lent.with_sink(Bridge::idle(kept)).0);
        Some(result)
    }

    /// Tokenizes a chunk for a host, to its end or to a pause; returns how many of its bytes are used.
    pub(crate) fn feed_for<'a, H: Host>(
        &mut self,
        host: H,
        spans: Option<&'a Spans>,
        chunk: &'a StrTendril,
    ) -> usize
    where
        M: Lends<'a, H>,
    {
        let used = self.lend((host, spans), Some(chunk), |tokenizer| {
            if let Some(spans) = spans {
                spans.start_chunk(chunk, tokenizer.sink().kept.lines.chunk_at());
            }
            let used = tokenizer.feed_until_pause(chunk).unwrap_or_else(|error| {
                tokenizer.sink().fail(error);
                chunk.len()
            });
            let sink = tokenizer.sink();
            sink.find_input_errors(sink.kept.lines.chunk_at() + used as u64);
            sink.kept.lines.leave(chunk.as_bytes(), used);
            if let Some(spans) = spans {
                spans.leave_chunk(used);
            }
            used
        });
        used.unwrap_or(chunk.len())
    }

    /// Ends the stream for a host. What is fed then is another one.
    pub(crate) fn end_for<'a, H: Host>(&mut self, host: H, spans: Option<&'a Spans>)
    where
        M: Lends<'a, H>,
    {
        self.lend((host, spans), None, |tokenizer| {
            // Where a revision emits a tag at the end of the input, the sink may pause: nothing comes behind that.
            while let Err(error) = tokenizer.end() {
                if error != FeedError::Paused {
                    tokenizer.sink().fail(error);
                    let end = tokenizer.sink().kept.lines.chunk_at();
                    tokenizer.sink().end_of_file(end);
                    break;
                }
            }
            tokenizer.reset();
            tokenizer.sink().kept.restart();
        });
    }
}

impl<M: for<'a> Lends<'a, AnyHost<'a>> + 'static> Engine for Slot<M> {
    fn feed(&mut self, mut host: AnyHost<'_>, spans: Option<&Spans>, chunk: &StrTendril) -> usize {
        self.feed_for(host.reborrow(), spans, chunk)
    }

    fn end(&mut self, mut host: AnyHost<'_>, spans: Option<&Spans>) {
        self.end_for(host.reborrow(), spans);
    }

    fn enter(&mut self, content: Content) {
        if let Some(tokenizer) = &mut self.0 {
            // Every table of HTML has every content.
            let _ = tokenizer.enter(content);
        }
    }
}

/// html5ever says nothing to a caller who stops in the middle of a token, and so the tokenizer does not.
#[cfg(debug_assertions)]
impl<M: Machine> Drop for Slot<M> {
    fn drop(&mut self) {
        if let Some(tokenizer) = &mut self.0 {
            tokenizer.reset();
        }
    }
}

/// What is kept from chunk to chunk.
#[derive(Debug, Default)]
struct Kept {
    lines: Lines,
    /// Whether the tag under construction has had a duplicate attribute.
    has_duplicate: bool,
    /// Whether there has been an error since parts of a tag were kept: the attributes of the next one may not be all that are
    /// written. Not each revision has a code for duplicates.
    has_error: bool,
    /// Whether the next text may have U+0000: there has been an error since the last one, as each U+0000 in data is, or
    /// `is_in_cdata`.
    may_have_nul: bool,
    /// Whether there has been a CDATA section, where U+0000 is no error.
    is_in_cdata: bool,
    /// How errors of the input stream are found, if they are wanted.
    input_error: Option<InputError>,
    /// Offset in the stream up to which they have been looked for. What comes again after a pause is behind it.
    searched: u64,
    /// Errors of the input stream that come before tokens that end behind them, and their lines.
    input_errors: VecDeque<(ParseError, u64)>,
    /// Whether a token was too large, and that has been said.
    has_failed: bool,
}

impl Kept {
    /// Starts another stream. Its lines are counted on, as html5ever does.
    fn restart(&mut self) {
        self.lines.restart();
        self.has_duplicate = false;
        self.has_error = false;
        self.has_failed = false;
        self.is_in_cdata = false;
        self.searched = 0;
        self.input_errors.clear();
    }
}

/// Gives what the tokenizer emits to a host, with lines and in order.
pub(crate) struct Bridge<'a, H> {
    host: H,
    spans: Option<&'a Spans>,
    chunk: Chunk<'a>,
    kept: Kept,
}

/// What stands there between chunks.
pub(crate) type Idle = Bridge<'static, AnyHost<'static>>;

impl Idle {
    fn idle(kept: Kept) -> Self {
        Self {
            host: AnyHost::Nobody,
            spans: None,
            chunk: Chunk::NONE,
            kept,
        }
    }
}

impl<'a, H: Host> Bridge<'a, H> {
    /// The line of an offset in the stream.
    #[inline(always)]
    fn line(&mut self, offset: u64) -> u64 {
        self.kept.lines.at(self.chunk.text.as_bytes(), offset)
    }

    /// A token that is neither text nor a tag comes: its line.
    fn start(&mut self, span: Span) -> u64 {
        self.send_input_errors(span.end);
        let line = self.line(span.end);
        self.show(span);
        line
    }

    /// Shows the span of a token that is neither a tag nor an error.
    #[inline(always)]
    fn show(&self, span: Span) {
        if let Some(spans) = self.spans {
            spans.show(span);
        }
    }

    /// Hands text to the host. Errors in it come behind it: in front of a newline they would say that it is not the first after
    /// `<pre>`.
    #[inline(always)]
    fn send_text(&mut self, text: &str, span: Span) {
        self.send_input_errors(span.start);
        self.find_input_errors(span.end);
        let line = self.line(span.end);
        self.show(span);
        self.host.characters(self.chunk, text, span, line);
    }

    /// Finds the errors of the input stream before an offset, with their lines: before lines behind it are counted.
    #[inline(always)]
    fn find_input_errors(&mut self, end: u64) {
        if let Some(input_error) = self.kept.input_error {
            self.find_these_input_errors(end, input_error);
        }
    }

    #[cold]
    fn find_these_input_errors(&mut self, end: u64, input_error: InputError) {
        let chunk_at = self.kept.lines.chunk_at();
        let in_chunk = |offset: u64| (offset.saturating_sub(chunk_at)) as usize;
        let text = self
            .chunk
            .text
            .get(..in_chunk(end))
            .unwrap_or(self.chunk.text);
        let mut from = in_chunk(self.kept.searched);
        while from < text.len()
            && let Some((at, code)) = input_error(text, from)
        {
            let offset = chunk_at + at as u64;
            let line = self.line(offset);
            let error = ParseError { code, offset };
            self.kept.input_errors.push_back((error, line));
            from = at + 1;
        }
        self.kept.searched = self.kept.searched.max(end);
    }

    /// Hands over the errors of the input stream before an offset.
    #[inline(always)]
    fn send_input_errors(&mut self, end: u64) {
        self.find_input_errors(end);
        if !self.kept.input_errors.is_empty() {
            self.send_these_input_errors(end);
        }
    }

    #[cold]
    fn send_these_input_errors(&mut self, end: u64) {
        while let Some(&(error, line)) = self.kept.input_errors.front()
            && error.offset < end
        {
            self.kept.input_errors.pop_front();
            self.send_error(error, line);
        }
    }

    fn send_error(&mut self, error: ParseError, line: u64) {
        if let Some(spans) = self.spans {
            spans.show_error(error.offset);
        }
        self.host.error(error, line);
    }

    /// Reports once why the stream is not read to its end.
    #[cold]
    fn fail(&mut self, error: FeedError) {
        if !std::mem::replace(&mut self.kept.has_failed, true) {
            let line = self.line(self.kept.lines.chunk_at());
            self.host.complaint(Cow::Owned(error.to_string()), line);
        }
    }

    /// Keeps the name of a tag in the cell, where its attributes are to be added, unless they may not be all.
    #[inline(always)]
    fn keep(&mut self, tag: &markup::Tag<'_>, span: Span, spans: &'a Spans) -> Option<Known<'a>> {
        let is_all = !std::mem::take(&mut self.kept.has_error);
        let chunk_at = self.kept.lines.chunk_at();
        let mut known = spans.keep((self.chunk.text, chunk_at), is_all)?;
        known.name(self.chunk.place(tag.name), span, tag.self_closing_flag);
        Some(known)
    }

    /// Hands a tag to the host. Its parts go into the cell or do not.
    #[inline(never)]
    fn tag<const PARTS: bool>(
        &mut self,
        kind: TagKind,
        tag: &markup::Tag<'_>,
        span: Span,
    ) -> Answer {
        self.send_input_errors(span.end);
        let line = self.line(span.end);
        let known = match self.spans {
            Some(spans) if PARTS => self.keep(tag, span, spans),
            _ => None,
        };
        let tag = NewTag {
            kind,
            tag,
            span,
            line,
            has_duplicate: std::mem::take(&mut self.kept.has_duplicate),
            spans: self.spans,
            known,
        };
        self.host.tag(self.chunk, tag)
    }

    /// Text in which each U+0000 is a token.
    #[cold]
    fn text_with_nul(&mut self, data: &str, span: Span) {
        self.kept.may_have_nul = self.kept.is_in_cdata;
        for piece in data.split_inclusive('\0') {
            let text = piece.trim_end_matches('\0');
            if !text.is_empty() {
                self.send_text(text, span);
            }
            if text.len() < piece.len() {
                let line = self.start(span);
                self.host.nul(line);
            }
        }
    }
}

impl<H: Host> Sink for Bridge<'_, H> {
    const ERRORS: bool = true;
    const ERRORS_IN_ORDER: bool = true;
    // As the builder wants it.
    const NULLS_ALONE: bool = true;
    const FEEDBACK: bool = false;

    #[inline]
    fn characters(&mut self, data: &str, span: Span) {
        if self.host.splits_nul() && self.kept.may_have_nul {
            self.text_with_nul(data, span);
        } else {
            self.send_text(data, span);
        }
    }

    #[inline]
    fn start_tag(&mut self, tag: &markup::Tag<'_>, span: Span) -> Answer {
        match self.spans {
            Some(spans) if spans.wants_parts() => self.tag::<true>(TagKind::StartTag, tag, span),
            _ => self.tag::<false>(TagKind::StartTag, tag, span),
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: &markup::Tag<'_>, span: Span) -> Answer {
        self.tag::<false>(TagKind::EndTag, tag, span)
    }

    fn comment(&mut self, comment: &markup::Comment<'_>, span: Span) {
        let line = self.start(span);
        self.host.comment(self.chunk, comment, span, line);
    }

    fn doctype(&mut self, doctype: &markup::Doctype<'_>, span: Span) {
        let line = self.start(span);
        self.host.doctype(self.chunk, doctype, span, line);
    }

    fn processing_instruction(
        &mut self,
        instruction: &markup::ProcessingInstruction<'_>,
        span: Span,
    ) {
        let space = if instruction.data.is_empty() { "" } else { " " };
        let data = ["?", instruction.target, space, instruction.data].concat();
        let input = Input::new(&data);
        let mut comment = CommentUnderConstruction::default();
        comment.create(0);
        comment.data.push_run(input, 0, data.len());
        self.comment(&comment.view(input), span);
    }

    fn end_of_file(&mut self, at: u64) {
        let line = self.start(Span { start: at, end: at });
        self.host.end_of_file(at, line);
    }

    fn error(&mut self, error: ParseError) {
        self.kept.may_have_nul = true;
        self.kept.has_error = true;
        if error.code == errors::DUPLICATE_ATTRIBUTE {
            self.kept.has_duplicate = true;
        }
        self.send_input_errors(error.offset);
        let line = self.line(error.offset);
        self.send_error(error, line);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        let are_allowed = self.host.is_in_foreign_content();
        self.kept.is_in_cdata |= are_allowed;
        self.kept.may_have_nul |= are_allowed;
        are_allowed
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use crate::base::tokenizer::{Tag, Token};
    use crate::host::TokenHost;

    use super::*;

    /// Writes down tokens.
    #[derive(Default)]
    struct Log(RefCell<Vec<String>>);

    impl TokenHost for Log {
        fn tag(&self, _: Token, _: u64) -> Answer {
            Answer::Continue
        }

        fn token(&self, token: Token, line: u64) {
            self.0.borrow_mut().push(match token {
                Token::ParseError(message) => format!("{line} {message}"),
                Token::CharacterTokens(text) => text.to_string(),
                other => format!("{other:?}"),
            });
        }

        fn is_in_foreign_content(&self) -> bool {
            false
        }
    }

    thread_local! {
        static SEARCHED: Cell<usize> = const { Cell::new(0) };
    }

    /// Finds errors of the input stream, and counts the bytes that it looks at.
    fn counting(text: &str, from: usize) -> Option<(usize, ErrorCode)> {
        let error = html_2026_06::Machine::<Idle>::input_error(text, from);
        let end = error.map_or(text.len(), |(at, _)| at + 1);
        SEARCHED.set(SEARCHED.get() + end - from);
        error
    }

    /// Pauses at each end tag, and counts errors.
    #[derive(Default)]
    struct Pauses(Cell<usize>);

    impl TokenHost for Pauses {
        fn tag(&self, tag: Token, _: u64) -> Answer {
            match tag {
                Token::TagToken(Tag {
                    kind: TagKind::EndTag,
                    ..
                }) => Answer::Pause,
                _ => Answer::Continue,
            }
        }

        fn token(&self, token: Token, _: u64) {
            let is_error = matches!(token, Token::ParseError(_));
            self.0.set(self.0.get() + usize::from(is_error));
        }

        fn is_in_foreign_content(&self) -> bool {
            false
        }
    }

    #[test]
    fn each_byte_is_searched_once_for_errors_of_the_input_stream() {
        let page = "\u{1}<b a=\u{2}></b>".repeat(1000);
        for size in [1, 7, 64, 5000, page.len()] {
            let kept = Kept {
                input_error: Some(counting),
                ..Kept::default()
            };
            let tokenizer = Tokenizer::<html_2026_06::Machine<Idle>>::new(Bridge::idle(kept));
            let mut slot = Slot(Some(tokenizer));
            let host = Pauses::default();
            SEARCHED.set(0);
            for chunk in page.as_bytes().chunks(size) {
                let chunk = std::str::from_utf8(chunk).expect("ASCII");
                let mut chunk = StrTendril::from_slice(chunk);
                while !chunk.is_empty() {
                    let used = slot.feed(AnyHost::Tokens(&host), None, &chunk);
                    chunk.pop_front(used as u32);
                }
            }
            slot.end(AnyHost::Tokens(&host), None);
            assert_eq!(SEARCHED.get(), page.len(), "chunks of {size}");
            assert_eq!(host.0.get(), 2000, "chunks of {size}");
        }
    }

    #[test]
    fn a_token_that_is_too_large_is_one_error_and_the_rest_is_dropped() {
        let mut tokenizer =
            Tokenizer::<html_2026_06::Machine<Idle>>::new(Bridge::idle(Kept::default()));
        tokenizer.set_limits(Limits::default().with_token_bytes(100));
        let mut slot = Slot(Some(tokenizer));
        let log = Log::default();
        for chunk in ["a\n<!--", &"x".repeat(60), &"y".repeat(60), "-->z", "more"] {
            assert_eq!(
                slot.feed(AnyHost::Tokens(&log), None, &chunk.into()),
                chunk.len()
            );
        }
        slot.end(AnyHost::Tokens(&log), None);
        let told = "2 the token at offset 2 has more than 100 bytes: the limit `token_bytes`, which `Tokenizer::set_limits` raises";
        assert_eq!(log.0.take(), ["a\n", told, "EOFToken"]);
        // The next stream is read.
        assert_eq!(slot.feed(AnyHost::Tokens(&log), None, &"b".into()), 1);
        assert_eq!(log.0.take(), ["b"]);
    }
}
