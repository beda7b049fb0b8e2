speclex::tokenizer! {
    mod table = "diagnostics/unknown-base/table.yaml";
}

fn main() {}
