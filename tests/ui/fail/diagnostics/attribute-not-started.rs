speclex::tokenizer! {
    mod table = "diagnostics/attribute-not-started/table.yaml";
}

fn main() {}
