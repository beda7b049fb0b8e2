//! What of the errors of two tables is compared.

use speclex_analysis::diff::ErrorComparison::{Codes, Presence};
use speclex_analysis::testing::errors_agree;

#[test]
fn an_error_without_a_name_is_any_only_where_a_table_names_none() {
    assert!(errors_agree(
        Codes,
        &["a", "parse-error"],
        &["parse-error", "a"]
    ));
    assert!(!errors_agree(Codes, &["parse-error"], &["a"]));
    assert!(!errors_agree(Codes, &["a"], &[]));
    assert!(errors_agree(
        Presence,
        &["parse-error", "parse-error"],
        &["b", "c"]
    ));
    assert!(!errors_agree(Presence, &["parse-error"], &["b", "c"]));
}
