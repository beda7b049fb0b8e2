speclex::tokenizer! {
    mod match = "tables/words.yaml";
}

fn main() {}
