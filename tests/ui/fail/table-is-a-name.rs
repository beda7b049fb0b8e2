speclex::tokenizer! {
    mod html = html_2012;
}

fn main() {}
