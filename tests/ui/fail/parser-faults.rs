speclex::parser! {
    mod outline = inline r#"
        tree: outline
        tokenizer: html-livin
        initial insertion mode: one
    "#;
    mod shapes = inline r#"
        tree: shapes
        tokenizer: xml5
        initial insertion mode: main
        variables: {insertion mode: insertion mode}
        insertion modes:
          main:
            start tag: swich to "mane"
            anything else: ignore the token
    "#;
}

fn main() {}
