speclex::tokenizer! {
    mod words {
        include!("words.rs");
    }
}

fn main() {}
