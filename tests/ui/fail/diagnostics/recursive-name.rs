speclex::tokenizer! {
    mod table = "diagnostics/recursive-name/table.yaml";
}

fn main() {}
