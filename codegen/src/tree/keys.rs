//! The keys of the tree language.

use crate::written::{Key, k};

/// Top level.
pub(super) const TOP: &[Key] = &[
    k(
        "tree",
        "The table's name: lower-case letters, digits and hyphens.",
    ),
    k("title", "One line for people."),
    k("source", "Where the text comes from. Information."),
    k("extends", "The name, or relative path, of a base table."),
    k("section", "The number of the section."),
    k(
        "tokenizer",
        "The table whose tokens it takes; not taken over from a base.",
    ),
    k("initial phase", "The phase that takes the first token."),
    k("phases", "The phases, in the order of the text."),
    k(
        "errata",
        "Ambiguities and slips of the text that concern a top-level key or a phrase.",
    ),
];

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// In a phase, what is no arm.
pub(super) const ERRATA: &str = "errata";
/// The key of an erratum that concerns a phase as a whole.
pub(super) const PHASE: &str = "phase";
