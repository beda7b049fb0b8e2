speclex::tokenizer! {
    mod table = "diagnostics/bad-range-of-numbers/table.yaml";
}

fn main() {}
