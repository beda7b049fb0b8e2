//! Words of the table language: phrases and guards as they are read, explained and suggested.

use std::collections::HashSet;

use speclex_codegen::closest;
use speclex_codegen::explain::{entries, explain};
use speclex_codegen::testing::{all_templates, nearest_phrase, phrase_pattern, read_guard};

fn named(words: &str) -> Result<Vec<&'static str>, Option<&'static str>> {
    explain(words).map(|found| found.iter().map(|entry| entry.name).collect())
}

#[test]
fn words_are_found_as_they_are_written() {
    assert_eq!(named("unknown-state"), Ok(vec!["unknown-state"]));
    assert_eq!(named("switch to STATE"), Ok(vec!["switch to STATE"]));
    assert_eq!(
        named("switch to before value"),
        Ok(vec!["switch to STATE", "switch to MODE"])
    );
    assert_eq!(
        named("the depth is greater than 3"),
        Ok(vec![
            "REGISTER is greater than N",
            "NUMBER is greater than NUMBER"
        ])
    );
    assert_eq!(named("section"), Ok(vec!["section"; 5]));
    assert_eq!(named("unknown-stat"), Err(Some("unknown-state")));
    assert_eq!(named("entry sates"), Err(Some("entry states")));
    assert_eq!(named("qqq"), Err(None));
    assert_eq!(named("consume:"), Ok(vec!["consume it", "consume"]));
    assert_eq!(named("decrease the depth"), Ok(vec!["decrease REGISTER"]));
    assert_eq!(named("increase the depth"), Ok(vec!["increase REGISTER"]));
    assert_eq!(named("emit an item token"), Ok(vec!["emit a KIND token"]));
    assert_eq!(
        named("emit the item token"),
        Ok(vec!["emit the TOKEN token"])
    );
    assert_eq!(
        named("reconsume"),
        Ok(vec!["reconsume in STATE", "reconsume in the REGISTER"])
    );
    assert_eq!(named("anything else"), Ok(vec!["anything else"]));
    assert_eq!(named("ASCII alpha"), Ok(vec!["ASCII alpha"]));
    assert_eq!(named("ascii alhpa"), Err(Some("ASCII alpha")));
    assert_eq!(named("swich to data"), Err(Some("switch to STATE")));
    assert_eq!(named("list of words"), Ok(vec!["list of words"]));
    // What resembles a guard in one word only is none.
    assert_eq!(named("lost in thought"), Err(None));
}

#[test]
fn words_of_tree_tables_are_found() {
    for words in [
        "reprocess the token",
        "push ELEMENT onto the stack of open elements",
        "pop elements from the stack of open elements until TYPES has been popped",
        "the Document",
        "stack of insertion modes",
        "insertion modes",
        "while GUARD",
    ] {
        assert_eq!(named(words), Ok(vec![words]), "{words}");
    }
    for (typed, name) in [
        (
            "pop elements from the stack of open elements until a td or th element has been popped",
            "pop elements from the stack of open elements until TYPES has been popped",
        ),
        ("if node is not null:", "ELEMENT is null"),
        ("let x be y", "let NAME be VALUE"),
    ] {
        assert_eq!(named(typed), Ok(vec![name]), "{typed}");
    }
    let both = explain("set the value to missing").expect("two phrases");
    let kinds: Vec<_> = both.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, ["phrase", "step of a tree table"], "{both:?}");
    assert_eq!(
        named("reproces the token"),
        Err(Some("reprocess the token"))
    );
}

#[test]
fn words_are_found_as_they_are_pasted() {
    let tag = Ok(vec!["appropriate end tag token"]);
    for pasted in [
        "if appropriate end tag token:",
        "otherwise if appropriate end tag token",
        "if not appropriate end tag token",
        "not appropriate end tag token",
    ] {
        assert_eq!(named(pasted), tag, "{pasted}");
    }
    assert_eq!(
        named("if the depth is greater than 3:"),
        named("the depth is greater than 3")
    );
    for pasted in [
        "error[unknown-state]",
        "error[unknown-state]: there is no state `x`",
        " warning[unused-kind]",
    ] {
        let code = pasted.split(['[', ']']).nth(1).expect("a code");
        assert_eq!(named(pasted), Ok(vec![code]), "{pasted}");
    }
    assert_eq!(
        named("if"),
        Ok(vec![
            "if the next token is a CHARACTER character token, ignore it",
            "if GUARD"
        ])
    );
    assert_eq!(named("error[unknown-stat]"), Err(Some("unknown-state")));
    assert_eq!(named("if qqq"), Err(None));
    assert_eq!(named(&"not ".repeat(1 << 20)), Ok(vec!["not GUARD"]));
    assert_eq!(named(""), Err(None));
}

#[test]
fn entries_of_one_kind_stand_together() {
    let mut kinds: Vec<_> = entries().map(|entry| entry.kind).collect();
    kinds.dedup();
    let different: HashSet<_> = kinds.iter().collect();
    assert_eq!(different.len(), kinds.len(), "{kinds:?}");
}

#[test]
fn each_entry_explains_itself() {
    for entry in entries() {
        assert!(
            named(entry.name).is_ok_and(|found| found.contains(&entry.name)),
            "{entry:?}"
        );
        assert!(!entry.about.is_empty(), "{entry:?}");
        if let Some(example) = entry.example {
            assert!(named(example).is_ok(), "{entry:?}");
        }
    }
}

#[test]
fn every_example_is_read() {
    let [phrases, guards, ..] = all_templates();
    for template in phrases {
        assert!(phrase_pattern(template.example).is_some(), "{template:?}");
    }
    for template in guards {
        let read = read_guard(template.example, &["CDATA sections are allowed"]);
        assert!(read.is_some(), "{template:?}");
    }
}

#[test]
fn long_phrases_and_guards_are_read_in_linear_time() {
    for verb in [
        "append ",
        "set ",
        "make ",
        "emit ",
        "multiply ",
        "attempt to ",
    ] {
        for word in [
            "to ",
            "token ",
            "a ",
            "as ",
            "token a ",
            ", with no ",
            "by ",
        ] {
            let text = format!("{verb}{}", word.repeat(30_000));
            // Whether it is one is of no interest: it ends.
            phrase_pattern(&text);
        }
    }
    for word in [
        "is ",
        "is not ",
        "then ",
        "token ",
        "has ",
        "is greater than ",
    ] {
        for subject in ["", "next input characters are one or more "] {
            read_guard(&format!("{subject}{}", word.repeat(30_000)), &[]);
        }
    }
}

#[test]
fn the_nearest_template_shares_the_verb_or_all_words() {
    assert_eq!(nearest_phrase("swich to x"), Some("switch to STATE"));
    assert_eq!(
        nearest_phrase("reconsume at data"),
        Some("reconsume in STATE")
    );
    assert_eq!(
        nearest_phrase("create comment"),
        Some("create a KIND token")
    );
    assert_eq!(
        nearest_phrase("please treat as anything else"),
        Some("as anything else")
    );
    assert_eq!(nearest_phrase("hello there"), None);
}

#[test]
fn lists_and_guards_are_told_apart() {
    let questions = ["it is so", "this or that", "an end follows"];
    let cases = [
        ("the flag is on or off", Some("[the flag] is [on or off]")),
        (
            "the flag is on or the flag is off",
            Some("([the flag] is [on] | [the flag] is [off])"),
        ),
        (
            "flag is a or b and not other is c or d",
            Some("([flag] is [a or b] & ![other] is [c or d])"),
        ),
        ("the flag is not on", Some("![the flag] is [on]")),
        ("not the flag is not on", Some("[the flag] is [on]")),
        ("the flag is set", Some("[the flag] is set")),
        (
            "it is so and not this or that",
            Some("([it is so] & ![this or that])"),
        ),
        (
            "the flag is on or this or that",
            Some("([the flag] is [on] | [this or that])"),
        ),
        ("not an end follows", Some("![an end follows]")),
        (
            "the state is between this and that identifiers",
            Some("[the state] is [between this and that identifiers]"),
        ),
        (
            "the current input character is U+0061 (a), U+0062 and it is so",
            Some("(the current input character is [U+0061 (a), U+0062] & [it is so])"),
        ),
        ("a is 1 or b is 2 and c is 3", None),
        ("nothing of the kind", None),
    ];
    for (text, expected) in cases {
        let read = read_guard(text, &questions);
        assert_eq!(read.as_deref(), expected, "{text}");
    }
}

#[test]
fn the_closest_wins_and_the_distant_is_not_offered() {
    let states = ["data", "tag open", "tag name", "end tag open"];
    assert_eq!(closest("tag opne", states), Some("tag open"));
    assert_eq!(closest("Data", states), Some("data"));
    assert_eq!(closest("bogus comment", states), None);
    assert_eq!(closest("", states), None);
    assert_eq!(closest(">", ["n", "x"]), None);
    assert_eq!(closest("N", ["n", "x"]), Some("n"));
}
