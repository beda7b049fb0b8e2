speclex::tokenizer! {
    mod words = inline "table: words\nvocabulary: markup\nentry states: {data: data}\nstates: {}\n";
}

fn main() {}
