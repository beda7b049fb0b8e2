speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-2012";
}

struct Nothing;

impl words::Sink for Nothing {}

fn main() {
    html::Tokenizer::new(Nothing).end().ok();
}
