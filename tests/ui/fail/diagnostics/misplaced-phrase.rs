speclex::tokenizer! {
    mod table = "diagnostics/misplaced-phrase/table.yaml";
}

fn main() {}
