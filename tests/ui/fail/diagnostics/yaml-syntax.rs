speclex::tokenizer! {
    mod table = "diagnostics/yaml-syntax/table.yaml";
}

fn main() {}
