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
    assert_eq!(with_tabs::tokens("one \t two").count(), 3);
}
