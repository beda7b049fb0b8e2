speclex::tokenizer! {
    mod table = "diagnostics/bad-vocabulary-own/table.yaml";
}

fn main() {}
