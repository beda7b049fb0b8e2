//! The sinks that come with a table: owned tokens, and errors if asked for.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-2014";
}

use words::Token;

fn main() {
    let mut tokenizer = words::Tokenizer::new(words::Collector::<false>::default());
    tokenizer.feed_bytes(b"one t\xC3").unwrap();
    tokenizer.feed_bytes(b"\xA9").unwrap();
    tokenizer.end().unwrap();
    let tokens = tokenizer.into_sink().tokens;
    let word = |text: &str| Token::Word { text: text.into() };
    let spans: Vec<_> = tokens
        .iter()
        .map(|(_, span)| (span.start, span.end))
        .collect();
    let tokens: Vec<_> = tokens.into_iter().map(|(token, _)| token).collect();
    assert_eq!(tokens, [word("one"), word("t\u{E9}"), Token::EndOfFile]);
    assert_eq!(spans, [(0, 3), (4, 7), (7, 7)]);

    let mut tokenizer = html::Tokenizer::new(html::Collector::<true>::default());
    tokenizer.enter(html::Content::Rcdata).unwrap();
    tokenizer.feed("<b>&bogus;").unwrap();
    tokenizer.end().unwrap();
    let sink = tokenizer.into_sink();
    assert_eq!(sink.tokens.len(), 2);
    assert_eq!(sink.errors.len(), 1);
    assert_eq!("RCDATA".parse(), Ok(html::Content::Rcdata));
}
