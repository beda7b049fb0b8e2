speclex::tokenizer! {
    mod one = "diagnostics/unknown-state/table.yaml";
    mod two = "diagnostics/wrong-glyph/table.yaml";
    mod three = "tables/three.yaml";
}

fn main() {}
