//! A tokenizer goes on at a checkpoint as the one that gave it: random texts, with pauses, answers and pieces of any size.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use speclex::markup::{
    Answer, Collector, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink,
    Tag, Token, XmlDeclaration,
};
use speclex::rt::Machine;
use speclex::{FeedError, ParseError, Span, Tokenizer};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;

/// Keeps tokens and errors, and answers to a tag by its attributes and name. Also, whether CDATA sections are allowed.
#[derive(Debug, Default)]
struct Answering(Collector<true>, bool);

fn answer(tag: &Tag<'_>) -> Answer {
    match tag.name.len() + 3 * tag.attributes.iter().count() {
        1 | 5 => Answer::Pause,
        4 => Answer::Switch(Content::ScriptData),
        7 => Answer::Switch(Content::Rcdata),
        8 => Answer::Switch(Content::CdataSection),
        _ => Answer::Continue,
    }
}

impl Sink for Answering {
    const INPUT_ERRORS: bool = true;

    fn characters(&mut self, data: &str, span: Span) {
        self.0.characters(data, span);
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.0.start_tag(tag, span);
        answer(tag)
    }

    fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.0.end_tag(tag, span);
        answer(tag)
    }

    fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        self.0.empty_tag(tag, span);
        answer(tag)
    }

    fn short_end_tag(&mut self, span: Span) {
        self.0.short_end_tag(span);
    }

    fn comment(&mut self, token: &Comment<'_>, span: Span) {
        self.0.comment(token, span);
    }

    fn doctype(&mut self, token: &Doctype<'_>, span: Span) {
        self.0.doctype(token, span);
    }

    fn processing_instruction(&mut self, token: &ProcessingInstruction<'_>, span: Span) {
        self.0.processing_instruction(token, span);
    }

    fn xml_declaration(&mut self, token: &XmlDeclaration<'_>, span: Span) {
        self.0.xml_declaration(token, span);
    }

    fn entity_reference(&mut self, token: &EntityReference<'_>, span: Span) {
        self.0.entity_reference(token, span);
    }

    fn end_of_file(&mut self, at: u64) {
        self.0.end_of_file(at);
    }

    fn error(&mut self, error: ParseError) {
        self.0.error(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        self.1
    }
}

/// Tokens and errors.
#[derive(Clone, Debug, Default, PartialEq)]
struct Got {
    tokens: Vec<(Token<'static>, Span)>,
    errors: Vec<ParseError>,
}

impl Got {
    fn of(sink: &Collector<true>) -> Self {
        let tokens = sink.tokens.iter();
        Self {
            tokens: tokens.cloned().collect(),
            errors: sink.errors.clone(),
        }
    }

    /// This, and what comes behind it, moved.
    fn and(mut self, rest: Self, by: u64) -> Self {
        for (token, span) in rest.tokens {
            let span = Span {
                start: span.start - by,
                end: span.end - by,
            };
            match (self.tokens.last_mut(), &token) {
                (Some((Token::Characters(text), whole)), Token::Characters(more)) => {
                    text.to_mut().push_str(more);
                    whole.end = whole.end.max(span.end);
                }
                _ => self.tokens.push((token, span)),
            }
        }
        self.errors
            .extend(rest.errors.into_iter().map(|error| ParseError {
                offset: error.offset - by,
                ..error
            }));
        self
    }
}

/// How input is fed.
#[derive(Clone, Copy, Debug)]
enum Feed {
    Text,
    Bytes,
    UntilPause,
}

/// Tokenizes a text in pieces, and calls `visit` wherever the tokenizer stops.
fn run<M: Machine<Sink = Answering>>(
    tokenizer: &mut Tokenizer<M>,
    text: &str,
    (feed, longest): (Feed, usize),
    random: &mut Random,
    visit: &mut impl FnMut(&mut Tokenizer<M>),
) {
    let mut rest = text;
    let mut bytes = text.as_bytes();
    while !bytes.is_empty() {
        let mut length = (1 + random.below(longest)).min(bytes.len());
        let mut fed = if let Feed::Bytes = feed {
            let piece;
            (piece, bytes) = bytes.split_at(length);
            tokenizer.feed_bytes(piece)
        } else {
            while !rest.is_char_boundary(length) {
                length += 1;
            }
            let used = match feed {
                Feed::UntilPause => tokenizer.feed_until_pause(&rest[..length]),
                _ => tokenizer.feed(&rest[..length]).map(|()| length),
            };
            rest = &rest[*used.as_ref().unwrap_or(&length)..];
            bytes = rest.as_bytes();
            used.map(|_| ())
        };
        visit(tokenizer);
        while fed.is_err() {
            fed = tokenizer.resume();
            visit(tokenizer);
        }
    }
    while let Err(FeedError::Paused | FeedError::UnknownContent) = tokenizer.end() {
        assert_eq!(tokenizer.checkpoint(), None, "the end has begun");
    }
    assert_eq!(tokenizer.checkpoint(), None, "nothing comes any more");
}

/// Goes on at each checkpoint of a text. Returns how many places have none, and the checkpoints.
fn go_on<M: Machine<Sink = Answering>>(
    text: &str,
    content: M::Content,
    random: &mut Random,
) -> (usize, Vec<impl Clone + Debug + Eq + Hash + use<M>>) {
    let feed = *random.one(&[Feed::Text, Feed::Bytes, Feed::UntilPause]);
    let pieces = (feed, *random.one(&[1, 4, 30]));
    let sink = |is_allowed| Answering(Collector::default(), is_allowed);
    let is_allowed = random.below(2) == 0;
    let mut tokenizer = Tokenizer::<M>::new(sink(is_allowed));
    if random.below(3) > 0 {
        // Not each table has each.
        let _ = tokenizer.enter(content);
        tokenizer.set_last_start_tag(random.one::<&str>(&["a", "script", "x"]));
    }
    let (mut checkpoints, mut nothing) = (Vec::new(), 0);
    run(
        &mut tokenizer,
        text,
        pieces,
        random,
        &mut |tokenizer| match tokenizer.checkpoint() {
            Some((checkpoint, offset)) => {
                checkpoints.push((checkpoint, offset, Got::of(&tokenizer.sink().0)));
            }
            None => nothing += 1,
        },
    );
    let whole = Got::of(&tokenizer.into_sink().0);
    let moved = random.below(3) as u64 * 1000;
    // One tokenizer for all: nothing is left of what it was before.
    let mut tokenizer = Tokenizer::<M>::new(sink(is_allowed));
    for (checkpoint, offset, before) in &checkpoints {
        *tokenizer.sink() = sink(is_allowed);
        tokenizer.restore(checkpoint, offset + moved);
        assert_eq!(
            tokenizer.checkpoint(),
            Some((checkpoint.clone(), offset + moved)),
            "what it was given"
        );
        let behind = &text[*offset as usize..];
        run(&mut tokenizer, behind, pieces, random, &mut |_| ());
        let all = before.clone().and(Got::of(&tokenizer.sink().0), moved);
        assert_eq!(
            all, whole,
            "{text:?} from {offset} on: {checkpoint:?}, {pieces:?}"
        );
    }
    let checkpoints = checkpoints.into_iter();
    (
        nothing,
        checkpoints.map(|(checkpoint, ..)| checkpoint).collect(),
    )
}

macro_rules! tests {
    ($($name:literal => $module:ident),* $(,)?) => {
        $(mod $module {
            use super::*;
            use speclex_tokenizers::$module::Machine;

            #[test]
            fn a_tokenizer_goes_on_at_a_checkpoint() {
                let revision = Revision::named($name);
                let alphabet = Alphabet::of(&revision.machine);
                let mut random = Random::named(concat!($name, "/checkpoints"));
                let (mut without, mut with) = (0, 0);
                let mut different = HashSet::new();
                for number in 0..TEXTS {
                    let text = match number % 10 {
                        0 => alphabet.run(&mut random),
                        _ => alphabet.text(12, &mut random),
                    };
                    let content = *random.one(&[
                        Content::Data,
                        Content::Rcdata,
                        Content::ScriptData,
                        Content::Plaintext,
                        Content::CdataSection,
                    ]);
                    let (nothing, checkpoints) =
                        go_on::<Machine<Answering>>(&text, content, &mut random);
                    without += nothing;
                    with += checkpoints.len();
                    different.extend(checkpoints);
                }
                assert!(without > 2 * TEXTS && with > 2 * TEXTS, "{without} and {with}");
                assert!(different.len() >= 4, "{different:?}");
            }
        })*
    };
}

/// Random texts for each table.
const TEXTS: usize = 4000;

speclex_tokenizers::for_each_revision!(tests);

#[test]
fn places_behind_a_late_checkpoint_do_not_overflow() {
    use speclex_tokenizers::html_living::Tokenizer;

    let mut tokenizer = Tokenizer::new(Collector::<true>::default());
    let (checkpoint, _) = tokenizer.checkpoint().expect("a start");
    tokenizer.restore(&checkpoint, u64::MAX);
    tokenizer.feed("a<b c c>\0").expect("no limit");
    tokenizer.end().expect("no limit");
    let sink = tokenizer.into_sink();
    let at = |offset: u64| (1 << 63) + offset;
    let tag = Span {
        start: at(1),
        end: at(8),
    };
    assert_eq!(sink.tokens[1].1, tag);
    assert_eq!(sink.errors[0].offset, at(7));
}
