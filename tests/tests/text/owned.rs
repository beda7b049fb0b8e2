//! The tokens of the iterator are those of a collector, of html5lib-tests, random and odd inputs, however these are cut for
//! the collector; what they borrow is what stands in the text.

use speclex::markup::{Collector, Token};
use speclex::rt::Machine;
use speclex::{ByteOrderMark, Span, Tokenizer};
use speclex_analysis::html5lib::read_folder;
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tests::{shared, splits};
use speclex_tokenizers::html_living as living;

/// A token and where it is.
type Placed = (Token<'static>, Span);

/// The tokens of an iterator, independent of the text.
fn own<'t>(tokens: impl Iterator<Item = (Token<'t>, Span)>) -> Vec<Placed> {
    let own = |(token, span): (Token<'t>, Span)| {
        let owned = token.clone().into_owned();
        assert_eq!(owned, token);
        (owned, span)
    };
    tokens.map(own).collect()
}

/// Compares what a collector gets of the input in chunks with what the iterator yields.
fn check<M: Machine<Sink = Collector<true>>>(input: &str, chunks: &[usize], iterated: &[Placed]) {
    let mut tokenizer = Tokenizer::<M>::new(Collector::default());
    // The iterator gets text, of which the table takes a mark.
    tokenizer.set_byte_order_mark(ByteOrderMark::Table);
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
    let shown: String = input.chars().take(200).collect();
    let lengths = &chunks[..chunks.len().min(20)];
    let collected = tokenizer.into_sink().tokens;
    assert!(collected == iterated, "{shown:?} cut at {lengths:?}");
}

/// Cuts into pieces of this length.
fn every(length: usize, input: &str) -> Vec<usize> {
    vec![length; input.len() / length]
}

/// Whole, and at every length; of long inputs at some.
fn check_all_cuts<M: Machine<Sink = Collector<true>>>(input: &str, iterated: &[Placed]) {
    let lengths: Vec<usize> = match input.len() {
        0..=100 => (1..=input.len()).collect(),
        _ => vec![1, 7, 64, 4096],
    };
    check::<M>(input, &[], iterated);
    for length in lengths {
        check::<M>(input, &every(length, input), iterated);
    }
}

/// What may go wrong.
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
            use speclex_tokenizers::$module::{Machine, tokens};

            #[test]
            fn odd_inputs_are_the_same_tokens() {
                for input in odd_inputs() {
                    check_all_cuts::<Machine<Collector<true>>>(&input, &own(tokens(&input)));
                }
            }

            #[test]
            fn random_inputs_are_the_same_tokens() {
                let revision = Revision::named($name);
                let alphabet = Alphabet::of(&revision.machine);
                let mut random = Random::named(concat!($name, "/owned"));
                for _ in 0..1000 {
                    let input = alphabet.text(20, &mut random);
                    let iterated = own(tokens(&input));
                    let cuts = splits::random(input.len(), 9, &mut random);
                    for chunks in [&[], &splits::bytes(input.len())[..], &cuts] {
                        check::<Machine<Collector<true>>>(&input, chunks, &iterated);
                    }
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
        check_all_cuts::<living::Machine<Collector<true>>>(&input, &own(living::tokens(&input)));
    }
}

/// Whether a string is a slice of the text.
fn is_of(text: &str, string: &str) -> bool {
    text.as_bytes().as_ptr_range().contains(&string.as_ptr())
}

#[test]
fn what_stands_in_the_text_is_borrowed_and_all_else_is_not() {
    let text = "<p class='x' title='a&amp;b'>one\r\ntwo</p><P>&lt;";
    let tokens: Vec<_> = living::tokens(text).map(|(token, _)| token).collect();
    let [
        Token::StartTag {
            name, attributes, ..
        },
        Token::Characters(lines),
        Token::EndTag { name: end, .. },
        Token::StartTag { name: lowered, .. },
        Token::Characters(reference),
        Token::EndOfFile,
    ] = &tokens[..]
    else {
        panic!("{tokens:?}");
    };
    let [(class, x), (title, replaced)] = &attributes[..] else {
        panic!("{attributes:?}");
    };
    for string in [name, class, x, title, end] {
        assert!(is_of(text, string), "{string}");
    }
    for (string, content) in [
        (replaced, "a&b"),
        (lines, "one\ntwo"),
        (lowered, "p"),
        (reference, "<"),
    ] {
        assert!(!is_of(text, string), "{string}");
        assert_eq!(string, content);
    }
}

#[test]
fn text_that_comes_in_several_pieces_is_borrowed_as_a_whole() {
    let text = "long text ".repeat(5_000) + "<p>" + &"x".repeat(10_000);
    let tokens: Vec<_> = living::tokens(&text).map(|(token, _)| token).collect();
    assert_eq!(tokens.len(), 4);
    for token in &tokens {
        if let Token::Characters(data) = token {
            assert!(is_of(&text, data));
        }
    }
}
