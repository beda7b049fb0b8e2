speclex::tokenizer! {
    mod table = "diagnostics/unbounded-look-ahead/table.yaml";
}

fn main() {}
