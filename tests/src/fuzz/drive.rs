//! Running a case with a generated tokenizer.
//!
//! This file needs only the runtime: the crates of generated tables include it.

use speclex::markup::{
    self, Collector, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
    Token, XmlDeclaration,
};
use speclex::rt::Machine;
use speclex::{ByteOrderMark, FeedError, Limits, ParseError, Span, Tokenizer};

use super::case::{Answer, Case, Feedback};

/// What came out of a tokenizer.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The tokens, adjacent characters joined.
    pub tokens: Vec<(Token<'static>, Span)>,
    /// The errors: codes and offsets.
    pub errors: Vec<(String, u64)>,
    /// Why it ended early, if it did.
    pub failure: Option<FeedError>,
}

/// A sink that records, and answers as the case says.
#[derive(Debug)]
pub struct Recorder {
    collector: Collector<true>,
    answers: std::vec::IntoIter<Answer>,
    cdata_allowed: bool,
}

impl Recorder {
    /// A recorder that answers as a case says.
    pub fn new(case: &Case) -> Self {
        Self {
            collector: Collector::default(),
            answers: case.answers.clone().into_iter(),
            cdata_allowed: case.cdata_allowed,
        }
    }

    fn answer(&mut self) -> markup::Answer {
        match self.answers.next() {
            None | Some(Answer::Continue) => markup::Answer::Continue,
            Some(Answer::Pause) => markup::Answer::Pause,
            Some(Answer::Switch(content)) => match content.parse() {
                Ok(content) => markup::Answer::Switch(content),
                Err(_) => markup::Answer::Continue,
            },
        }
    }
}

impl Sink for Recorder {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn characters(&mut self, data: &str, span: Span) {
        self.collector.characters(data, span);
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> markup::Answer {
        self.collector.start_tag(tag, span);
        self.answer()
    }

    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> markup::Answer {
        self.collector.end_tag(tag, span);
        self.answer()
    }

    fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> markup::Answer {
        self.collector.empty_tag(tag, span);
        self.answer()
    }

    fn short_end_tag(&mut self, span: Span) {
        self.collector.short_end_tag(span);
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        self.collector.comment(comment, span);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        self.collector.doctype(doctype, span);
    }

    fn processing_instruction(&mut self, instruction: &ProcessingInstruction<'_>, span: Span) {
        self.collector.processing_instruction(instruction, span);
    }

    fn xml_declaration(&mut self, declaration: &XmlDeclaration<'_>, span: Span) {
        self.collector.xml_declaration(declaration, span);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        self.collector.entity_reference(reference, span);
    }

    fn end_of_file(&mut self, at: u64) {
        self.collector.end_of_file(at);
    }

    fn error(&mut self, error: ParseError) {
        self.collector.error(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        self.cdata_allowed
    }
}

/// Records a case that is fed in chunks; at once when there are none.
pub fn drive<M>(case: &Case, chunks: &[usize], limits: Option<Limits>) -> Recording
where
    M: Machine<Sink = Recorder, Content = Content>,
{
    let mut tokenizer = Tokenizer::<M>::new(Recorder::new(case));
    if let Some(limits) = limits {
        tokenizer.set_limits(limits);
    }
    start(&mut tokenizer, case);
    if case.input.len().is_multiple_of(2) {
        // A tokenizer that has been used is as a new one after a reset.
        let _ = tokenizer.feed(&case.input);
        tokenizer.reset();
        *tokenizer.sink() = Recorder::new(case);
        start(&mut tokenizer, case);
    }
    let failure = Caller {
        case,
        rest: case.input.as_bytes(),
        chunks: chunks.iter(),
        stops: 0,
    }
    .call(&mut tokenizer)
    .err();
    record(tokenizer.into_sink().collector, failure)
}

/// Sets what a case sets, and enters the content that it starts with.
pub fn start<M: Machine<Content = Content>>(tokenizer: &mut Tokenizer<M>, case: &Case) {
    tokenizer.set_feedback(match case.feedback {
        Feedback::Off => speclex::Feedback::Off,
        Feedback::NoScripting => speclex::Feedback::NoScripting,
        Feedback::Scripting => speclex::Feedback::Scripting,
    });
    tokenizer.set_byte_order_mark(match case.skip_bom {
        true => ByteOrderMark::Skip,
        false => ByteOrderMark::Table,
    });
    if let Some(Ok(content)) = case.content.as_ref().map(|content| content.parse()) {
        // A case may name a content without an entry state.
        let _ = tokenizer.enter(content);
    }
    if let Some(name) = &case.last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
}

/// What a collector has collected.
pub fn record(collector: Collector<true>, failure: Option<FeedError>) -> Recording {
    let errors = collector.errors.into_iter();
    Recording {
        tokens: collector.tokens,
        errors: errors
            .map(|error| (error.code.as_str().to_owned(), error.offset))
            .collect(),
        failure,
    }
}

/// The caller of a tokenizer.
struct Caller<'c> {
    case: &'c Case,
    rest: &'c [u8],
    chunks: std::slice::Iter<'c, usize>,
    stops: usize,
}

impl<'c> Caller<'c> {
    fn call<M>(&mut self, tokenizer: &mut Tokenizer<M>) -> Result<(), FeedError>
    where
        M: Machine<Content = Content>,
    {
        if self.chunks.len() == 0 {
            self.rest = &[];
            let status = tokenizer.feed(&self.case.input);
            self.resume_until_ready(tokenizer, status, Tokenizer::resume)?;
        }
        while let Some(chunk) = self.chunk() {
            let status = tokenizer.feed_bytes(chunk);
            self.resume_until_ready(tokenizer, status, Tokenizer::resume)?;
        }
        let status = tokenizer.end();
        self.resume_until_ready(tokenizer, status, Tokenizer::end)
    }

    /// The next chunk; `None` when all has been fed.
    fn chunk(&mut self) -> Option<&'c [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let length = self.chunks.next().copied().unwrap_or(usize::MAX);
        let (chunk, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        Some(chunk)
    }

    fn resume_until_ready<M>(
        &mut self,
        tokenizer: &mut Tokenizer<M>,
        mut status: Result<(), FeedError>,
        resume: fn(&mut Tokenizer<M>) -> Result<(), FeedError>,
    ) -> Result<(), FeedError>
    where
        M: Machine<Content = Content>,
    {
        loop {
            match status {
                Ok(()) => return Ok(()),
                Err(FeedError::Paused | FeedError::UnknownContent) => {}
                Err(error) => return Err(error),
            }
            let stop = self.case.stop(self.stops);
            self.stops += 1;
            for _ in 0..stop.chunks {
                if let Some(chunk) = self.chunk() {
                    let status = tokenizer.feed_bytes(chunk);
                    assert_eq!(status, Err(FeedError::Paused), "input waits during a pause");
                }
            }
            for text in &stop.inserts {
                tokenizer.insert(text);
            }
            if let Some(Ok(content)) = stop.content.as_ref().map(|content| content.parse()) {
                // A case may name a content without an entry state.
                let _ = tokenizer.enter(content);
            }
            if let Some(name) = &stop.last_start_tag {
                tokenizer.set_last_start_tag(name);
            }
            status = resume(tokenizer);
        }
    }
}
