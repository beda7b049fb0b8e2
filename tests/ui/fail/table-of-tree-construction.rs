speclex::tokenizer! {
    mod tree = "tree/base.yaml";
}

fn main() {}
