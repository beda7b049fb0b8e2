//! The tokenizer: html5ever's interface on top of Speclex's tokenizers.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::panic::UnwindSafe;

use speclex::markup::{Answer, Content};

pub use crate::base::tokenizer::*;

use crate::base::TokenizerResult;
use crate::base::tendril::StrTendril;
use crate::base::tokenizer::states::{RawKind, State};
use crate::engine::{AnyEngine, Start};
use crate::host::{AnyHost, TokenHost};
use crate::revision::Revision;
use crate::spans::Spans;

/// What a sink is told that calls back while it is given a token.
pub(crate) const REENTERED: &str =
    "the tokenizer was fed or ended by its own sink: nothing was done";

/// A tokenizer with html5ever's interface.
pub struct Tokenizer<Sink> {
    /// Where tokens go: a [`TokenSink`], or a [`TreeBuilder`](crate::tree_builder::TreeBuilder).
    pub sink: Sink,
    engine: RefCell<AnyEngine>,
    calls: Calls,
    /// Where the sink sees spans.
    spans: Option<Spans>,
    /// What is wrong with the options, until that has been said.
    complaint: Cell<Option<String>>,
}

/// How the sink has called its tokenizer back while it was given a token.
#[derive(Debug, Default)]
pub struct Calls {
    /// It has asked for PLAINTEXT.
    pub(crate) plaintext: Cell<bool>,
    /// It has fed or ended the tokenizer.
    pub(crate) reentered: Cell<bool>,
}

/// How a tokenizer runs for a chunk, or for the end of the stream.
pub struct Run<'a> {
    pub(crate) engine: &'a mut AnyEngine,
    pub(crate) calls: &'a Calls,
    pub(crate) spans: Option<&'a Spans>,
    /// None at the end.
    pub(crate) chunk: Option<&'a StrTendril>,
    /// Whether it stops at scripts and encoding indicators.
    pub(crate) stops: bool,
}

impl Run<'_> {
    /// Runs for a host whose type the tokenizer does not know; how many bytes are used.
    pub(crate) fn with(self, host: AnyHost<'_>) -> usize {
        match self.chunk {
            Some(chunk) => self.engine.get().feed(host, self.spans, chunk),
            None => {
                self.engine.get().end(host, self.spans);
                0
            }
        }
    }
}

/// What takes the tokens of a [`Tokenizer`]: every [`TokenSink`], and this crate's
/// [`TreeBuilder`](crate::tree_builder::TreeBuilder), which takes them without the tokens' allocations.
pub trait Receiver {
    /// A node.
    type Handle;

    /// Runs the tokenizer; returns how many bytes of the chunk are used, and why it stops, if not at the end of the chunk.
    #[doc(hidden)]
    fn run(&self, run: Run<'_>) -> (usize, Option<TokenizerResult<Self::Handle>>);

    /// Takes an error that is not one of the text.
    #[doc(hidden)]
    fn take_complaint(&self, complaint: Cow<'static, str>);

    /// The stream has ended.
    #[doc(hidden)]
    fn take_end(&self);
}

// The compiler cannot look behind `dyn TokenHost`, nor through the `Rc` of `Spans`. While a sink runs, the engine is taken out of its
// slot, so nothing can use it half changed: after a panic the slot is empty, and the tokenizer drops what it is fed.
impl<Sink: UnwindSafe> UnwindSafe for Tokenizer<Sink> {}

impl<Sink: Receiver> Tokenizer<Sink> {
    /// A tokenizer that gives its tokens to a sink.
    pub fn new(sink: Sink, opts: TokenizerOpts) -> Self {
        Self::new_as(Revision::default(), sink, opts)
    }

    /// A tokenizer of a revision of the standard.
    pub fn new_as(revision: Revision, sink: Sink, opts: TokenizerOpts) -> Self {
        let state = opts.initial_state.unwrap_or(State::Data);
        let content = content_of(state);
        let complaint = content
            .is_none()
            .then(|| format!("there is no way to start in the state {state:?}: starting in data"));
        let start = Start {
            content: content.unwrap_or(Content::Data),
            last_start_tag: opts.last_start_tag_name,
            drops_bom: opts.discard_bom,
            reports_input_errors: opts.exact_errors,
        };
        Self {
            sink,
            engine: RefCell::new(AnyEngine::new(revision, start)),
            calls: Calls::default(),
            spans: None,
            complaint: Cell::new(complaint),
        }
    }

    /// Shows spans in a cell, from what is fed next on.
    pub fn show_spans(&mut self, spans: &Spans) {
        self.spans = Some(spans.clone());
    }

    /// Tokenizes what is in the queue, until it is empty or the sink answers with a script or an encoding. What is not used
    /// then is at the front of the queue.
    pub fn feed(&self, input: &BufferQueue) -> TokenizerResult<Sink::Handle> {
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            self.calls.reentered.set(true);
            return TokenizerResult::Done;
        };
        while let Some(mut chunk) = input.pop_front() {
            let result = self.feed_chunk(&mut engine, true, &mut chunk);
            input.push_front(chunk);
            if let Some(result) = result {
                return result;
            }
        }
        TokenizerResult::Done
    }

    /// Tokenizes a text without a queue. It does not stop at scripts and encoding indicators.
    pub(crate) fn feed_text(&self, mut text: StrTendril) {
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            self.calls.reentered.set(true);
            return;
        };
        self.feed_chunk(&mut engine, false, &mut text);
    }

    /// Tokenizes a chunk until the sink has an answer for the caller; what is not used then is left of it.
    fn feed_chunk(
        &self,
        engine: &mut AnyEngine,
        stops: bool,
        chunk: &mut StrTendril,
    ) -> Option<TokenizerResult<Sink::Handle>> {
        self.complain();
        if chunk.is_empty() {
            return None;
        }
        if self.calls.plaintext.take() {
            engine.get().enter(Content::Plaintext);
        }
        let (used, result) = self.sink.run(self.prepared(engine, Some(chunk), stops));
        chunk.pop_front(used as u32);
        result
    }

    /// Switches to the PLAINTEXT state. Between chunks it does so at once. If the sink calls it while it is given a tag, the text
    /// behind that tag is plain; while it is given another token, the text behind the next tag, or the next chunk if that is first.
    pub fn set_plaintext_state(&self) {
        match self.engine.try_borrow_mut() {
            Ok(mut engine) => engine.get().enter(Content::Plaintext),
            Err(_) => self.calls.plaintext.set(true),
        }
    }

    /// Ends the stream: tokenizes what is undecided, then gives the sink the end-of-file token.
    pub fn end(&self) {
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            self.calls.reentered.set(true);
            return;
        };
        self.complain();
        // Where a script ends at the end of the input, nothing comes behind it.
        let _ = self.sink.run(self.prepared(&mut engine, None, true));
        self.sink.take_end();
        if let Some(spans) = &self.spans {
            spans.end();
        }
    }

    fn prepared<'a>(
        &'a self,
        engine: &'a mut AnyEngine,
        chunk: Option<&'a StrTendril>,
        stops: bool,
    ) -> Run<'a> {
        Run {
            engine,
            calls: &self.calls,
            spans: self.spans.as_ref(),
            chunk,
            stops,
        }
    }

    /// Says what is wrong with the options.
    fn complain(&self) {
        if let Some(complaint) = self.complaint.take() {
            self.sink.take_complaint(Cow::Owned(complaint));
        }
    }
}

/// The content that starts with a state.
// html5ever has other states, too; the package of its name has not.
#[allow(unreachable_patterns)]
pub(crate) fn content_of(state: State) -> Option<Content> {
    match state {
        State::Data => Some(Content::Data),
        State::Plaintext => Some(Content::Plaintext),
        State::RawData(kind) => content_of_raw(kind),
        State::CdataSection => Some(Content::CdataSection),
        _ => None,
    }
}

fn content_of_raw(kind: RawKind) -> Option<Content> {
    match kind {
        RawKind::Rcdata => Some(Content::Rcdata),
        RawKind::Rawtext => Some(Content::Rawtext),
        RawKind::ScriptData => Some(Content::ScriptData),
        RawKind::ScriptDataEscaped(_) => None,
    }
}

/// The state in which a content starts.
pub(crate) fn state_of(content: Content) -> State {
    match content {
        Content::Plaintext => State::Plaintext,
        Content::Rcdata => State::RawData(RawKind::Rcdata),
        Content::Rawtext => State::RawData(RawKind::Rawtext),
        Content::ScriptData => State::RawData(RawKind::ScriptData),
        Content::CdataSection => State::CdataSection,
        // There are no others.
        _ => State::Data,
    }
}

/// A sink of tokens while the tokenizer runs.
struct Lent<'a, Sink: TokenSink> {
    sink: &'a Sink,
    calls: &'a Calls,
    stops: bool,
    /// Why the tokenizer stops.
    result: Cell<Option<TokenizerResult<<Sink as TokenSink>::Handle>>>,
}

impl<Sink: TokenSink> Receiver for Sink {
    type Handle = <Sink as TokenSink>::Handle;

    fn run(&self, run: Run<'_>) -> (usize, Option<TokenizerResult<Self::Handle>>) {
        let lent = Lent {
            sink: self,
            calls: run.calls,
            stops: run.stops,
            result: Cell::new(None),
        };
        let used = run.with(AnyHost::Tokens(&lent));
        (used, lent.result.take())
    }

    fn take_complaint(&self, complaint: Cow<'static, str>) {
        let _ = self.process_token(Token::ParseError(complaint), 1);
    }

    fn take_end(&self) {
        TokenSink::end(self);
    }
}

impl<Sink: TokenSink> Lent<'_, Sink> {
    #[cold]
    fn complain_of_reentry(&self, line: u64) {
        self.calls.reentered.set(false);
        let token = Token::ParseError(Cow::Borrowed(REENTERED));
        let _ = self.sink.process_token(token, line);
    }

    /// What the tokenizer does after a tag if the sink does not simply continue.
    #[cold]
    fn answer(&self, result: TokenSinkResult<<Sink as TokenSink>::Handle>) -> Answer {
        let plaintext = &self.calls.plaintext;
        match result {
            TokenSinkResult::Continue => {
                plaintext.set(false);
                Answer::Switch(Content::Plaintext)
            }
            TokenSinkResult::Plaintext => Answer::Switch(Content::Plaintext),
            TokenSinkResult::EncodingIndicator(label) => {
                self.pause(TokenizerResult::EncodingIndicator(label))
            }
            TokenSinkResult::Script(handle) => {
                plaintext.set(false);
                self.pause(TokenizerResult::Script(handle))
            }
            TokenSinkResult::RawData(kind) => {
                plaintext.set(false);
                Answer::Switch(content_of_raw(kind).unwrap_or(Content::ScriptData))
            }
        }
    }

    fn pause(&self, result: TokenizerResult<<Sink as TokenSink>::Handle>) -> Answer {
        if !self.stops {
            return Answer::Continue;
        }
        self.result.set(Some(result));
        Answer::Pause
    }
}

impl<Sink: TokenSink> TokenHost for Lent<'_, Sink> {
    fn token(&self, token: Token, line: u64) {
        let _ = self.sink.process_token(token, line);
        if self.calls.reentered.get() {
            self.complain_of_reentry(line);
        }
    }

    fn tag(&self, tag: Token, line: u64) -> Answer {
        let result = self.sink.process_token(tag, line);
        if self.calls.reentered.get() {
            self.complain_of_reentry(line);
        }
        if matches!(result, TokenSinkResult::Continue) && !self.calls.plaintext.get() {
            return Answer::Continue;
        }
        self.answer(result)
    }

    fn is_in_foreign_content(&self) -> bool {
        self.sink
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
