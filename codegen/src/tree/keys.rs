//! The keys of the tree language.

use crate::written::{Key, keys};

/// Top level.
pub(super) const TOP: &[Key] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "tree";
    /// One line for people.
    "title";
    /// Where the text comes from. Information.
    "source";
    /// The name, or relative path, of a base table.
    "extends";
    /// The number of the section.
    "section";
    /// The table whose tokens it takes; not taken over from a base.
    "tokenizer";
    /// The phase that takes the first token.
    "initial phase";
    /// The phases, in the order of the text.
    "phases";
    /// Ambiguities and slips of the text that concern a top-level key or a phrase.
    "errata";
};

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// In a phase, what is no arm.
pub(super) const ERRATA: &str = "errata";
/// The key of an erratum that concerns a phase as a whole.
pub(super) const PHASE: &str = "phase";
