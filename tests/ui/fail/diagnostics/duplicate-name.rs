speclex::tokenizer! {
    mod table = "diagnostics/duplicate-name/table.yaml";
}

fn main() {}
