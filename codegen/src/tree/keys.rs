//! Words of the tree language that are no keys of its top level.

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// In an insertion mode, what is no arm.
pub(super) const ERRATA: &str = "errata";
/// What an insertion mode is called in a table that does not say.
pub(super) const INSERTION_MODE: &str = "insertion mode";
