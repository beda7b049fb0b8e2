//! The keys of the tree language.

use crate::written::{Key, keys};

/// Top level.
pub(crate) const TOP: &[Key] = keys! {
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
    /// What the text calls an insertion mode, if it has another word: `phase`.
    "called";
    /// What tree construction remembers from token to token, each variable with its type.
    "variables";
    /// The insertion mode that takes the first token.
    "initial insertion mode";
    /// Lists of steps that have a name, which is a phrase then.
    "procedures";
    /// The insertion modes, in the order of the text.
    "insertion modes";
    /// Ambiguities and slips of the text that concern a top-level key, a phrase or a procedure.
    "errata";
};

/// What an insertion mode is called in a table that does not say.
pub(super) const INSERTION_MODE: &str = "insertion mode";

/// Arm keys that are no token of the vocabulary.
pub(super) const CHARACTER: &str = "character";
pub(super) const END_OF_FILE: &str = "end-of-file";
pub(super) const ANYTHING_ELSE: &str = "anything else";
/// In an insertion mode, what is no arm.
pub(super) const ERRATA: &str = "errata";
