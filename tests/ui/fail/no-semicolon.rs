speclex::tokenizer! {
    mod words = "tables/words.yaml"
}

fn main() {}
