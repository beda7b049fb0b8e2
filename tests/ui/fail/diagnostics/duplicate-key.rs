speclex::tokenizer! {
    mod table = "diagnostics/duplicate-key/table.yaml";
}

fn main() {}
