speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-2012";
}

fn main() {
    let mut tokens = words::tokens("");
    tokens.tokenizer().enter(html::Content::Rcdata).ok();
}
