speclex::tokenizer! {
    mod words = "nowhere/words.yaml";
}

fn main() {}
