speclex::tokenizer! {
    mod table = "diagnostics/fault-in-base/table.yaml";
}

fn main() {}
