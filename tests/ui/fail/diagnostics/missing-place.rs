speclex::tokenizer! {
    mod table = "diagnostics/missing-place/table.yaml";
}

fn main() {}
