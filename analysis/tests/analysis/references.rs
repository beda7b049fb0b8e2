//! Named references in the interpreter.

use speclex_analysis::testing::{NeedsMore, longest_reference};

#[test]
fn the_longest_name_wins_and_waits_only_when_it_must() {
    let table: Vec<_> = ["amp", "amp;", "not", "not;", "notin;"]
        .map(|name| (name.to_owned(), String::new()))
        .to_vec();
    let found = |text: &str, ended: bool| longest_reference(&table, text, ended);
    assert_eq!(found("notit;", false), Ok(Some((2, 3))));
    assert_eq!(found("noti", false), Err(NeedsMore));
    assert_eq!(found("noti", true), Ok(Some((2, 3))));
    assert_eq!(found("notin;", false), Ok(Some((4, 6))));
    assert_eq!(found("amp;x", false), Ok(Some((1, 4))));
    assert_eq!(found("am", true), Ok(None));
    assert_eq!(found("am", false), Err(NeedsMore));
    assert_eq!(found("x", false), Ok(None));
    assert_eq!(found("", true), Ok(None));
}
