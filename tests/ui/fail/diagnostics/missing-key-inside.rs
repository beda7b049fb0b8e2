speclex::tokenizer! {
    mod table = "diagnostics/missing-key-inside/table.yaml";
}

fn main() {}
