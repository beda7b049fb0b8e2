speclex::tokenizer! {
    mod table = "diagnostics/mixed-guard/table.yaml";
}

fn main() {}
