speclex::tokenizer! {
    mod words = "tables/wrods.yaml";
}

fn main() {}
