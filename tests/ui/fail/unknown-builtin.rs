speclex::tokenizer! {
    mod html = builtin "html-2013";
}

fn main() {}
