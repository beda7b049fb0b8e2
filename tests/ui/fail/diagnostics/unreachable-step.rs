speclex::tokenizer! {
    mod table = "diagnostics/unreachable-step/table.yaml";
}

fn main() {}
