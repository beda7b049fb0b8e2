//! Every table against the text it was made from; and what the audit says of texts and tables that were
//! changed.

use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use speclex_analysis::audit::{Audit, Finding, Report};
use speclex_analysis::engine::InterpreterEngine;
use speclex_codegen::{Loaded, Source};
use speclex_tests::{mutations, published, shared};

/// Tables and their texts.
const TEXTS: [(&str, &str); 7] = [
    ("html-2009", "html-2009.txt"),
    ("html-2012", "html-2012.txt"),
    ("html-2014", "html-whatwg-2014.txt"),
    ("html-2026-06", "html-living-2026-06-24.txt"),
    ("html-living", "html-living.txt"),
    ("xml5", "xml5.txt"),
    ("xml5-2016", "xml5-2016.txt"),
];

fn loaded(table: &str) -> Loaded {
    speclex_cli::load(table).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The table that tokenizes HTML.
fn html() -> &'static Loaded {
    static HTML: OnceLock<Loaded> = OnceLock::new();
    HTML.get_or_init(|| loaded("html-living"))
}

fn audit<'l>(loaded: &'l Loaded, name: &str, text: &str) -> Audit<'l> {
    let mut engine = InterpreterEngine::new(&html().machine);
    Audit::new(loaded, name, text, &mut engine).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// A shared text; `None`, loudly, when there is none.
fn text(name: &str) -> Option<String> {
    let path = shared("specs")?.join(name);
    Some(fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn text_of(table: &str) -> Option<String> {
    let (_, name) = TEXTS.iter().find(|(own, _)| *own == table)?;
    text(name)
}

fn report(table: &str, text: &str) -> Report {
    let loaded = loaded(table);
    audit(&loaded, "the text", text).report()
}

#[test]
fn every_table_has_a_text() {
    let tables: Vec<_> = speclex_tables::all()
        .iter()
        .map(|table| table.name)
        .collect();
    assert_eq!(tables, TEXTS.map(|(table, _)| table));
}

#[test]
fn every_table_agrees_with_its_text() {
    for (table, name) in TEXTS {
        let Some(text) = text(name) else { return };
        let loaded = loaded(table);
        let start = std::time::Instant::now();
        let report = audit(&loaded, name, &text).report();
        println!("{}", report.summary());
        assert!(report.is_clean(), "{}", report.render());
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{name} takes too long"
        );
        let states: BTreeSet<_> = loaded.machine.states.iter().map(|s| &s.origin).collect();
        assert_eq!(report.states, states.len(), "{table}");
    }
}

/// At least 99 of 100 slips are seen.
fn mutations_are_flagged(table: &str) {
    let Some(text) = text_of(table) else { return };
    let loaded = loaded(table);
    let audit = audit(&loaded, table, &text);
    assert!(audit.report().is_clean(), "{}", audit.report().render());
    let (mut all, mut missed) = (0_usize, Vec::new());
    mutations::each(&loaded.machine, &mut |mutation| {
        all += 1;
        if audit.report_on(&mutation.machine).is_clean() {
            missed.push(mutation.what.clone());
        }
    });
    println!("{table}: {} of {all} mutations flagged", all - missed.len());
    for missed in &missed {
        println!("  not flagged: {missed}");
    }
    assert!(all > 1000, "{all} mutations");
    assert!(
        missed.len() * 100 <= all,
        "{} of {all} are not flagged",
        missed.len()
    );
}

#[test]
fn mutations_of_html_2009_are_flagged() {
    mutations_are_flagged("html-2009");
}

#[test]
fn mutations_of_html_2012_are_flagged() {
    mutations_are_flagged("html-2012");
}

#[test]
fn mutations_of_html_2014_are_flagged() {
    mutations_are_flagged("html-2014");
}

#[test]
fn mutations_of_html_2026_06_are_flagged() {
    mutations_are_flagged("html-2026-06");
}

#[test]
fn mutations_of_html_living_are_flagged() {
    mutations_are_flagged("html-living");
}

#[test]
fn mutations_of_xml5_are_flagged() {
    mutations_are_flagged("xml5");
}

#[test]
fn mutations_of_xml5_2016_are_flagged() {
    mutations_are_flagged("xml5-2016");
}

/// The published layout, with its own headings and lists, says what the arm notation says.
#[test]
fn the_published_layout_is_read() {
    let Some(text) = text("html-living.txt") else {
        return;
    };
    let page = published::page(&text);
    let report = report("html-living", &page);
    println!("{}", report.summary());
    assert_eq!(report.layout, "HTML");
    assert!(report.is_clean(), "{}", report.render());
    assert_eq!(report.states, 84);
    // Where the notation has two lines for one input, the page has one entry with two cases.
    assert!(report.arms > 340, "{} arms", report.arms);
    // A page for the older text differs where the text does.
    let older =
        published::page(&self::text("html-living-2026-06-24.txt").expect("it is beside the other"));
    let report = self::report("html-living", &older);
    let states: BTreeSet<_> = report
        .findings
        .iter()
        .filter_map(|f| f.state.clone())
        .collect();
    for state in [
        "tag open",
        "processing instruction data",
        "numeric character reference",
    ] {
        assert!(states.contains(state), "{state} in {states:?}");
    }
    assert!(!states.contains("comment end bang"), "{states:?}");
}

/// A text with one section changed.
fn edited(text: &str, heading: &str, from: &str, to: &str) -> String {
    let at = text
        .find(heading)
        .unwrap_or_else(|| panic!("no section {heading}"));
    let (before, rest) = text.split_at(at);
    let end = rest.find("\n\n").unwrap_or(rest.len());
    let (section, after) = rest.split_at(end);
    assert!(section.contains(from), "{heading} has no {from:?}");
    format!("{before}{}{after}", section.replacen(from, to, 1))
}

/// What is to be found after a change: the kind, the state and the arm.
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
        kind: "a parse error more or less",
        state: "close tag open",
        arm: "anything else",
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
                && f.arm.as_deref() == Some(change.arm)
        };
        let found = report.findings.iter().find(fits);
        let finding = found
            .unwrap_or_else(|| panic!("{} {}: {}", change.table, change.section, report.render()));
        assert!(report.findings.len() <= 4, "{}", report.render());
        // The place in the table is the arm's line.
        let (file, line) = (finding.file.as_deref(), finding.line.expect("a place"));
        let name = file
            .and_then(|file| file.rsplit('/').next())
            .expect("a file");
        let table = speclex_tables::all()
            .iter()
            .find(|t| t.file == name)
            .expect("a table");
        let line = table.text.lines().nth(line - 1).expect("a line");
        assert!(line.trim_start().starts_with(change.arm), "{line}");
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

/// A shipped table with a change.
fn changed(table: &str, from: &str, to: &str) -> Loaded {
    let shipped = speclex_tables::get(table).expect("a table");
    assert!(shipped.text.contains(from), "{table} has no {from:?}");
    let loaded = loaded(table);
    let source = |name: &str, text: String| Source {
        name: name.to_owned(),
        text,
    };
    let base = |name: &str| {
        let base = speclex_tables::get(name)?;
        Some(source(base.file, base.text.to_owned()))
    };
    let references = loaded.machine.references;
    let text = shipped.text.replacen(from, to, 1);
    speclex_codegen::load(source(shipped.file, text), &base, &|_| {
        Some(references.clone())
    })
    .unwrap_or_else(|report| panic!("{}", report.render(false)))
}

#[test]
fn what_the_table_says_of_the_text_must_hold() {
    let Some(text) = text_of("xml5") else { return };
    for (from, to, kind) in [
        // An erratum for what does not stand there.
        (
            "says: Emit the start tag token\n",
            "says: Emit the last tag token\n",
            "stale erratum",
        ),
        // One that reads the same.
        (
            "reads: Switch to CDATA state.",
            "reads: Switch to CDATA bracket state.",
            "stale erratum",
        ),
        // One that is missing.
        (
            "        reads: Emit the current token\n",
            "",
            "another action",
        ),
        // A character that is named in two ways, without a word on it.
        (
            "        says: U+0065 LATIN SMALL LETTER E (E), U+0073 LATIN SMALL LETTER S (S)\n",
            "        says: The capital glyphs.\n",
            "a character that is named in two ways",
        ),
        // A remark on no sentence.
        (
            "  \"At least for null?\"",
            "  \"At most for null?\"",
            "stale remark",
        ),
    ] {
        let loaded = changed("xml5", from, to);
        let report = audit(&loaded, "the text", &text).report();
        let kinds: BTreeSet<_> = report.findings.iter().map(|f| f.kind.as_str()).collect();
        assert!(kinds.contains(kind), "{from}: {kinds:?}");
    }
}

/// A text that no table is made from, but for which the differences from one are known: states that the
/// list in `html-living-delta.md` does not name differ in nothing but the names of errors.
#[test]
fn the_w3c_text_differs_where_the_list_says() {
    let Some(text) = text("html-w3c-5.3.txt") else {
        return;
    };
    let report = report("html-2026-06", &text);
    println!("{}", report.summary());
    let states: BTreeSet<&str> = report
        .findings
        .iter()
        .filter(|f| {
            !matches!(
                f.kind.as_str(),
                "another error code" | "another section number"
            )
        })
        .filter_map(|f| f.state.as_deref())
        .collect();
    let listed = BTreeSet::from([
        "Character reference end",
        "DOCTYPE",
        "ambiguous ampersand",
        "bogus DOCTYPE",
        "bogus comment",
        "character reference",
        "named character reference",
        "numeric character reference end",
    ]);
    assert_eq!(states, listed);
}

#[test]
fn a_report_is_for_programs_too() {
    let Some(text) = text_of("html-living") else {
        return;
    };
    let odd = edited(&text, "[13.2.5.5]", "EOF -> -", "EOF -> eof-in-tag");
    let json = serde_json::to_value(report("html-living", &odd)).expect("a value");
    let finding = &json["findings"][0];
    assert_eq!(finding["state"], "PLAINTEXT");
    assert_eq!(finding["arm"], "EOF");
    assert_eq!(json["states"], 84);
}
