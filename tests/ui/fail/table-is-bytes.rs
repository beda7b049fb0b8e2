speclex::tokenizer! {
    mod words = b"tables/words.yaml";
}

fn main() {}
