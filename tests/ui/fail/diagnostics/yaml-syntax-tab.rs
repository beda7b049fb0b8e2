speclex::tokenizer! {
    mod table = "diagnostics/yaml-syntax-tab/table.yaml";
}

fn main() {}
