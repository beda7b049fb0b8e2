speclex::tokenizer! {
    mod table = "diagnostics/token-not-created/table.yaml";
}

fn main() {}
