speclex::tokenizer! {
    mod csv = "csv.yaml";
}

fn main() {}
