speclex::tokenizer! {
    mod words = inline r#"
        table: words
        vocabulary: {tokens: {word: {text: text}}}
        entry states: {data: dta}
        states:
          data:
            consume:
              U+0020: ingore
              EOF: emit EOF
    "#;
}

fn main() {}
