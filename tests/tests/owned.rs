//! The tokens of a batch, and those handed on one by one, are those of a collector: of html5lib-tests, random and odd inputs,
//! whole and cut at every length, however the batch is read and whether the tokens handed on are kept or copied.

use speclex::markup::{
    Answer, Batch, Collector, Comment, Content, Doctype, Each, EntityReference,
    ProcessingInstruction, Sink, Tag, Token, TokenSink, XmlDeclaration,
};
use speclex::rt::Machine;
use speclex::{ParseError, Span, Tokenizer};
use speclex_analysis::html5lib::read_folder;
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tests::{shared, splits};
use speclex_tokenizers::html_living as living;

/// How a batch is read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Reading {
    /// At the end, elsewhere.
    #[default]
    AtTheEnd,
    /// When a token has come, and it goes on.
    Proceeding,
    /// When a token has come; the batch forgets its input then.
    Clearing,
    /// When a token has come, and another batch takes its place.
    Replacing,
    /// When a token has come; the batch is told of no input.
    Untold,
}

const READINGS: [Reading; 5] = [
    Reading::AtTheEnd,
    Reading::Proceeding,
    Reading::Clearing,
    Reading::Replacing,
    Reading::Untold,
];

#[derive(Default)]
struct Read {
    batch: Batch<true>,
    spare: Batch<true>,
    reading: Reading,
    tokens: Vec<(Token, Span)>,
    errors: Vec<ParseError>,
}

impl Read {
    fn read(&mut self) {
        let before = self.tokens.len();
        let tokens = self.batch.iter();
        assert_eq!(tokens.len(), self.batch.len());
        self.tokens
            .extend(tokens.map(|(token, span)| (Token::from(token), span)));
        self.errors.append(&mut self.batch.errors);
        assert_eq!(self.tokens.len() - before, self.batch.len());
    }

    /// What is done when a token has come that no text can join.
    fn came(&mut self) {
        match self.reading {
            Reading::AtTheEnd => {}
            Reading::Proceeding => {
                self.read();
                self.batch.proceed();
            }
            Reading::Clearing | Reading::Untold => {
                self.read();
                self.batch.clear();
            }
            Reading::Replacing => {
                let spare = std::mem::take(&mut self.spare);
                let full = self.batch.replace(spare);
                self.spare = std::mem::replace(&mut self.batch, full);
                self.read();
                std::mem::swap(&mut self.batch, &mut self.spare);
            }
        }
        if self.reading != Reading::AtTheEnd {
            assert!(self.batch.is_empty());
        }
    }

    /// All tokens and errors.
    fn all(mut self) -> (Vec<(Token, Span)>, Vec<ParseError>) {
        self.read();
        (self.tokens, self.errors)
    }
}

/// Takes tokens that are handed on. Every other one stays where it is, changed.
#[derive(Default)]
struct Taken {
    tokens: Vec<(Token, Span)>,
    errors: Vec<ParseError>,
}

impl TokenSink for Taken {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn token(&mut self, token: &mut Token, span: Span) -> Answer {
        if self.tokens.len().is_multiple_of(2) {
            let token = std::mem::replace(token, Token::EndOfFile);
            self.tokens.push((token, span));
        } else {
            self.tokens.push((token.clone(), span));
            if let Token::Characters(text) = token {
                text.push_str("changed");
            }
        }
        Answer::Continue
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }
}

/// All readings, tokens handed on, and a collector. It answers start tags as tree construction does.
struct All {
    collector: Collector<true>,
    read: [Read; 5],
    handed_on: Each<Taken>,
    feedback: bool,
}

impl All {
    fn each(&mut self, tell: impl Fn(&mut Batch<true>)) {
        self.read.iter_mut().for_each(|read| tell(&mut read.batch));
    }

    fn came(&mut self) {
        self.read.iter_mut().for_each(Read::came);
    }
}

/// Passes tokens on, those with views and those without.
macro_rules! pass_on {
    ($($method:ident: $view:ident)*; $($bare:ident)*) => {
        $(fn $method(&mut self, token: &$view<'_>, span: Span) {
            self.collector.$method(token, span);
            self.handed_on.$method(token, span);
            self.each(|batch| batch.$method(token, span));
            self.came();
        })*
        $(fn $bare(&mut self, span: Span) {
            self.collector.$bare(span);
            self.handed_on.$bare(span);
            self.each(|batch| batch.$bare(span));
            self.came();
        })*
    };
}

/// The same of tokens that have answers.
macro_rules! answer {
    ($($method:ident)*) => {
        $(fn $method(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
            self.collector.$method(tag, span);
            self.handed_on.$method(tag, span);
            self.each(|batch| {
                batch.$method(tag, span);
            });
            self.came();
            match tag.name {
                "title" | "textarea" if self.feedback => Answer::Switch(Content::Rcdata),
                "style" if self.feedback => Answer::Switch(Content::Rawtext),
                "script" if self.feedback => Answer::Switch(Content::ScriptData),
                _ => Answer::Continue,
            }
        })*
    };
}

impl Sink for All {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn input(&mut self, text: &str) {
        for read in &mut self.read {
            if read.reading != Reading::Untold {
                read.batch.input(text);
            }
        }
    }

    fn characters(&mut self, data: &str, span: Span) {
        self.collector.characters(data, span);
        self.handed_on.characters(data, span);
        self.each(|batch| batch.characters(data, span));
    }

    answer!(start_tag end_tag empty_tag);

    pass_on!(
        comment: Comment
        doctype: Doctype
        processing_instruction: ProcessingInstruction
        xml_declaration: XmlDeclaration
        entity_reference: EntityReference;
        short_end_tag
    );

    fn end_of_file(&mut self) {
        self.collector.end_of_file();
        self.handed_on.end_of_file();
        self.each(Batch::end_of_file);
    }

    fn error(&mut self, error: ParseError) {
        self.collector.error(error);
        self.handed_on.error(error);
        self.each(|batch| batch.error(error));
    }
}

/// Compares the tokens and errors of all readings with those of a collector.
fn check<M: Machine<Sink = All>>(name: &str, input: &str, chunks: &[usize]) {
    let read = READINGS.map(|reading| Read {
        reading,
        ..Read::default()
    });
    let mut tokenizer = Tokenizer::<M>::new(All {
        collector: Collector::default(),
        read,
        handed_on: Each::default(),
        feedback: name.starts_with("html"),
    });
    let mut rest = input.as_bytes();
    let mut buffer = Vec::new();
    for &chunk in chunks {
        // One after the other in the same memory.
        let (piece, after) = rest.split_at(chunk);
        buffer.clear();
        buffer.extend_from_slice(piece);
        let _ = tokenizer.feed_bytes(&buffer);
        rest = after;
    }
    let _ = tokenizer.feed_bytes(rest);
    let _ = tokenizer.end();
    let All {
        collector,
        read,
        handed_on,
        ..
    } = tokenizer.into_sink();
    let read = read.map(|read| (format!("{:?}", read.reading), read.all()));
    let Taken { tokens, errors } = handed_on.sink;
    let handed_on = [("handed on".to_owned(), (tokens, errors))];
    for (how, (tokens, errors)) in read.into_iter().chain(handed_on) {
        let shown: String = input.chars().take(200).collect();
        let lengths = &chunks[..chunks.len().min(20)];
        let what = format!("{name}, {how}: {shown:?} cut at {lengths:?}");
        assert!(tokens == collector.tokens, "{what}");
        assert_eq!(errors, collector.errors, "{what}");
    }
}

/// Cuts into pieces of this length.
fn every(length: usize, input: &str) -> Vec<usize> {
    vec![length; input.len() / length]
}

/// Whole, and at every length; of long inputs at some.
fn check_all_cuts<M: Machine<Sink = All>>(name: &str, input: &str) {
    let lengths: Vec<usize> = match input.len() {
        0..=100 => (1..=input.len()).collect(),
        _ => vec![1, 7, 64, 4096],
    };
    check::<M>(name, input, &[]);
    for length in lengths {
        check::<M>(name, input, &every(length, input));
    }
}

/// What batches may stumble over.
fn odd_inputs() -> Vec<String> {
    let many: String = (0..20).map(|i| format!(" a{i}='{i}'")).collect();
    let long_name = "n".repeat(300);
    let long_value = "v\u{E9}&amp;".repeat(12_000);
    let long_text = "text &lt; more\r\n".repeat(5_000);
    let mut inputs: Vec<String> = [
        "",
        "text",
        "a&amp;b&lt;c",
        "a\r\nb\rc\0d",
        "a&amp;b<p>c&ampd<p>&notit;<p>",
        "<a b=c b=d B=e><A HREF='x' Href=y hreF>",
        "<a b=&amp;c d='&quot;' e=\"x&y\" f>",
        "<a b='' c=\"\" d= e f=''></a x='y' z>",
        "<a b c d e f g h><br/><br / x=1 />",
        "<A><Ab><aB cD='eF&gt;' Gh=\u{E9}></AB>",
        "<!DOCTYPE html><!doctype HTML PUBLIC 'p' \"s\"><!DOCTYPE><!DOCTYPE x SYSTEM ''>",
        "<!--a--><!----><!--a&amp;--!><!-<!><?pi data?><?x?><?xml version='1.0' encoding='e'?>",
        "<![CDATA[x]]>y<![CDATA[&amp;]]></a></><></ x>",
        "<title>a&amp;b</titl</title><script><!--<script></script>--></script><style>&amp;</style>x",
        "x\u{1F600}y<p title='\u{1F600}'>\u{1F600}</p>\u{FEFF}",
        "<a                                                                        b      =       'c'    d>",
        "&custom;<a b=&custom;>&#x41;&#0;&#1234567;",
        "<p",
        "<p a",
        "<p a='b",
        "a</",
        "<!--",
    ]
    .map(str::to_owned)
    .to_vec();
    inputs.push(format!("<a{many}>{many}</a{many}>"));
    inputs.push(format!("<{long_name} {long_name}=1 {long_name}=2 x>"));
    inputs.push(format!(
        "<a b='{long_value}' c=d>{long_value}<!--{long_value}-->"
    ));
    inputs.push(format!(
        "<b>{long_text}</b>{long_text}<A {long_name}{many}>"
    ));
    inputs
}

macro_rules! tests {
    ($($name:literal => $module:ident),* $(,)?) => {
        $(mod $module {
            use super::*;
            use speclex_tokenizers::$module::Machine;

            #[test]
            fn odd_inputs_are_the_same_tokens() {
                for input in odd_inputs() {
                    check_all_cuts::<Machine<All>>($name, &input);
                }
            }

            #[test]
            fn random_inputs_are_the_same_tokens() {
                let revision = Revision::named($name);
                let alphabet = Alphabet::of(&revision.machine);
                let mut random = Random::named(concat!($name, "/batch"));
                for _ in 0..1000 {
                    let input = alphabet.text(20, &mut random);
                    check::<Machine<All>>($name, &input, &[]);
                    check::<Machine<All>>($name, &input, &splits::bytes(input.len()));
                    let cuts = splits::random(input.len(), 9, &mut random);
                    check::<Machine<All>>($name, &input, &cuts);
                }
            }
        })*
    };
}
speclex_tokenizers::for_each_revision!(tests);

#[test]
fn html5lib_tests_are_the_same_tokens() {
    let Some(folder) = shared("html5lib-tests/tokenizer") else {
        return;
    };
    let suite = read_folder(&folder).expect("tests");
    assert!(suite.cases.len() > 6000, "{}", suite.cases.len());
    let mut inputs: Vec<_> = suite.cases.into_iter().map(|case| case.input).collect();
    inputs.sort();
    inputs.dedup();
    for input in inputs {
        check_all_cuts::<living::Machine<All>>("html-living", &input);
    }
}

#[test]
fn a_cleared_batch_uses_its_memory_again() {
    let page = "<p class=x>text &amp; more</p><A B=C>";
    let mut tokenizer = living::Tokenizer::new(Batch::new());
    let mut first = Vec::new();
    for round in 0..3 {
        let _ = tokenizer.feed(page);
        let tokens: Vec<_> = tokenizer
            .sink()
            .iter()
            .map(|(t, _)| Token::from(t))
            .collect();
        if round == 0 {
            first = tokens;
        } else {
            assert_eq!(tokens, first);
        }
        tokenizer.sink().clear();
        assert!(tokenizer.sink().is_empty());
    }
    assert_eq!(first.len(), 4);
}

#[test]
fn a_clone_does_not_take_other_strings_for_the_input() {
    let input = String::from("one");
    let mut batch = Batch::new();
    batch.input(&input);
    batch.characters(&input, Span { start: 0, end: 3 });
    let mut clone = batch.clone();
    let mut bytes = input.into_bytes();
    batch.input("");
    bytes.copy_from_slice(b"two");
    // The same memory, and other characters.
    let other = String::from_utf8(bytes).expect("ASCII");
    for batch in [&mut batch, &mut clone] {
        batch.characters(&other, Span { start: 3, end: 6 });
        let tokens: Vec<_> = batch.iter().map(|(token, _)| Token::from(token)).collect();
        assert_eq!(tokens, [Token::Characters("onetwo".into())]);
    }
    batch.clear();
    clone.clear();
}

#[test]
fn a_batch_goes_to_another_thread() {
    let mut tokenizer = living::Tokenizer::new(Batch::new());
    let _ = tokenizer.feed("<p>text");
    let batch = tokenizer.sink().replace(Batch::new());
    let other = std::thread::spawn(move || {
        let tokens: Vec<_> = batch.iter().map(|(token, _)| Token::from(token)).collect();
        tokens
    });
    assert_eq!(other.join().expect("no panic").len(), 2);
    let _ = tokenizer.end();
    // The places go on.
    let rest: Vec<_> = tokenizer.sink().iter().map(|(_, span)| span).collect();
    assert_eq!(rest, [Span { start: 7, end: 7 }]);
}
