speclex::tokenizer! {
    mod words = "tables/empty.yaml";
}

fn main() {}
