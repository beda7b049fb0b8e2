//! The shared vocabulary.

use speclex_codegen::{testing, vocabulary};

#[test]
fn the_shared_vocabulary_is_without_fault() {
    assert_eq!(vocabulary::markup().tokens.len(), 7);
    assert!(!testing::markup_has_faults());
}
