speclex::tokenizer! {
    mod table = "diagnostics/cyclic-base/table.yaml";
}

fn main() {}
