//! The shared `markup` vocabulary: one set of tokens, so that one sink serves every markup table.

use crate::machine::Vocabulary;

/// The shared vocabulary, as `markup.yaml` beside this file says: tags, comments, DOCTYPEs, processing instructions and what
/// XML adds.
pub fn markup() -> Vocabulary {
    crate::check::markup()
}
