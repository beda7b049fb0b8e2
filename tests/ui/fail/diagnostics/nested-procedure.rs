speclex::tokenizer! {
    mod table = "diagnostics/nested-procedure/table.yaml";
}

fn main() {}
