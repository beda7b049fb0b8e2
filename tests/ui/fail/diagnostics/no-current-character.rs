speclex::tokenizer! {
    mod table = "diagnostics/no-current-character/table.yaml";
}

fn main() {}
