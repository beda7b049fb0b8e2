speclex::tokenizer! {
    mod table = "diagnostics/wrong-type/table.yaml";
}

fn main() {}
