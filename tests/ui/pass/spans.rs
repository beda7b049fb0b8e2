//! Where tokens start and end in tables unlike those of HTML; the interpreter's tests have the same table and expectations.
speclex::tokenizer! {
    mod spans = "tables/spans.yaml";
}

use speclex::markup::Token;

/// Each line is an input, and the tokens with their spans.
const EXPECTED: &str = include_str!("../tables/spans.txt");

fn main() {
    for line in EXPECTED.lines() {
        let (input, expected) = line.split_once(" => ").expect("an input and its tokens");
        let text = input.replace("\\n", "\n").replace("\\r", "\r");
        let tokens = spans::tokens(&text).map(|(token, span)| {
            let name = match &token {
                Token::Characters(text) => format!("text {text:?}"),
                Token::Doctype { name, .. } => {
                    format!("DOCTYPE {:?}", name.as_deref().unwrap_or("none"))
                }
                Token::Comment { data } => format!("comment {data:?}"),
                Token::StartTag { name, .. } => format!("start tag {name:?}"),
                Token::EndOfFile => "end".to_owned(),
                other => panic!("{other:?}"),
            };
            format!("{name} {}..{}", span.start, span.end)
        });
        assert_eq!(tokens.collect::<Vec<_>>().join(", "), expected, "{input}");
    }
    assert!(!EXPECTED.is_empty());
}
