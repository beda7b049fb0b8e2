speclex::tokenizer!("tables/words.yaml");

fn main() {}
