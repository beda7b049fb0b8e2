speclex::tokenizer! {
    mod table = "diagnostics/missing-successor/table.yaml";
}

fn main() {}
