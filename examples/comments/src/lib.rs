//! Comments of readers: `tables/comments-tree.yaml` says which HTML they may have.
#![forbid(unsafe_code)]

speclex::parser! {
    /// The parser that is made of the table.
    pub mod comments = "tables/comments-tree.yaml";
}

/// A comment as HTML without anything that the table does not allow.
pub fn clean(comment: &str) -> String {
    comments::parse(comment).serialize()
}
