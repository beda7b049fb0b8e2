speclex::tokenizer! {
    mod table = "diagnostics/missing-arm/table.yaml";
}

fn main() {}
