speclex::tokenizer! {
    mod table = "diagnostics/too-many-branches/table.yaml";
}

fn main() {}
