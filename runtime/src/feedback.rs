//! What follows a start tag of which the sink says nothing.

/// What follows a start tag to which the sink answers that the tokenizer continues: the table's `contents after start tags`,
/// which stand in for a tree builder.
///
/// A table knows names only. Inside `svg` and `math`, in a `select` or after a `frameset` a tree builder can know better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feedback {
    /// What the table says where scripting is enabled, as in a browser: `noscript` holds text.
    #[default]
    Scripting,
    /// What the table says where scripting is disabled: `noscript` holds markup.
    NoScripting,
    /// Markup, whatever the name.
    Off,
}
