//! What a report says first: the verdict in a line, what the prover could not follow, and which question of an arm is another.

use speclex_analysis::diff::{self, Report};
use speclex_codegen::machine::Machine;

use super::table;

fn report(one: &Machine, other: &Machine) -> (Report, String) {
    let report = Report::new(&diff::compare(one, other, true));
    let page = diff::text(&report, false);
    (report, page)
}

/// The dash comes out one character later in the second table, which the prover does not follow.
const LATE: &str = "
table: late
title: What comes out later
vocabulary: {tokens: {}, contents: [data]}
entry states: {data: data}
states:
  data:
    consume:
      U+002D (-): [emit \"-\", switch to dash]
      EOF: emit EOF
      anything else: emit the current input character
  dash:
    consume:
      EOF: reconsume in data
      anything else: reconsume in data
";

#[test]
fn what_the_prover_could_not_follow_comes_first() {
    let later = LATE
        .replace("[emit \"-\", switch to dash]", "switch to dash")
        .replace("reconsume in data", "[emit \"-\", reconsume in data]");
    let (report, page) = report(&table(LATE), &table(&later));
    assert_eq!(report.verdict, "no difference found", "{page}");
    let verdict = page.lines().skip_while(|line| !line.is_empty()).nth(1);
    let verdict = verdict.expect("a verdict");
    assert!(
        verdict.starts_with("No difference was found, and A and B are not proven equal: in data"),
        "{page}"
    );
    let why = report.unproved.as_ref().expect("a reason");
    assert_eq!(why.states, Some(["data", "data"].map(str::to_owned)));
    assert_eq!(why.items, "U+002D (-)");
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["unproved"]["on"], "U+002D (-)", "{json}");
    assert_eq!(
        json["unproved"]["obligation"],
        "the two may emit different tokens or texts"
    );
    for cause in json["causes"].as_array().expect("changes") {
        let reason = cause["reason"].as_str().expect("a reason");
        assert!(reason.contains("U+002D (-)"), "{json}");
    }
}

#[test]
fn the_verdict_is_the_first_line() {
    let other = LATE.replace(
        "anything else: reconsume in data",
        "anything else: [emit \"-\", reconsume in data]",
    );
    let (report, page) = report(&table(LATE), &table(&other));
    assert_eq!(report.verdict, "different", "{page}");
    assert!(report.unproved.is_none());
    let first = page.lines().nth(2);
    assert_eq!(
        first,
        Some("A and B differ in tokens, as on \"->\"."),
        "{page}"
    );
}

/// A table that asks questions of its own, one of them at the end of the input.
const ASKS: &str = "
table: asks
title: Questions of its own
vocabulary:
  tokens: {}
  contents: [data]
  questions: [bees are allowed, wasps are allowed]
entry states: {data: data}
states:
  data:
    consume:
      U+0062 (b):
        - if bees are allowed: emit \"1\"
        - otherwise: emit \"2\"
      U+0077 (w):
        - if bees are allowed and wasps are allowed: emit \"3\"
        - otherwise if bees are allowed: emit \"4\"
        - otherwise if wasps are allowed: emit \"5\"
        - otherwise: emit \"6\"
      EOF:
        - if wasps are allowed: emit \"7\"
        - emit EOF
      anything else: emit the current input character
";

#[test]
fn the_questions_of_a_table_get_both_answers() {
    const BEES: &str = "bees are allowed";
    const WASPS: &str = "wasps are allowed";
    for (number, yes, no) in [
        (1, &[BEES][..], &[][..]),
        (2, &[], &[BEES]),
        (3, &[BEES, WASPS], &[]),
        (4, &[BEES], &[WASPS]),
        (5, &[WASPS], &[BEES]),
        (6, &[], &[BEES, WASPS]),
        (7, &[WASPS], &[]),
    ] {
        let from = format!("emit \"{number}\"");
        assert_eq!(ASKS.matches(&from).count(), 1, "{from}");
        let other = ASKS.replace(&from, "emit \"other\"");
        let (report, page) = report(&table(ASKS), &table(&other));
        assert_eq!(report.verdict, "different", "{from}: {page}");
        let start = &report.witnesses[0].start;
        let is_yes = |question: &&str| {
            let is_among = start.questions.iter().any(|it| it == question);
            start.answer && (start.questions.is_empty() || is_among)
        };
        assert!(yes.iter().all(is_yes), "{from}: {page}");
        assert!(!no.iter().any(is_yes), "{from}: {page}");
    }
}

#[test]
fn two_questions_get_different_answers() {
    let other = ASKS.replace(
        "if wasps are allowed: emit \"5\"",
        "if wasps are allowed: emit \"y\"",
    );
    let (report, page) = report(&table(ASKS), &table(&other));
    assert_eq!(report.verdict, "different", "{page}");
    let only_wasps = |it: &diff::Setup| it.questions == ["wasps are allowed"];
    assert!(
        report.witnesses.iter().any(|it| only_wasps(&it.start)),
        "{page}"
    );
    assert!(
        page.contains("with “wasps are allowed” answered with yes"),
        "{page}"
    );
}

/// An arm with several questions after the first.
const ONE_WORD: &str = "
table: one-word
title: One word of a question
vocabulary: {tokens: {word: {name: text}}, contents: [data]}
error codes: [lone]
registers: {mode: [quiet, loud], buffer: text}
conditions: {heard: mode is loud}
entry states: {data: data}
states:
  data:
    consume:
      U+002A (*): [set mode to loud, switch to data]
      U+0026 (&): [set the buffer to the empty string, switch to name]
      EOF: emit EOF
      anything else: emit the current input character
  name:
    consume:
      U+003B (;):
        - append \";\" to the buffer
        - if heard and the next input character is U+003D (=), ASCII alphanumeric: [emit buffer, switch to data]
        - otherwise:
            - if the buffer is \"a;\": error lone
            - if heard: emit \"!\"
            - otherwise: emit \"?\"
            - if the buffer is \"b;\" or \"c;\": emit \"bc\"
            - switch to data
      ASCII alphanumeric: append the current input character to the buffer
      EOF: reconsume in data
      anything else: reconsume in data
";

#[test]
fn one_word_of_a_question_is_shown_once_and_in_its_arm() {
    let other = ONE_WORD.replace("character is U+003D", "character is not U+003D");
    let (_, page) = report(&table(ONE_WORD), &table(&other));
    let joined = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for side in [
        "- A: if heard and the next input character is U+003D (=), ASCII alphanumeric: emit buffer; switch to data",
        "- B: if heard and the next input character is not U+003D (=), ASCII alphanumeric: the same as A",
    ] {
        assert_eq!(joined.matches(side).count(), 1, "{page}");
    }
    assert_eq!(page.matches("heard").count(), 2, "{page}");
    assert!(page.lines().count() < 40, "{page}");
}

#[test]
fn a_condition_that_means_something_else_is_shown_in_full() {
    let other = ONE_WORD.replace("{heard: mode is loud}", "{heard: mode is quiet}");
    let (_, page) = report(&table(ONE_WORD), &table(&other));
    assert!(page.contains("mode is loud"), "{page}");
    assert!(page.contains("mode is quiet"), "{page}");
    assert!(!page.contains("heard"), "{page}");
    assert!(page.lines().count() < 40, "{page}");
}

#[test]
fn a_step_behind_questions_is_shown_once() {
    let other = ONE_WORD.replace("emit \"!\"", "emit \"!!\"");
    let (report, page) = report(&table(ONE_WORD), &table(&other));
    let [row] = &report.arms[..] else {
        panic!("{page}")
    };
    assert_eq!(row.sides.each_ref().map(Vec::len), [1, 1], "{page}");
    assert!(row.sides[0][0].contains("emit U+0021 (!)"), "{page}");
    assert!(row.sides[1][0].contains("emit \"!!\""), "{page}");
}

#[test]
fn only_changes_that_show_in_errors_are_named_for_errors() {
    let tokens = LATE.replace("[emit \"-\", switch", "[emit \"+\", switch");
    let (_, page) = report(&table(LATE), &table(&tokens));
    assert!(page.contains("if it reads tokens: change 1"), "{page}");
    assert!(!page.contains("if it reads errors: the same"), "{page}");
    let both = ONE_WORD.replace("error lone", "emit \"lone\"");
    let (_, page) = report(&table(ONE_WORD), &table(&both));
    assert!(page.contains("if it reads errors: the same"), "{page}");
}

#[test]
fn what_was_not_followed_is_named_only_if_it_matters() {
    let other = ONE_WORD.replace("emit \"?\"", "emit \"??\"");
    let (_, page) = report(&table(ONE_WORD), &table(&other));
    assert!(!page.contains("not finish"), "{page}");
    assert!(!page.contains("limit"), "{page}");
}

/// Steps and questions of which reports had words of their own.
const WORDS: &str = "
table: words
title: The words of a table
vocabulary:
  tokens:
    tag: {kinds: [start tag, end tag], name: text, odd flag: flag, attributes: attributes}
  contents: [data]
  questions: [CDATA sections are allowed]
  answering: [start tag]
  start tag: start tag
registers: {nesting depth: number, return state: state}
entry states: {data: data}
states:
  data:
    consume:
      U+003C (<): [create a start tag token, set the return state to data, switch to more]
      EOF: emit EOF
      anything else: emit the current input character
  more:
    consume:
      EOF: emit EOF
      anything else: switch to data
";

#[test]
fn a_report_has_the_words_of_the_table() {
    let steps = [
        "create an end tag token",
        "increase the nesting depth",
        "decrease the nesting depth",
        "multiply the nesting depth by 10",
        "append the lowercase of the current input character to the tag name",
        "set the tag odd flag",
        "start a new attribute",
        "append the current input character to the attribute name",
        "set the return state to more",
        "emit the tag token",
        "switch to the return state",
    ];
    let written = format!("anything else: [{}]", steps.join(", "));
    let other = WORDS.replace("anything else: switch to data", &written);
    let (report, page) = report(&table(WORDS), &table(&other));
    let [row] = &report.arms[..] else {
        panic!("{page}")
    };
    assert_eq!(row.sides[1], [steps.join("; ")]);
    assert_eq!(row.sides[0], ["switch to data"]);
}
