//! Nothing to complain about in the user's crate.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    unused_results
)]
#![deny(
    missing_debug_implementations,
    rust_2018_idioms,
    single_use_lifetimes,
    unused_lifetimes
)]
#![deny(
    trivial_casts,
    trivial_numeric_casts,
    let_underscore_drop,
    variant_size_differences
)]

speclex::tokenizer! {
    /// Words.
    pub mod words = "tables/words.yaml";
    /// HTML.
    pub mod html = builtin "html-living";
    mod unused = builtin "xml5";
    /// Two answers in a step.
    pub mod twice = inline r#"
        table: twice
        vocabulary: markup
        entry states: {data: data}
        states:
          data:
            consume:
              EOF: emit EOF
              U+003C (<): [emit a start tag token, emit an end tag token]
              anything else: emit the current input character
    "#;
    /// Two answers in a step that is the last.
    pub mod ends = inline r#"
        table: ends
        vocabulary: markup
        entry states: {data: data}
        states:
          data:
            consume:
              EOF: [emit a start tag token, emit an end tag token, emit EOF]
              U+003C (<): emit a start tag token
              anything else: emit the current input character
    "#;
    /// Names that the generated code uses too.
    // It has registers that nothing uses, for their names.
    #[allow(deprecated)]
    pub mod names = "tables/names.yaml";
}

fn main() {}
