speclex::tokenizer! {
    mod table = "diagnostics/incomplete-phrase/table.yaml";
}

fn main() {}
