speclex::tokenizer! {
    mod table = "diagnostics/missing-body/table.yaml";
}

fn main() {}
