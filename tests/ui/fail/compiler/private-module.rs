mod inner {
    speclex::tokenizer! {
        mod words = "tables/words.yaml";
    }
}

pub fn words() {
    inner::words::tokens("");
}

fn main() {}
