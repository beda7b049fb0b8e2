//! The sinks that come with a table: owned tokens with all kinds of fields, and errors if asked for.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-2014";
    mod fields = inline r#"
        table: fields
        vocabulary:
          tokens:
            item:
              kinds: [item, other item]
              mark: flag
              remark: optional text
              parts: attributes
              first: text
              second: text
              missing: optional text
            bare: {}
            flagged: {on: flag}
            collector: {name: text}
        entry states: {data: data}
        states:
          data:
            consume:
              "\"!\"": [create an other item token, set the item mark, append "ONE" to the first, append the current input character to the second, append "r" to the remark, switch to part]
              "\"?\"": [create an item token, append the current input character to the first, emit the item token]
              "\"-\"": emit a bare token
              "\"+\"": [create a flagged token, set the flagged on, emit the flagged token]
              "\"b\"": [create a collector token, append the current input character to the name, emit the collector token]
              EOF: emit EOF
              anything else: emit the current input character
          part:
            consume:
              "\";\"": [emit the item token, switch to data]
              EOF: [emit the item token, emit EOF]
              anything else: [start a new attribute, append the current input character to the attribute name, append "V" to the attribute value]
    "#;
}

use words::Token;

fn main() {
    let mut tokenizer = words::Tokenizer::new(words::Collector::new());
    tokenizer.feed_bytes(b"one t\xC3").unwrap();
    tokenizer.feed_bytes(b"\xA9").unwrap();
    tokenizer.end().unwrap();
    let tokens = tokenizer.into_sink().tokens;
    let word = |text: &'static str| Token::Word { text: text.into() };
    let spans: Vec<_> = tokens
        .iter()
        .map(|(_, span)| (span.start, span.end))
        .collect();
    let tokens: Vec<_> = tokens.into_iter().map(|(token, _)| token).collect();
    assert_eq!(tokens, [word("one"), word("t\u{E9}"), Token::EndOfFile]);
    assert_eq!(spans, [(0, 3), (4, 7), (7, 7)]);

    let mut tokenizer = html::Tokenizer::new(html::Collector::with_errors());
    tokenizer.enter(html::Content::Rcdata).unwrap();
    tokenizer.feed("<b>&bogus;").unwrap();
    tokenizer.end().unwrap();
    let sink = tokenizer.into_sink();
    assert_eq!(sink.tokens.len(), 2);
    assert_eq!(sink.errors.len(), 1);
    assert_eq!("RCDATA".parse(), Ok(html::Content::Rcdata));

    let input = "x!ab;?-+b";
    let iterated: Vec<_> = fields::tokens(input)
        .map(|(token, span)| (token.into_owned(), span))
        .collect();
    for length in 1..=input.len() {
        let mut tokenizer = fields::Tokenizer::new(fields::Collector::with_errors());
        for piece in input.as_bytes().chunks(length) {
            tokenizer.feed_bytes(piece).unwrap();
        }
        tokenizer.end().unwrap();
        assert_eq!(tokenizer.into_sink().tokens, iterated);
    }
    let item = fields::Token::OtherItem {
        mark: true,
        remark: Some("r".into()),
        parts: vec![("a".into(), "V".into()), ("b".into(), "V".into())],
        first: "ONE".into(),
        second: "!".into(),
        missing: None,
    };
    assert_eq!(iterated[1].0, item);
    assert_eq!(iterated.len(), 7);
}
