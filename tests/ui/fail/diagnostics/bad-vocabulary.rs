speclex::tokenizer! {
    mod table = "diagnostics/bad-vocabulary/table.yaml";
}

fn main() {}
