//! Owned tokens, places and errors as data, with the feature `serde`; the user names no crate for it.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-2014";
    // It has registers that nothing uses, for their names.
    #[allow(deprecated)]
    mod names = "tables/names.yaml";
}

fn main() {
    let words: Vec<_> = words::tokens("one").collect();
    assert_eq!(
        serde_json::to_string(&words).unwrap(),
        r#"[[{"Word":{"text":"one"}},{"start":0,"end":3}],["EndOfFile",{"start":3,"end":3}]]"#
    );
    let mut tokenizer = html::Tokenizer::new(html::Collector::with_errors());
    tokenizer.feed("<a b=c>&x;").unwrap();
    tokenizer.end().unwrap();
    let sink = tokenizer.into_sink();
    let tokens: Vec<_> = sink.tokens.iter().map(|(token, _)| token).collect();
    assert_eq!(
        serde_json::to_string(&tokens).unwrap(),
        r#"[{"StartTag":{"name":"a","self_closing_flag":false,"attributes":[["b","c"]]}},{"Characters":"&x;"},"EndOfFile"]"#
    );
    assert_eq!(
        serde_json::to_string(&sink.errors).unwrap(),
        format!(
            r#"[{{"code":"parse-error","offset":{}}}]"#,
            sink.errors[0].offset
        )
    );
    let mut lines = speclex::LineIndex::new();
    lines.push("a");
    let at = serde_json::to_string(&lines.locate(1)).unwrap();
    assert_eq!(at, r#"{"line":1,"column":2}"#);
    assert_eq!(
        serde_json::to_string(&names::Token::EndOfFile).unwrap(),
        r#""EndOfFile""#
    );
}
