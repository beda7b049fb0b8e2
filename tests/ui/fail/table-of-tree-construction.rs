speclex::tokenizer! {
    mod tree = "diagnostics/tree-paths/table.yaml";
}

fn main() {}
