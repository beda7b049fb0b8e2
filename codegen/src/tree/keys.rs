//! Words of the tree language that are no keys of its top level.

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// Before a kind: the tokens that no other arm names.
pub(super) const ANY_OTHER: &str = "any other ";
/// What an insertion mode is called in a table that does not say.
pub(super) const INSERTION_MODE: &str = "insertion mode";
/// The rules that are no insertion mode.
pub(super) const FOREIGN_CONTENT: &str = "foreign content";
