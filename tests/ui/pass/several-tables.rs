//! Several tables in one call, from everywhere, and several calls.
speclex::tokenizer! {
    mod words = "tables/words.yaml";
    mod more = "tables/more/quoted-words.yaml";
    mod xml = builtin "xml5";
}
speclex::tokenizer! {
    mod shouting = "tables/shouting.yaml";
}

fn main() {
    assert_eq!(words::tokens("\"one two\"").count(), 3);
    assert_eq!(more::tokens("\"one two\"").count(), 2);
    assert_eq!(xml::tokens("<one/>").count(), 2);
    assert_eq!(shouting::tokens("<one/>").count(), 2);
}
