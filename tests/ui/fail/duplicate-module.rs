speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod other = "tables/words.yaml";
    mod words = builtin "xml5";
}

fn main() {}
