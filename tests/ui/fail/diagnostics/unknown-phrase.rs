speclex::tokenizer! {
    mod table = "diagnostics/unknown-phrase/table.yaml";
}

fn main() {}
