speclex::tokenizer! {
    mod table = "diagnostics/unknown-guard/table.yaml";
}

fn main() {}
