speclex::tokenizer! {
    mod words = inline r#"
        table: words
        extends: tables/wrods
    "#;
}

fn main() {}
