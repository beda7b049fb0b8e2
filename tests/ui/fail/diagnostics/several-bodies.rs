speclex::tokenizer! {
    mod table = "diagnostics/several-bodies/table.yaml";
}

fn main() {}
