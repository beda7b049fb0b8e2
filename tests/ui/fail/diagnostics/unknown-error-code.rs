speclex::tokenizer! {
    mod table = "diagnostics/unknown-error-code/table.yaml";
}

fn main() {}
