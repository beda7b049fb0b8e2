//! Documentation, `cfg` and lints stay with the module.
#![deny(missing_docs)]

speclex::tokenizer! {
    /// Words.
    ///
    /// More about them.
    #[doc(alias = "tokens")]
    #[allow(dead_code)]
    pub mod words = "tables/words.yaml";
    #[cfg(any())]
    pub mod other = builtin "xml5";
    /// The same name under another condition.
    #[cfg(not(any()))]
    pub mod other = "tables/words.yaml";
    #[deprecated]
    #[doc(hidden)]
    pub mod old = "tables/words.yaml";
}

fn main() {
    let (token, _) = other::tokens("one").next().unwrap();
    assert_eq!(token, other::Token::Word { text: "one".into() });
}
