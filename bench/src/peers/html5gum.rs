//! html5gum, in its three ways: an emitter of ours that takes slices and keeps no string but the tag's
//! name, which it must know for the answer; its callbacks; its tokens. Errors are off in all of them.

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{DefaultEmitter, Emitter, Error, ForwardingEmitter, Span, State, Token, Tokenizer};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::feedback::{Follows, follows};
use crate::tally::Tally;

/// Its fastest.
pub const EMITTER: &str = "html5gum, own emitter";
/// Its owned tokens.
pub const DEFAULT: &str = "html5gum, default tokens";

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::each(EMITTER, corpus, |text, tally| {
            let emitter = Slices::new(tally);
            let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
        }),
        Contender::each("html5gum, callbacks", corpus, |text, tally| {
            let counting = Counting { tally, next: None };
            let emitter = Callbacks(CallbackEmitter::new(counting));
            let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
        }),
        Contender::each(DEFAULT, corpus, |text, tally| {
            for Ok(token) in Tokenizer::new_with_emitter(text, Tokens::default()) {
                count(tally, &token);
            }
        }),
    ]
}

fn state(start_tag: &[u8]) -> Option<State> {
    follows(start_tag).map(|follows| match follows {
        Follows::Rcdata => State::RcData,
        Follows::Rawtext => State::RawText,
        Follows::ScriptData => State::ScriptData,
        Follows::Plaintext => State::PlainText,
    })
}

/// Takes slices as they come. Does not look for duplicate attributes, which a conforming one must.
struct Slices<'t> {
    tally: &'t mut Tally,
    is_start: bool,
    name: Vec<u8>,
    last_start_tag: Vec<u8>,
}

impl<'t> Slices<'t> {
    fn new(tally: &'t mut Tally) -> Self {
        Self {
            tally,
            is_start: false,
            name: Vec::new(),
            last_start_tag: Vec::new(),
        }
    }
}

impl Emitter for Slices<'_> {
    type Token = Infallible;

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start_tag.clear();
        self.last_start_tag.extend(name.unwrap_or_default());
    }

    #[inline]
    fn emit_eof(&mut self) {}

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        self.tally.text_bytes += text.len() as u64;
    }

    #[inline]
    fn init_start_tag(&mut self) {
        self.name.clear();
        self.is_start = true;
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.name.clear();
        self.is_start = false;
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        self.tally.name_bytes += self.name.len() as u64;
        if !self.is_start {
            self.tally.end_tags += 1;
            return None;
        }
        self.tally.start_tags += 1;
        let next = state(&self.name);
        if next.is_some() {
            // Only then can an end tag be asked for it.
            std::mem::swap(&mut self.last_start_tag, &mut self.name);
        }
        next
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && self.name == self.last_start_tag
    }

    #[inline]
    fn set_self_closing(&mut self) {}

    #[inline]
    fn init_attribute(&mut self) {
        self.tally.attributes += 1;
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.tally.name_bytes += name.len() as u64;
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        self.tally.value_bytes += value.len() as u64;
    }

    #[inline]
    fn init_comment(&mut self) {}

    #[inline]
    fn push_comment(&mut self, data: &[u8]) {
        self.tally.comment_bytes += data.len() as u64;
    }

    #[inline]
    fn emit_current_comment(&mut self) {
        self.tally.comments += 1;
    }

    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}

    fn emit_current_doctype(&mut self) {
        self.tally.others += 1;
    }
}

/// What its callbacks are given to.
struct Counting<'t> {
    tally: &'t mut Tally,
    next: Option<State>,
}

impl Callback<Infallible, ()> for Counting<'_> {
    #[inline]
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tally.start_tags += 1;
                self.tally.name_bytes += name.len() as u64;
                self.next = state(name);
            }
            CallbackEvent::AttributeName { name } => self.tally.attribute(name.len(), 0),
            CallbackEvent::AttributeValue { value } => {
                self.tally.value_bytes += value.len() as u64;
            }
            CallbackEvent::CloseStartTag { .. } => {}
            CallbackEvent::EndTag { name } => {
                self.tally.end_tags += 1;
                self.tally.name_bytes += name.len() as u64;
            }
            CallbackEvent::String { value } => self.tally.text_bytes += value.len() as u64,
            CallbackEvent::Comment { value } => self.tally.comment(value.len()),
            CallbackEvent::Doctype { .. } => self.tally.others += 1,
            CallbackEvent::Error(_) => {}
        }
        None
    }
}

/// Its own switching takes `noscript` as a browser with scripting does, so ours replaces it.
struct Callbacks<'t>(CallbackEmitter<Counting<'t>>);

impl ForwardingEmitter for Callbacks<'_> {
    type Token = Infallible;

    #[inline]
    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next.take()
    }
}

/// Its tokens, with our switching.
#[derive(Default)]
struct Tokens {
    inner: DefaultEmitter,
    start_tag: Option<Vec<u8>>,
    spare: Vec<u8>,
}

impl ForwardingEmitter for Tokens {
    type Token = Token;

    #[inline]
    fn inner(&mut self) -> &mut impl Emitter<Token = Token> {
        &mut self.inner
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn init_start_tag(&mut self) {
        let mut name = self
            .start_tag
            .take()
            .unwrap_or(std::mem::take(&mut self.spare));
        name.clear();
        self.start_tag = Some(name);
        Emitter::init_start_tag(&mut self.inner);
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        if let Some(start_tag) = &mut self.start_tag {
            start_tag.extend_from_slice(name);
        }
        Emitter::push_tag_name(&mut self.inner, name);
    }

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = Emitter::emit_current_tag(&mut self.inner);
        let name = self.start_tag.take()?;
        let next = state(&name);
        self.spare = name;
        next
    }
}

fn count(tally: &mut Tally, token: &Token) {
    match token {
        Token::StartTag(tag) => {
            tally.start_tags += 1;
            tally.name_bytes += tag.name.len() as u64;
            for (name, value) in &tag.attributes {
                tally.attribute(name.len(), value.value.len());
            }
        }
        Token::EndTag(tag) => {
            tally.end_tags += 1;
            tally.name_bytes += tag.name.len() as u64;
        }
        Token::String(text) => tally.text_bytes += text.value.len() as u64,
        Token::Comment(comment) => tally.comment(comment.value.len()),
        Token::Doctype(_) => tally.others += 1,
        Token::Error(_) => {}
    }
}
