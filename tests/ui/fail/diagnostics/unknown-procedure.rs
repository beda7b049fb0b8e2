speclex::tokenizer! {
    mod table = "diagnostics/unknown-procedure/table.yaml";
}

fn main() {}
