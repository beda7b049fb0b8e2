//! html5ever's tokenizer.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;
use speclex_tokenizers::html_living::{Content, content_after};

pub(super) fn contender(corpus: &'static Corpus) -> Contender {
    let texts = super::tendrils(corpus);
    Contender::by_index("html5ever", texts.len(), move |index, counts| {
        let tokenizer = Tokenizer::new(Counting::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        // Shares the text.
        input.push_back(texts[index].clone());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        *counts += tokenizer.sink.0.into_inner();
    })
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
                match content_after(&tag.name, true) {
                    Some(Content::Rcdata) => return TokenSinkResult::RawData(RawKind::Rcdata),
                    Some(Content::Rawtext) => return TokenSinkResult::RawData(RawKind::Rawtext),
                    Some(Content::ScriptData) => {
                        return TokenSinkResult::RawData(RawKind::ScriptData);
                    }
                    Some(Content::Plaintext) => return TokenSinkResult::Plaintext,
                    _ => {}
                }
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
