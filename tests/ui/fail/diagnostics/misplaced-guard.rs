speclex::tokenizer! {
    mod table = "diagnostics/misplaced-guard/table.yaml";
}

fn main() {}
