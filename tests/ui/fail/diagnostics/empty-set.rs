speclex::tokenizer! {
    mod table = "diagnostics/empty-set/table.yaml";
}

fn main() {}
