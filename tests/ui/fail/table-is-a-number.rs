speclex::tokenizer! {
    mod words = 2012;
}

fn main() {}
