speclex::tokenizer! {
    mod table = "diagnostics/bad-set/table.yaml";
}

fn main() {}
