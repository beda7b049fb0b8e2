mod inner {
    speclex::tokenizer! {
        crate = super::speclex;
        mod words = "tables/words.yaml";
    }
}

fn main() {}
