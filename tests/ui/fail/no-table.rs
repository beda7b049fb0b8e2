speclex::tokenizer! {}

fn main() {}
