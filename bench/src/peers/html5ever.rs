//! html5ever's tokenizer, and ours with its interface.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts,
};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;
use speclex_tokenizers::html_living::{Content, content_after};

/// What a contender that does nothing with tokens but count them has behind its name.
pub const ALONE: &str = "tokens alone";

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    macro_rules! tokens {
        ($tokenizers:ident, $name:expr, $sink:ty) => {{
            let texts = super::tendrils(corpus);
            Contender::by_index($name, texts.len(), move |index, counts| {
                let options = TokenizerOpts::default();
                let sink = <$sink>::default();
                let tokenizer = $tokenizers::tokenizer::Tokenizer::new(sink, options);
                let input = BufferQueue::default();
                // Shares the text.
                input.push_back(texts[index].clone());
                let _ = tokenizer.feed(&input);
                tokenizer.end();
                *counts += tokenizer.sink.0.into_inner();
            })
        }};
    }
    let [theirs, ours] = super::trees::PARSERS;
    vec![
        tokens!(html5ever, theirs, Counting),
        tokens!(speclex_html5ever, ours, Counting),
        tokens!(html5ever, super::trees::name(theirs, ALONE), Alone),
        tokens!(speclex_html5ever, super::trees::name(ours, ALONE), Alone),
    ]
}

/// Counts start tags, and answers what they contain.
#[derive(Default)]
struct Alone(RefCell<Counts>);

impl TokenSink for Alone {
    type Handle = ();

    #[inline]
    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                self.0.borrow_mut().start_tags += 1;
                content_of(&tag.name)
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

#[derive(Default)]
struct Counting(RefCell<Counts>);

impl TokenSink for Counting {
    type Handle = ();

    #[inline]
    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut counts = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                counts.name_bytes += tag.name.len() as u64;
                for attribute in &tag.attrs {
                    counts.attribute(attribute.name.local.len(), attribute.value.len());
                }
                if tag.kind == TagKind::EndTag {
                    counts.end_tags += 1;
                    return TokenSinkResult::Continue;
                }
                counts.start_tags += 1;
                return content_of(&tag.name);
            }
            Token::CharacterTokens(text) => counts.text_bytes += u64::from(text.len32()),
            Token::NullCharacterToken => counts.text_bytes += 1,
            Token::CommentToken(data) => counts.comment(data.len()),
            Token::DoctypeToken(_) => counts.others += 1,
            Token::ParseError(_) => counts.errors += 1,
            Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

/// What follows a start tag, by its name.
#[inline]
fn content_of(name: &str) -> TokenSinkResult<()> {
    match content_after(name, true) {
        Some(Content::Rcdata) => TokenSinkResult::RawData(RawKind::Rcdata),
        Some(Content::Rawtext) => TokenSinkResult::RawData(RawKind::Rawtext),
        Some(Content::ScriptData) => TokenSinkResult::RawData(RawKind::ScriptData),
        Some(Content::Plaintext) => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}
