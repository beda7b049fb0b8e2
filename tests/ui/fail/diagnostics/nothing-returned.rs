speclex::tokenizer! {
    mod table = "diagnostics/nothing-returned/table.yaml";
}

fn main() {}
