speclex::tokenizer! {
    mod table = "diagnostics/no-match/table.yaml";
}

fn main() {}
