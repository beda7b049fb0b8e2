speclex::tokenizer! {
    mod table = "diagnostics/empty-value/table.yaml";
}

fn main() {}
