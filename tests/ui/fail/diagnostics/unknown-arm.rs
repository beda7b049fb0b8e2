speclex::tokenizer! {
    mod table = "diagnostics/unknown-arm/table.yaml";
}

fn main() {}
