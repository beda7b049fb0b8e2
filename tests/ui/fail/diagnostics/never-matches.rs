speclex::tokenizer! {
    mod table = "diagnostics/never-matches/table.yaml";
}

fn main() {}
