//! What several rules share: an edit of it is shown once, with all the rules that it alters.

use speclex_analysis::diff::{self, Report};

use super::table;

const SHARED: &str = "
table: shared
title: What several rules share
vocabulary: {tokens: {word: {name: text}, note: {data: text}}}
error codes: [oops]
registers: {mode: [quiet, loud, odd]}
classes: {letter: [U+0061 (a), U+0062 (b)]}
conditions: {heard: mode is loud}
entry states: {data: data}
procedures:
  finish: [emit \"!\", error oops]
states:
  data:
    consume:
      U+003C (<): [create a word token, switch to name]
      U+002A (*): [set mode to loud, switch to more]
      U+002B (+): [set mode to odd, switch to more]
      letter: emit the current input character
      EOF: emit EOF
      anything else: emit \"?\"
  more:
    consume:
      letter: [emit \"m\", switch to data]
      U+003B (;):
        - if heard: [emit \"loud\", switch to data]
        - otherwise: switch to data
      U+002E (.):
        - if heard: emit \"dot\"
        - set mode to quiet
        - switch to data
      EOF: reconsume in data
      anything else: [finish, switch to data]
  name:
    consume:
      U+003E (>): [emit the word token, switch to data]
      U+002F (/): [emit the word token, finish, switch to data]
      U+0021 (!): [create a note token, switch to note]
      letter: append the current input character to the word name
      EOF: reconsume in data
      anything else: ignore
    leaving: emit \"x\"
  note:
    consume:
      U+003E (>): [emit the note token, finish, switch to data]
      EOF: reconsume in data
      anything else: append the current input character to the note data
";

#[test]
fn an_edit_of_what_rules_share_is_shown_once() {
    for (from, to, rules, edits) in [
        ("leaving: emit \"x\"", "leaving: emit \"y\"", 4, 1),
        ("[emit \"!\", error oops]", "emit \"!\"", 3, 1),
        ("heard: mode is loud", "heard: mode is loud or odd", 2, 1),
        // One character belongs no longer to the class, and another one does now.
        ("U+0062 (b)]", "U+0063 (c)]", 6, 2),
    ] {
        assert_eq!(SHARED.matches(from).count(), 1, "{from}");
        let tables = [table(SHARED), table(&SHARED.replace(from, to))];
        let report = Report::new(&diff::compare(&tables[0], &tables[1], true));
        let page = diff::markdown(&report, &|_, _, _| None);
        assert_eq!(report.causes.len(), rules, "{page}");
        let first = report.causes.iter().filter(|it| it.shown_with.is_none());
        assert_eq!(first.count(), edits, "{page}");
        // The last section says how they were found.
        assert_eq!(page.matches("\n## ").count(), edits + 1, "{page}");
        for (number, cause) in (1..).zip(&report.causes) {
            assert_eq!(cause.role, "cause", "{page}");
            let shown = format!("\n- change {number}: ");
            assert_eq!(page.contains(&shown), cause.shown_with.is_some(), "{page}");
        }
    }
}

#[test]
fn other_edits_of_the_same_rules_are_shown_by_themselves() {
    let other = SHARED
        .replace("emit \"loud\"", "emit \"LOUD\"")
        .replace("emit \"dot\"", "emit \"DOT\"");
    let report = Report::new(&diff::compare(&table(SHARED), &table(&other), true));
    assert_eq!(report.causes.len(), 2);
    assert!(report.causes.iter().all(|it| it.shown_with.is_none()));
}

/// An arm that alters something only in a table in which nothing hides it.
#[test]
fn a_change_that_others_hide_is_a_companion() {
    let hidden = SHARED
        .replace(
            "U+002A (*): [set mode to loud, switch to more]",
            "U+002A (*): stay",
        )
        .replace(
            "U+002B (+): [set mode to odd, switch to more]",
            "U+002B (+): stay",
        )
        .replace("emit \"loud\"", "emit \"LOUD\"");
    let report = Report::new(&diff::compare(&table(SHARED), &table(&hidden), true));
    let roles: Vec<&str> = report.causes.iter().map(|it| it.role).collect();
    assert_eq!(roles, ["cause", "cause", "companion"]);
    let page = diff::text(&report, false);
    assert_eq!(report.causes[2].differs, None);
    assert!(
        page.contains("Changes that show nowhere by themselves"),
        "{page}"
    );
}
