speclex::tokenizer! {
    mod table = "diagnostics/endless-loop/table.yaml";
}

fn main() {}
