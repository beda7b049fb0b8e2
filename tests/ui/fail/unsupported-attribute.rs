speclex::tokenizer! {
    #[derive(Debug)]
    #[path = "words.rs"]
    #[rustfmt::skip]
    #[allow(dead_code)]
    mod words = "tables/words.yaml";
}

fn main() {}
