speclex::tokenizer! {
    mod table = "diagnostics/misplaced-phrase-in-entry/table.yaml";
}

fn main() {}
