speclex::tokenizer! {
    mod table = "diagnostics/unknown-register/table.yaml";
}

fn main() {}
