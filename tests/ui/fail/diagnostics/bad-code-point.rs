speclex::tokenizer! {
    mod table = "diagnostics/bad-code-point/table.yaml";
}

fn main() {}
