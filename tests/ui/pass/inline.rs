//! Tables in the call, one of which extends a file.
speclex::tokenizer! {
    /// Lines.
    mod lines = inline r#"
        table: lines
        title: Lines
        vocabulary: {tokens: {line: {text: text}}}
        entry states: {data: line start}
        states:
          line start:
            consume:
              EOF: emit EOF
              anything else: [create a line token, reconsume in line]
          line:
            consume:
              U+000A: [emit the line token, switch to line start]
              EOF: [emit the line token, emit EOF]
              anything else: append the current input character to the text
    "#;
    mod initial = inline r#"
        table: initial
        vocabulary: {tokens: {word: {text: text}}, contents: [plain, loud]}
        registers: {mode: [quiet, noisy]}
        entry states: {plain: text, loud: [set the mode to noisy, switch to text]}
        initial state: loud
        states:
          text:
            consume:
              EOF: emit EOF
              anything else:
                - create a word token
                - if the mode is noisy: append "!" to the text
                - append the current input character to the text
                - emit the word token
                - stay
    "#;
    mod with_tabs = inline r#"
        table: words-and-tabs
        extends: tables/words
        states:
          between words:
            consume:
              U+0009: ignore
    "#;
}

fn main() {
    assert_eq!(lines::tokens("one\n\ntwo").count(), 4);
    // The initial state's entry sets the mode.
    let mut first = initial::tokens("a");
    assert!(matches!(first.next(), Some((initial::Token::Word { text }, _)) if text == "!a"));
    let mut tokenizer = initial::Tokenizer::new(initial::Collector::new());
    tokenizer.reset();
    tokenizer.feed("b").and_then(|()| tokenizer.end()).unwrap();
    assert_eq!(
        format!("{:?}", tokenizer.sink().tokens)
            .matches("!b")
            .count(),
        1
    );
    assert_eq!(with_tabs::tokens("one \t two").count(), 3);
}
