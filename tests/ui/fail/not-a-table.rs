speclex::tokenizer! {
    mod words = "tables/list.yaml";
}

fn main() {}
