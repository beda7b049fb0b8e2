//! html5gum in two ways, both without errors: an emitter of ours that takes slices and keeps no string but the tag's
//! name, which the answer depends on; and its own tokens.

use std::convert::Infallible;

use html5gum::{DefaultEmitter, Emitter, Error, ForwardingEmitter, State, Token, Tokenizer};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;
use speclex_tokenizers::html_living::{Content, content_after};

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::by_text("html5gum, own emitter", corpus, |text, counts| {
            let emitter = Slices::new(counts);
            let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
        }),
        Contender::by_text("html5gum, default tokens", corpus, |text, counts| {
            for Ok(token) in Tokenizer::new_with_emitter(text, Tokens::default()) {
                count(counts, &token);
            }
        }),
    ]
}

fn state(start_tag: &[u8]) -> Option<State> {
    let name = std::str::from_utf8(start_tag).unwrap_or_default();
    Some(match content_after(name, true)? {
        Content::Rcdata => State::RcData,
        Content::Rawtext => State::RawText,
        Content::ScriptData => State::ScriptData,
        Content::Plaintext => State::PlainText,
        _ => return None,
    })
}

/// Takes slices as they come. Does not drop duplicate attributes, which a conforming emitter must.
struct Slices<'t> {
    counts: &'t mut Counts,
    is_start: bool,
    name: Vec<u8>,
    last_start_tag: Vec<u8>,
}

impl<'t> Slices<'t> {
    fn new(counts: &'t mut Counts) -> Self {
        Self {
            counts,
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
        self.counts.text_bytes += text.len() as u64;
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
        self.counts.name_bytes += self.name.len() as u64;
        if !self.is_start {
            self.counts.end_tags += 1;
            return None;
        }
        self.counts.start_tags += 1;
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
        self.counts.attributes += 1;
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.counts.name_bytes += name.len() as u64;
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        self.counts.value_bytes += value.len() as u64;
    }

    #[inline]
    fn init_comment(&mut self) {}

    #[inline]
    fn push_comment(&mut self, data: &[u8]) {
        self.counts.comment_bytes += data.len() as u64;
    }

    #[inline]
    fn emit_current_comment(&mut self) {
        self.counts.comments += 1;
    }

    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}

    fn emit_current_doctype(&mut self) {
        self.counts.others += 1;
    }
}

/// Its own tokens. Its own switching takes `noscript` as a browser with scripting does, so ours replaces it.
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

fn count(counts: &mut Counts, token: &Token) {
    match token {
        Token::StartTag(tag) => {
            counts.start_tags += 1;
            counts.name_bytes += tag.name.len() as u64;
            for (name, value) in &tag.attributes {
                counts.attribute(name.len(), value.value.len());
            }
        }
        Token::EndTag(tag) => {
            counts.end_tags += 1;
            counts.name_bytes += tag.name.len() as u64;
        }
        Token::String(text) => counts.text_bytes += text.value.len() as u64,
        Token::Comment(comment) => counts.comment(comment.value.len()),
        Token::Doctype(_) => counts.others += 1,
        Token::Error(_) => {}
    }
}
