speclex::tokenizer! {
    mod table = "diagnostics/missing-key/table.yaml";
}

fn main() {}
