//! A vocabulary of the table's own with a start tag: its name ends its element, and says what that holds.
speclex::tokenizer! {
    mod boxes = inline r#"
        table: boxes
        title: Boxes with raw text
        vocabulary:
          tokens:
            box: {kinds: [opening, closing], name: text}
          contents: [data, raw]
          answering: [opening]
          start tag: opening
        entry states: {data: data, raw: raw}
        contents after start tags: {raw: [code]}
        states:
          data:
            consume:
              U+007B ({): [create an opening token, switch to name]
              EOF: emit EOF
              anything else: emit the current input character
          raw:
            consume:
              U+002F (/): [create a closing token, switch to closing]
              EOF: emit EOF
              anything else: emit the current input character
          closing:
            consume:
              U+007D (}):
                - if appropriate end tag token: [emit the box token, switch to data]
                  otherwise: [emit U+002F (/), switch to raw]
              EOF: [parse error, emit EOF]
              anything else: append the current input character to the name
          name:
            consume:
              U+007D (}): [emit the box token, switch to data]
              EOF: [parse error, emit EOF]
              anything else: append the current input character to the name
    "#;
}

use boxes::Token;

fn main() {
    let names: Vec<_> = boxes::tokens("{a}{code}{b}/c}/code}{d}")
        .filter_map(|(token, _)| match token {
            Token::Opening { name } | Token::Closing { name } => Some(name),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["a", "code", "code", "d"]);
}
