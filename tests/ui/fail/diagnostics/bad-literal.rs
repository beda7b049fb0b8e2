speclex::tokenizer! {
    mod table = "diagnostics/bad-literal/table.yaml";
}

fn main() {}
