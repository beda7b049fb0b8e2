speclex::tokenizer! {
    mod table = "diagnostics/unknown-token/table.yaml";
}

fn main() {}
