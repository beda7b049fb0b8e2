speclex::tokenizer! {
    mod table = "diagnostics/misplaced-otherwise/table.yaml";
}

fn main() {}
