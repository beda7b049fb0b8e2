//! The sink that hands owned tokens on: to functions, and to what wants errors and answers questions too.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod each = inline r#"
        table: each
        vocabulary:
          tokens:
            each: {name: text, mark: flag, remark: optional text, parts: attributes}
            token sink: {}
          questions: [marks are allowed]
        entry states: {data: data}
        states:
          data:
            consume:
              "\"!\"": [create an each token, append "ONE" to the name, append the current input character to the remark, set the each mark, emit the each token]
              "\"-\"": emit a token sink token
              EOF: emit EOF
              anything else: emit the current input character
    "#;
    mod html = builtin "html-2014";
}

use html::{Answer, Content};
use speclex::{ParseError, Span};

/// Keeps tags that are not answered otherwise.
#[derive(Debug, Default)]
struct Kept {
    tokens: Vec<html::Token>,
    errors: Vec<ParseError>,
}

impl html::TokenSink for Kept {
    const ERRORS: bool = true;

    fn token(&mut self, token: &mut html::Token, _: Span) -> Answer {
        let answer = match token {
            html::Token::StartTag { name, .. } if name == "title" => {
                Answer::Switch(Content::Rcdata)
            }
            _ => Answer::Continue,
        };
        self.tokens
            .push(std::mem::replace(token, html::Token::EndOfFile));
        answer
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        true
    }
}

fn main() {
    let mut spans = Vec::new();
    let look = |token: &mut words::Token, span: Span| {
        spans.push((span.start, span.end, *token == words::Token::EndOfFile));
    };
    let mut tokenizer = words::Tokenizer::new(words::Each::new(look));
    tokenizer.feed("one t").unwrap();
    tokenizer.feed("wo").unwrap();
    tokenizer.end().unwrap();
    drop(tokenizer);
    assert_eq!(spans, [(0, 3, false), (4, 7, false), (7, 7, true)]);

    let mut seen = Vec::new();
    let look = |token: &mut each::Token, _: Span| seen.push(token.clone());
    let mut tokenizer = each::Tokenizer::new(each::Each::new(look));
    for piece in ["a", "b!", "-", "c"] {
        tokenizer.feed(piece).unwrap();
    }
    tokenizer.end().unwrap();
    drop(tokenizer);
    let mut collector = each::Tokenizer::new(each::Collector::<false>::default());
    collector.feed("ab!-c").unwrap();
    collector.end().unwrap();
    let collected = collector.into_sink().tokens;
    assert!(seen.iter().eq(collected.iter().map(|(token, _)| token)));
    assert_eq!(seen.len(), 5);

    let mut tokenizer = html::Tokenizer::new(html::Each::<Kept>::default());
    for piece in ["<title>&lt", ";<b></title>", "<![CDATA[x]]", ">y\0"] {
        tokenizer.feed(piece).unwrap();
    }
    tokenizer.end().unwrap();
    let Kept { tokens, errors } = tokenizer.into_sink().sink;
    assert_eq!(tokens.len(), 5);
    assert_eq!(tokens[1], html::Token::Characters("<<b>".into()));
    assert_eq!(tokens[3], html::Token::Characters("xy\0".into()));
    assert_eq!(errors.len(), 1);
}
