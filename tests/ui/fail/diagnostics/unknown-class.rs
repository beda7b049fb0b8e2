speclex::tokenizer! {
    mod table = "diagnostics/unknown-class/table.yaml";
}

fn main() {}
