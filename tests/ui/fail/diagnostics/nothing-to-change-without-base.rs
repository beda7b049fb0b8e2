speclex::tokenizer! {
    mod table = "diagnostics/nothing-to-change-without-base/table.yaml";
}

fn main() {}
