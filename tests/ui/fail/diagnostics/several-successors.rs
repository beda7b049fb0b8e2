speclex::tokenizer! {
    mod table = "diagnostics/several-successors/table.yaml";
}

fn main() {}
