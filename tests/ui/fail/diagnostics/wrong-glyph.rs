speclex::tokenizer! {
    mod table = "diagnostics/wrong-glyph/table.yaml";
}

fn main() {}
