speclex::tokenizer! {
    mod table = "diagnostics/unknown-phrase-of-procedures/table.yaml";
}

fn main() {}
