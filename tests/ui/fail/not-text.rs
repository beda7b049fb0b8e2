speclex::tokenizer! {
    mod words = "tables/latin-1.yaml";
}

fn main() {}
