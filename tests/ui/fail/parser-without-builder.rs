speclex::parser! {
    mod shapes = inline r#"
        tree: shapes
        title: Shapes
        tokenizer: xml5
        initial insertion mode: main
        variables:
          insertion mode: insertion mode
          stack of open elements: stack of elements
        insertion modes:
          main:
            DOCTYPE: append a DocumentType node to the current node
            end-of-file: stop parsing
            anything else: ignore the token
    "#;
}

fn main() {}
