speclex::tokenizer! {
    pub words = "tables/words.yaml";
}

fn main() {}
