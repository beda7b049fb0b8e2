speclex::tokenizer! {
    mod table = "diagnostics/unknown-state/table.yaml";
}

fn main() {}
