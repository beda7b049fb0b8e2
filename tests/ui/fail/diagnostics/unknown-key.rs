speclex::tokenizer! {
    mod table = "diagnostics/unknown-key/table.yaml";
}

fn main() {}
