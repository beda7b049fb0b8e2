speclex::tokenizer! {
    mod table = "diagnostics/overlapping-arms/table.yaml";
}

fn main() {}
