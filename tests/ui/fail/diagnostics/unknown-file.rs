speclex::tokenizer! {
    mod table = "diagnostics/unknown-file/table.yaml";
}

fn main() {}
