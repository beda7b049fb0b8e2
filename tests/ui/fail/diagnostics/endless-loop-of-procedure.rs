speclex::tokenizer! {
    mod table = "diagnostics/endless-loop-of-procedure/table.yaml";
}

fn main() {}
