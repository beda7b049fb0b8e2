//! xml5ever's tokenizer.

use std::cell::RefCell;

use xml5ever::buffer_queue::BufferQueue;
use xml5ever::tokenizer::{ProcessResult, TagKind, Token, TokenSink, XmlTokenizer};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;

pub(super) fn contender(corpus: &'static Corpus) -> Contender {
    let texts = super::tendrils(corpus);
    Contender::by_index("xml5ever", texts.len(), move |index, counts| {
        let tokenizer = XmlTokenizer::new(Counting::default(), Default::default());
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

fn length(name: &xml5ever::QualName) -> usize {
    let prefix = name.prefix.as_ref().map_or(0, |prefix| prefix.len() + 1);
    prefix + name.local.len()
}

impl TokenSink for Counting {
    type Handle = ();

    #[inline]
    fn process_token(&self, token: Token) -> ProcessResult<()> {
        let mut counts = self.0.borrow_mut();
        match token {
            Token::Tag(tag) => {
                counts.name_bytes += length(&tag.name) as u64;
                for attribute in &tag.attrs {
                    counts.attribute(length(&attribute.name), attribute.value.len());
                }
                match tag.kind {
                    TagKind::StartTag | TagKind::EmptyTag => counts.start_tags += 1,
                    TagKind::EndTag | TagKind::ShortTag => counts.end_tags += 1,
                }
            }
            Token::Characters(text) => counts.text_bytes += u64::from(text.len32()),
            Token::NullCharacter => counts.text_bytes += 1,
            Token::Comment(data) => counts.comment(data.len()),
            Token::Doctype(_) | Token::ProcessingInstruction(_) => counts.others += 1,
            Token::ParseError(_) => counts.errors += 1,
            Token::EndOfFile => {}
        }
        ProcessResult::Continue
    }
}
