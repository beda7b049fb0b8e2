speclex::tokenizer! {
    mod words = "tables";
}

fn main() {}
