//! The tokenizer: html5ever's interface on top of Speclex's tokenizers.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::panic::UnwindSafe;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use speclex::markup::{Answer, Content};

pub use html5ever::tokenizer::*;

use crate::engine::{AnyEngine, Engine, Host, Start};
use crate::revision::Revision;
use crate::spans::Spans;

/// What a sink is told that calls back while it is given a token.
const REENTERED: &str = "the tokenizer was fed or ended by its own sink: nothing was done";

/// A tokenizer with html5ever's interface.
pub struct Tokenizer<Sink> {
    /// Where tokens go.
    pub sink: Sink,
    engine: RefCell<AnyEngine>,
    /// Whether the sink has asked for PLAINTEXT while it was given a token.
    plaintext: Cell<bool>,
    /// Whether the sink has called back while it was given a token.
    reentered: Cell<bool>,
    /// Where the sink sees spans.
    spans: Option<Spans>,
    /// What is wrong with the options, until that has been said.
    complaint: Cell<Option<String>>,
}

// The compiler cannot look behind `dyn Host`, nor through the `Rc` of `Spans`. While a sink runs, the engine is taken out of its
// slot, so nothing can use it half changed: after a panic the slot is empty, and the tokenizer drops what it is fed.
impl<Sink: UnwindSafe> UnwindSafe for Tokenizer<Sink> {}

impl<Sink: TokenSink> Tokenizer<Sink> {
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
            plaintext: Cell::new(false),
            reentered: Cell::new(false),
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
            self.reentered.set(true);
            return TokenizerResult::Done;
        };
        let host = self.host(false);
        while let Some(mut chunk) = input.pop_front() {
            let result = self.feed_chunk(engine.get(), &host, &mut chunk);
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
            self.reentered.set(true);
            return;
        };
        self.feed_chunk(engine.get(), &self.host(true), &mut text);
    }

    /// Tokenizes a chunk until the sink has an answer for the caller; what is not used then is left of it.
    fn feed_chunk(
        &self,
        engine: &mut dyn Engine,
        host: &Lent<'_, Sink>,
        chunk: &mut StrTendril,
    ) -> Option<TokenizerResult<Sink::Handle>> {
        if chunk.is_empty() {
            return None;
        }
        if self.plaintext.take() {
            engine.enter(Content::Plaintext);
        }
        let used = engine.feed(host, self.spans.as_ref(), chunk);
        chunk.pop_front(used as u32);
        host.result.take()
    }

    /// Switches to the PLAINTEXT state. Between chunks it does so at once. If the sink calls it while it is given a tag, the text
    /// behind that tag is plain; while it is given another token, the text behind the next tag, or the next chunk if that is first.
    pub fn set_plaintext_state(&self) {
        match self.engine.try_borrow_mut() {
            Ok(mut engine) => engine.get().enter(Content::Plaintext),
            Err(_) => self.plaintext.set(true),
        }
    }

    /// Ends the stream: tokenizes what is undecided, then gives the sink the end-of-file token.
    pub fn end(&self) {
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            self.reentered.set(true);
            return;
        };
        engine.get().end(&self.host(false), self.spans.as_ref());
        self.sink.end();
        if let Some(spans) = &self.spans {
            spans.end();
        }
    }

    fn host(&self, goes_on: bool) -> Lent<'_, Sink> {
        let host = Lent {
            tokenizer: self,
            goes_on,
            result: Cell::new(None),
        };
        if let Some(complaint) = self.complaint.take() {
            host.complain(Cow::Owned(complaint), 1);
        }
        host
    }
}

/// The content that starts with a state.
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

/// A sink while the tokenizer runs.
struct Lent<'a, Sink: TokenSink> {
    tokenizer: &'a Tokenizer<Sink>,
    /// Whether the tokenizer continues after scripts and encoding indicators. The parser ignores both.
    goes_on: bool,
    /// Why the tokenizer stops.
    result: Cell<Option<TokenizerResult<Sink::Handle>>>,
}

impl<Sink: TokenSink> Lent<'_, Sink> {
    fn complain(&self, complaint: Cow<'static, str>, line: u64) {
        let token = Token::ParseError(complaint);
        let _ = self.tokenizer.sink.process_token(token, line);
    }

    #[cold]
    fn complain_of_reentry(&self, line: u64) {
        self.tokenizer.reentered.set(false);
        self.complain(Cow::Borrowed(REENTERED), line);
    }

    /// What the tokenizer does after a tag if the sink does not simply continue.
    #[cold]
    fn answer(&self, result: TokenSinkResult<Sink::Handle>) -> Answer {
        let plaintext = &self.tokenizer.plaintext;
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

    fn pause(&self, result: TokenizerResult<Sink::Handle>) -> Answer {
        if self.goes_on {
            return Answer::Continue;
        }
        self.result.set(Some(result));
        Answer::Pause
    }
}

impl<Sink: TokenSink> Host for Lent<'_, Sink> {
    fn token(&self, token: Token, line: u64) {
        let _ = self.tokenizer.sink.process_token(token, line);
        if self.tokenizer.reentered.get() {
            self.complain_of_reentry(line);
        }
    }

    fn tag(&self, tag: Token, line: u64) -> Answer {
        let sink = &self.tokenizer.sink;
        let result = sink.process_token(tag, line);
        if self.tokenizer.reentered.get() {
            self.complain_of_reentry(line);
        }
        if matches!(result, TokenSinkResult::Continue) && !self.tokenizer.plaintext.get() {
            return Answer::Continue;
        }
        self.answer(result)
    }

    fn is_in_foreign_content(&self) -> bool {
        let sink = &self.tokenizer.sink;
        sink.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
