speclex::tokenizer! {
    mod table = "diagnostics/type-mismatch/table.yaml";
}

fn main() {}
