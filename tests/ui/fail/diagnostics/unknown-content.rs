speclex::tokenizer! {
    mod table = "diagnostics/unknown-content/table.yaml";
}

fn main() {}
