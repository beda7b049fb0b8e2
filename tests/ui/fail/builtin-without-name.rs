speclex::tokenizer! {
    mod html = builtin;
}

fn main() {}
