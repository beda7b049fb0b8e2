//! Parsers of tables of tree construction: of a file, of one that ships, of a text that extends one.
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

speclex::parser! {
    /// Outlines.
    pub mod outline = "../../cli/src/init/outline-tree.yaml";
    mod unused = builtin "xml5-tree";
    /// XML that leaves out comments.
    mod changed = inline r#"
        tree: changed
        extends: xml5-tree
        tokenizer: xml5
        insertion modes:
          main: {comment token: ignore the token}
    "#;
}

fn main() {
    let dom = outline::parse("(a one(b))");
    assert_eq!(dom.dump(), "| <a>\n|   \"one\"\n|   <b>\n");
    let dom = changed::parse("<a><!-- b --></a>");
    assert_eq!(dom.dump(), "| <a>\n");
}
