speclex::tokenizer! {
    mod words = concat!("tables/", "words.yaml");
}

fn main() {}
