#![deny(deprecated)]

speclex::tokenizer! {
    mod words = inline r#"
        table: words
        vocabulary: {tokens: {word: {text: text}}}
        entry states: {data: data}
        classes: {space: U+0020}
        states:
          data:
            consume:
              EOF: emit EOF
              anything else: ignore
    "#;

    #[allow(deprecated)]
    mod silent = inline r#"
        table: silent
        vocabulary: {tokens: {word: {text: text}}}
        entry states: {data: data}
        classes: {space: U+0020}
        states:
          data:
            consume:
              EOF: emit EOF
              anything else: ignore
    "#;
}

fn main() {}
