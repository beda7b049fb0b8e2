speclex::tokenizer! {
    words: "tables/words.yaml";
}

fn main() {}
