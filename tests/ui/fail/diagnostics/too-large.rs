speclex::tokenizer! {
    mod table = "diagnostics/too-large/table.yaml";
}

fn main() {}
