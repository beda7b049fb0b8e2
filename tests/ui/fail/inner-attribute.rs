speclex::tokenizer! {
    #![allow(dead_code)]
    mod words = "tables/words.yaml";
}

fn main() {}
