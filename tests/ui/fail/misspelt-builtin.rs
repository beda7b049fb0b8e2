speclex::tokenizer! {
    mod html = bultin "html-2012";
}

fn main() {}
