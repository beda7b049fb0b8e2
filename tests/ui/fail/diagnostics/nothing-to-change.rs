speclex::tokenizer! {
    mod table = "diagnostics/nothing-to-change/table.yaml";
}

fn main() {}
