speclex::tokenizer! {
    mod table = "diagnostics/ambiguous-field/table.yaml";
}

fn main() {}
