speclex::tokenizer! {
    mod words = "tables/words.yaml";
}
speclex::tokenizer! {
    mod words = "tables/words.yaml";
}

fn main() {}
