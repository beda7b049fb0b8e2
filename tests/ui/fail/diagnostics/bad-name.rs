speclex::tokenizer! {
    mod table = "diagnostics/bad-name/table.yaml";
}

fn main() {}
