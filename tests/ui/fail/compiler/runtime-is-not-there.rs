speclex::tokenizer! {
    crate = speclecks;
    mod words = "tables/words.yaml";
}

fn main() {}
