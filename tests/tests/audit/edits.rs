//! Texts that were changed: what the audit says of them.

use std::collections::BTreeSet;

use speclex_analysis::engine::InterpreterEngine;
use speclex_audit::{Audit, Finding};

use super::{html, loaded, report, text, text_of};

/// A text with one section changed.
pub(crate) fn edited(text: &str, heading: &str, from: &str, to: &str) -> String {
    let begins = format!("\n{heading}");
    let at = text
        .find(&begins)
        .unwrap_or_else(|| panic!("no section {heading}"))
        + 1;
    let (before, rest) = text.split_at(at);
    let end = rest.find("\n\n").unwrap_or(rest.len());
    let (section, after) = rest.split_at(end);
    assert!(section.contains(from), "{heading} has no {from:?}");
    format!("{before}{}{after}", section.replacen(from, to, 1))
}

/// What is to be found after a change: the kind, the state and the arm (empty for the state as a whole).
struct Change {
    table: &'static str,
    section: &'static str,
    from: &'static str,
    to: &'static str,
    kind: &'static str,
    state: &'static str,
    arm: &'static str,
}

const CHANGES: &[Change] = &[
    Change {
        table: "html-2012",
        section: "8.2.4.22 Script",
        from: "Switch to the script data escaped dash state.",
        to: "Switch to the script data escaped dash dash state.",
        kind: "another successor",
        state: "script data escaped",
        arm: "U+002D (-)",
    },
    Change {
        table: "html-2012",
        section: "8.2.4.50 Comment end",
        from: "Parse error. Switch to the comment end bang state.",
        to: "Switch to the comment end bang state.",
        kind: "a parse error more or less",
        state: "comment end",
        arm: "U+0021 (!)",
    },
    Change {
        table: "html-2014",
        section: "12.2.4.10 Tag name",
        from: "U+000C FORM FEED (FF)\n",
        to: "",
        kind: "another set of characters",
        state: "tag name",
        arm: "U+0009, U+000A, U+000C, U+0020",
    },
    Change {
        table: "html-2014",
        section: "12.2.4.13 RCDATA end tag name",
        from: "Append the current input character to the current tag token's tag name. Append the current input character to the temporary buffer.",
        to: "Append the current input character to the temporary buffer. Append the current input character to the current tag token's tag name.",
        kind: "another order of actions",
        state: "RCDATA end tag name",
        arm: "Lowercase ASCII letter",
    },
    Change {
        table: "html-2009",
        section: "8.2.4.4 Close tag open",
        from: "* U+002F SOLIDUS (/)\n",
        to: "",
        kind: "another condition of the state",
        state: "close tag open",
        arm: "",
    },
    Change {
        table: "html-living",
        section: "[13.2.5.75] Processing instruction data",
        from: "EOF -> eof-in-processing-instruction ; emit EOF ; end",
        to: "EOF -> eof-in-comment ; emit EOF ; end",
        kind: "another error code",
        state: "processing instruction data",
        arm: "EOF",
    },
    Change {
        table: "html-living",
        section: "[13.2.5.54] Before DOCTYPE name",
        from: "create DOCTYPE, name := lower(current)",
        to: "create DOCTYPE, name := current",
        kind: "another action",
        state: "before DOCTYPE name",
        arm: "ASCII upper alpha",
    },
    Change {
        table: "html-living",
        section: "[13.2.5.67] After DOCTYPE system identifier",
        from: "reconsume in bogus DOCTYPE state",
        to: "bogus DOCTYPE state",
        kind: "consumes something else",
        state: "after DOCTYPE system identifier",
        arm: "anything else",
    },
    Change {
        table: "xml5",
        section: "1.4.31. Comment state",
        from: "This is an eof-in-comment parse error.",
        to: "Parse error.",
        kind: "another error code",
        state: "comment",
        arm: "EOF",
    },
    Change {
        table: "xml5-2016",
        section: "1.3.35. Tokenizing character references",
        from: "Follow the steps below, but using ASCII digits.",
        to: "Follow the steps below, but using ASCII hex digits.",
        kind: "another set of characters",
        state: "consume a character reference, decimal character reference start",
        arm: "anything else",
    },
];

#[test]
fn a_changed_sentence_names_its_arm() {
    for change in CHANGES {
        let Some(text) = text_of(change.table) else {
            return;
        };
        let report = report(
            change.table,
            &edited(&text, change.section, change.from, change.to),
        );
        let fits = |f: &&Finding| {
            f.kind == change.kind
                && f.state.as_deref() == Some(change.state)
                && f.arm.as_deref().unwrap_or("") == change.arm
        };
        let found = report.findings.iter().find(fits);
        let finding = found
            .unwrap_or_else(|| panic!("{} {}: {}", change.table, change.section, report.render()));
        assert!(report.findings.len() <= 4, "{}", report.render());
        // The place in the table is the line of the arm, or of the state.
        let (file, line) = (finding.file.as_deref(), finding.line.expect("a place"));
        let name = file
            .and_then(|file| file.rsplit('/').next())
            .expect("a file");
        let table = speclex_tables::all()
            .iter()
            .find(|t| t.file == name)
            .expect("a table");
        let line = table.text.lines().nth(line - 1).expect("a line");
        let key = if change.arm.is_empty() {
            change.state
        } else {
            change.arm
        };
        assert!(line.trim_start().starts_with(key), "{line}");
    }
}

#[test]
fn a_handful_of_changes_are_all_named() {
    let Some(mut text) = text_of("html-2012") else {
        return;
    };
    for (section, from, to) in [
        (
            "8.2.4.10 Tag name",
            "Switch to the self-closing start tag state.",
            "Ignore the character.",
        ),
        ("8.2.4.48 Comment", "Parse error. Append", "Append"),
        (
            "8.2.4.67 Bogus DOCTYPE",
            "Emit the DOCTYPE token.",
            "Set its force-quirks flag to on. Emit the DOCTYPE token.",
        ),
        ("8.2.4.69 Tokenizing", "0x8A U+0160", "0x8A U+0161"),
        (
            "8.2.4 Tokenization",
            "must start in the data state",
            "must start in the RCDATA state",
        ),
    ] {
        text = edited(&text, section, from, to);
    }
    let report = report("html-2012", &text);
    let named: BTreeSet<String> = report
        .findings
        .iter()
        .map(|f| {
            format!(
                "{} {}: {}",
                f.state.as_deref().unwrap_or(""),
                f.arm.as_deref().unwrap_or(""),
                f.kind
            )
        })
        .collect();
    for expected in [
        "tag name U+002F (/): another successor",
        "comment U+0000: a parse error more or less",
        "bogus DOCTYPE U+003E (>): another action",
        " : numeric replacements",
        " : initial state",
    ] {
        assert!(named.contains(expected), "{expected} in {named:#?}");
    }
    println!("{}", report.render());
}

#[test]
fn states_that_come_go_and_move_are_named() {
    let Some(text) = text_of("html-living") else {
        return;
    };
    let new = "[13.2.5.85] Brand new state\nother -> - ; - ; reconsume in data state\n\n== 13.2.2";
    let with = text.replace("== 13.2.2", new);
    let found = report("html-living", &with);
    assert_eq!(found.findings.len(), 1, "{}", found.render());
    assert_eq!(found.findings[0].state.as_deref(), Some("Brand new"));
    assert!(
        found.findings[0]
            .text
            .contains("numeric character reference end")
    );

    let at = text.find("[13.2.5.76] Processing").expect("the state");
    let end = at + text[at..].find("\n\n").expect("its end");
    let without = format!("{}{}", &text[..at], &text[end..]);
    let found = report("html-living", &without);
    let kinds: BTreeSet<_> = found.findings.iter().map(|f| f.kind.as_str()).collect();
    assert!(
        kinds.contains("the table has this state, the text has not"),
        "{kinds:?}"
    );

    let moved = text.replace("[13.2.5.40]", "[13.2.5.140]");
    let found = report("html-living", &moved);
    assert_eq!(found.findings.len(), 1, "{}", found.render());
    assert_eq!(found.findings[0].kind, "another section number");
}

#[test]
fn a_sentence_that_is_not_understood_is_a_failure() {
    let Some(text) = text_of("html-2012") else {
        return;
    };
    let odd = edited(
        &text,
        "8.2.4.7 PLAINTEXT",
        "Emit an end-of-file token.",
        "Sing a song.",
    );
    let found = report("html-2012", &odd);
    let sentence = found
        .findings
        .iter()
        .find(|f| f.kind.contains("not understood"));
    assert_eq!(sentence.map(|f| f.text.as_str()), Some("Sing a song."));
    // A remark in parentheses too: it could say anything.
    let odd = edited(
        &text,
        "8.2.4.7 PLAINTEXT",
        "end-of-file token.",
        "end-of-file token. (Or two.)",
    );
    assert!(!report("html-2012", &odd).is_clean());
    // And a line of the arm notation.
    let Some(text) = text_of("html-living") else {
        return;
    };
    let odd = edited(
        &text,
        "[13.2.5.5]",
        "emit EOF ; end",
        "emit EOF twice ; end",
    );
    let found = report("html-living", &odd);
    assert!(
        found
            .findings
            .iter()
            .any(|f| f.kind.contains("not understood")),
        "{}",
        found.render()
    );
}

/// A state or an input that a text has twice, a list of arms that nothing introduces, a sentence gone.
#[test]
fn what_a_text_says_twice_or_leaves_out_is_named() {
    let Some(text) = text_of("html-2012") else {
        return;
    };
    let kinds = |table: &str, text: &str| -> BTreeSet<String> {
        report(table, text)
            .findings
            .into_iter()
            .map(|finding| finding.kind)
            .collect()
    };
    let at = text.find("8.2.4.7 PLAINTEXT").expect("the state");
    let end = at + text[at..].find("\n\n").expect("its end") + 2;
    let twice = format!("{}{}", &text[..end], &text[at..]);
    assert_eq!(
        kinds("html-2012", &twice),
        BTreeSet::from(["the text has this state twice".to_owned()])
    );
    let two = edited(&text, "8.2.4.7 PLAINTEXT", "EOF\n", "U+0000 NULL\nEOF\n");
    assert!(kinds("html-2012", &two).contains("the text has two arms for this input"));
    for (section, from) in [
        ("8.2.4.7 PLAINTEXT", "Consume the next input character:\n"),
        (
            "8.2.4 Tokenization",
            "The state machine must start in the data state. ",
        ),
        ("8.2.4.69 Tokenizing", "  Consume the U+0023 NUMBER SIGN.\n"),
        ("8.2.4.69 Tokenizing", " interpret it as a decimal number."),
        (
            "8.2.4.69 Tokenizing",
            " in the first column of the named character references table",
        ),
        ("8.2.4.35 Attribute name", " on the same token"),
    ] {
        assert!(
            !kinds("html-2012", &edited(&text, section, from, "")).is_empty(),
            "{section}: {from}"
        );
    }
    let other = edited(
        &text,
        "8.2.4.9 End tag open",
        "add 0x0020 to",
        "add 0x0030 to",
    );
    assert!(!kinds("html-2012", &other).is_empty());
    let Some(text) = text_of("html-living") else {
        return;
    };
    let other = edited(
        &text,
        "[13.2.5.82] Hexadecimal",
        "(current - 0x37)",
        "(current - 0x57)",
    );
    assert!(!kinds("html-living", &other).is_empty());
}

/// One changed successor is one finding, also where states after it say "the current token".
#[test]
fn a_change_is_not_reported_where_it_only_leads_to() {
    let Some(text) = text_of("xml5-2016") else {
        return;
    };
    let odd = edited(
        &text,
        "1.3.4. End tag state",
        "switch to the data state",
        "switch to the tag attribute value double quoted state",
    );
    let report = report("xml5-2016", &odd);
    assert_eq!(report.findings.len(), 1, "{}", report.render());
    assert_eq!(report.findings[0].arm.as_deref(), Some("U+003E (>)"));
}

/// What is no text of the table is refused, with a reason, and not found to agree.
#[test]
fn a_text_of_something_else_is_refused() {
    let why = |text: &str| {
        let loaded = loaded("html-2012");
        let mut engine = InterpreterEngine::new(&html().machine);
        Audit::new(&loaded, "the text", text, &mut engine)
            .map(|_| ())
            .expect_err("a reason")
    };
    for text in [
        "",
        "\n\n",
        "<p>Nothing",
        "Once upon a time.\n\nThe end.\n",
        "\0\u{1}\u{FFFD}",
    ] {
        assert!(why(text).contains("it has no states"), "{text:?}");
    }
    let Some(text) = text("xml5.txt") else { return };
    assert!(why(&text).contains("something else"));
}
