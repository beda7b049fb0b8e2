speclex::tokenizer! {
    mod table = "diagnostics/not-a-digit/table.yaml";
}

fn main() {}
