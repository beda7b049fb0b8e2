//! html5ever's tokenizer.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::feedback::{Follows, follows};
use crate::tally::Tally;

/// Its name in tables.
pub const NAME: &str = "html5ever";

pub(super) fn contender(corpus: &'static Corpus) -> Contender {
    let texts = super::tendrils(corpus);
    Contender::new(NAME, texts.len(), move |index, tally| {
        let tokenizer = Tokenizer::new(Counting::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        // Shares the text.
        input.push_back(texts[index].clone());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        *tally += tokenizer.sink.0.into_inner();
    })
}

#[derive(Default)]
struct Counting(RefCell<Tally>);

impl TokenSink for Counting {
    type Handle = ();

    #[inline]
    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut tally = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => {
                tally.name_bytes += tag.name.len() as u64;
                for attribute in &tag.attrs {
                    tally.attribute(attribute.name.local.len(), attribute.value.len());
                }
                if tag.kind == TagKind::EndTag {
                    tally.end_tags += 1;
                    return TokenSinkResult::Continue;
                }
                tally.start_tags += 1;
                match follows(tag.name.as_bytes()) {
                    None => {}
                    Some(Follows::Rcdata) => return TokenSinkResult::RawData(RawKind::Rcdata),
                    Some(Follows::Rawtext) => return TokenSinkResult::RawData(RawKind::Rawtext),
                    Some(Follows::ScriptData) => {
                        return TokenSinkResult::RawData(RawKind::ScriptData);
                    }
                    Some(Follows::Plaintext) => return TokenSinkResult::Plaintext,
                }
            }
            Token::CharacterTokens(text) => tally.text_bytes += u64::from(text.len32()),
            Token::NullCharacterToken => tally.text_bytes += 1,
            Token::CommentToken(data) => tally.comment(data.len()),
            Token::DoctypeToken(_) => tally.others += 1,
            Token::ParseError(_) => tally.errors += 1,
            Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}
