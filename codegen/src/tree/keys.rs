//! The keys of the tree language.

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// In a phase, what is no arm.
pub(super) const ERRATA: &str = "errata";
/// The key of an erratum that concerns a phase as a whole.
pub(super) const PHASE: &str = "phase";
