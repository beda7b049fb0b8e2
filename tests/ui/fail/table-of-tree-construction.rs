speclex::tokenizer! {
    mod tree = "tree/paths/tree.yaml";
}

fn main() {}
