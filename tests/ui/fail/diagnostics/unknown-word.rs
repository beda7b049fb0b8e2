speclex::tokenizer! {
    mod table = "diagnostics/unknown-word/table.yaml";
}

fn main() {}
