//! A table of the user's that extends one that ships, with its named character references.
speclex::tokenizer! {
    mod shouting = "tables/shouting.yaml";
    mod html = builtin "html-2012";
}

use speclex::markup::Token;

fn name(token: Option<(Token<'_>, speclex::Span)>) -> String {
    match token {
        Some((Token::StartTag { name, .. }, _)) => name.into_owned(),
        other => panic!("{other:?}"),
    }
}

fn main() {
    assert_eq!(name(shouting::tokens("<DIV>").next()), "DIV");
    assert_eq!(name(html::tokens("<DIV>").next()), "div");
    let (token, _) = shouting::tokens("&notin;").next().unwrap();
    assert_eq!(token, Token::Characters("\u{2209}".into()));
}
