speclex::tokenizer! {
    mod readme = "tables/not-yaml.txt";
}

fn main() {}
