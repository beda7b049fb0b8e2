//! xml5ever's tokenizer.

use std::cell::RefCell;

use xml5ever::buffer_queue::BufferQueue;
use xml5ever::tokenizer::{ProcessResult, TagKind, Token, TokenSink, XmlTokenizer};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::tally::Tally;

/// Its name in tables.
pub const NAME: &str = "xml5ever";

pub(super) fn contender(corpus: &'static Corpus) -> Contender {
    let texts = super::tendrils(corpus);
    Contender::new(NAME, texts.len(), move |index, tally| {
        let tokenizer = XmlTokenizer::new(Counting::default(), Default::default());
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

fn length(name: &xml5ever::QualName) -> usize {
    let prefix = name.prefix.as_ref().map_or(0, |prefix| prefix.len() + 1);
    prefix + name.local.len()
}

impl TokenSink for Counting {
    type Handle = ();

    #[inline]
    fn process_token(&self, token: Token) -> ProcessResult<()> {
        let mut tally = self.0.borrow_mut();
        match token {
            Token::Tag(tag) => {
                tally.name_bytes += length(&tag.name) as u64;
                for attribute in &tag.attrs {
                    tally.attribute(length(&attribute.name), attribute.value.len());
                }
                match tag.kind {
                    TagKind::StartTag | TagKind::EmptyTag => tally.start_tags += 1,
                    TagKind::EndTag | TagKind::ShortTag => tally.end_tags += 1,
                }
            }
            Token::Characters(text) => tally.text_bytes += u64::from(text.len32()),
            Token::NullCharacter => tally.text_bytes += 1,
            Token::Comment(data) => tally.comment(data.len()),
            Token::Doctype(_) | Token::ProcessingInstruction(_) => tally.others += 1,
            Token::ParseError(_) => tally.errors += 1,
            Token::EndOfFile => {}
        }
        ProcessResult::Continue
    }
}
