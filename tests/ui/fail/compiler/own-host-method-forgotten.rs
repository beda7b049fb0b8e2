speclex::parser! {
    mod shapes = inline r#"
        tree: shapes
        title: Shapes
        tokenizer: xml5
        initial insertion mode: main
        variables: {insertion mode: insertion mode}
        host steps:
          begin a shape: []
          paint: [node]
        insertion modes:
          main:
            start tag: [begin a shape, paint given the Document]
            end-of-file: stop parsing
            anything else: ignore the token
    "#;
}

impl<const ERRORS: bool> shapes::Host for speclex::DomSink<'_, ERRORS> {
    fn begin_a_shape(&mut self) {}
}

fn main() {
    shapes::parse("<circle>");
}
