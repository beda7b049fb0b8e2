speclex::tokenizer! {
    mod table = "diagnostics/unknown-field/table.yaml";
}

fn main() {}
