speclex::tokenizer! {
    mod table = "diagnostics/bad-number/table.yaml";
}

fn main() {}
