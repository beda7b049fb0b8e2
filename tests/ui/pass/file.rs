//! A file, with a path from the package's folder.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
}

fn main() {
    let words: Vec<_> = words::tokens(" one  two\n")
        .map(|(token, _)| token)
        .collect();
    let word = |text: &'static str| words::Token::Word { text: text.into() };
    assert_eq!(words, [word("one"), word("two"), words::Token::EndOfFile]);
}
