speclex::tokenizer! {
    mod table = "diagnostics/unknown-kind/table.yaml";
}

fn main() {}
