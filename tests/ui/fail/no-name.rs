speclex::tokenizer! {
    mod = "tables/words.yaml";
}

fn main() {}
