speclex::tokenizer! {
    mod table = "diagnostics/bad-range/table.yaml";
}

fn main() {}
