//! Every table against the text it was made from; and what the audit says of texts and tables that were
//! changed.

mod edits;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;

use speclex_analysis::engine::InterpreterEngine;
use speclex_audit::{Audit, Report};
use speclex_codegen::{Loaded, Source};
use speclex_tests::{mutations, published_arms, published_prose, shared, workspace};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The text of a table, among the shared texts.
fn text_name(table: &str) -> String {
    loaded(table).text.expect("the name of a text")
}

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
    text(&text_name(table))
}

fn report(table: &str, text: &str) -> Report {
    let loaded = loaded(table);
    audit(&loaded, "the text", text).report()
}

#[test]
fn every_table_agrees_with_its_text() {
    let page = fs::read_to_string(workspace().join("docs/conformance.md")).expect("a README");
    for table in speclex_tables::all() {
        let table = table.name;
        let name = text_name(table);
        let Some(text) = text(&name) else { return };
        let loaded = loaded(table);
        let report = audit(&loaded, &name, &text).report();
        let summary = report.summary();
        println!("{summary}");
        assert!(
            page.contains(&summary),
            "docs/conformance.md lacks\n{summary}"
        );
        assert!(report.is_clean(), "{}", report.render());
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
    mutations::each(&loaded.machine, &mut |what, machine| {
        all += 1;
        if audit.report_on(machine).is_clean() {
            missed.push(what.to_owned());
        }
    });
    let flagged = all - missed.len();
    let share = 100.0 * flagged as f64 / all as f64;
    println!("{table}: {flagged} of {all} mutations flagged, {share:.2} %");
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
#[ignore = "takes seconds; .ci/run runs it"]
fn mutations_of_html_2009_are_flagged() {
    mutations_are_flagged("html-2009");
}

#[test]
#[ignore = "takes seconds; .ci/run runs it"]
fn mutations_of_html_2012_are_flagged() {
    mutations_are_flagged("html-2012");
}

#[test]
fn mutations_of_html_2014_are_flagged() {
    mutations_are_flagged("html-2014");
}

#[test]
#[ignore = "takes seconds; .ci/run runs it"]
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
#[ignore = "takes seconds; .ci/run runs it"]
fn mutations_of_xml5_2016_are_flagged() {
    mutations_are_flagged("xml5-2016");
}

/// The published layout, with its own headings and lists, says what the arm notation says.
#[test]
fn the_published_layout_is_read() {
    let Some(text) = text("html-living.txt") else {
        return;
    };
    let page = published_arms::page_of_arms(&text);
    let report = report("html-living", &page);
    println!("{}", report.summary());
    assert_eq!(report.layout, "HTML");
    assert!(report.is_clean(), "{}", report.render());
    assert_eq!(report.states, 84);
    // Where the notation has two lines for one input, the page has one entry with two cases.
    assert!(report.arms > 340, "{} arms", report.arms);
    // A page for the older text differs where the text does.
    let older = published_arms::page_of_arms(
        &self::text("html-living-2026-06-24.txt").expect("it is beside the other"),
    );
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

/// The published layout with the sentences of the texts themselves.
#[test]
fn english_in_the_published_layout_is_read() {
    for table in ["html-2012", "html-2014", "xml5", "xml5-2016"] {
        let Some(text) = text_of(table) else { return };
        let report = report(table, &published_prose::page_of_prose(&text));
        println!("{}", report.summary());
        assert_eq!(report.layout, "HTML");
        assert!(report.is_clean(), "{}", report.render());
    }
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

/// A text that no table is made from, but for which the differences from one are known, with their reasons:
/// they are those of `html-living-delta.md`, part A, but for rows that it calls the same.
const W3C: &[(&str, &[&str])] = &[
    (
        "no arm for EOF: the end is taken as anything else",
        &["tag open"],
    ),
    (
        "`>` is reconsumed, not emitted",
        &["before attribute value"],
    ),
    ("NULL is no error", &["bogus comment", "bogus DOCTYPE"]),
    (
        "`[CDATA[` in HTML content is not consumed",
        &["markup declaration open"],
    ),
    ("`>` has no arm of its own", &["DOCTYPE"]),
    (
        "anything else is consumed on the way to the bogus DOCTYPE state",
        &[
            "after DOCTYPE name",
            "after DOCTYPE public keyword",
            "before DOCTYPE public identifier",
            "after DOCTYPE public identifier",
            "between DOCTYPE public and system identifiers",
            "after DOCTYPE system keyword",
            "before DOCTYPE system identifier",
            "after DOCTYPE system identifier",
        ],
    ),
    (
        "named references are part of it",
        &[
            "character reference",
            "named character reference",
            "ambiguous ampersand",
        ],
    ),
    (
        "references end in a state of their own",
        &[
            "Character reference end",
            "hexadecimal character reference start",
            "decimal character reference start",
            "numeric character reference end",
        ],
    ),
];

#[test]
fn the_w3c_text_differs_where_the_list_says() {
    let Some(text) = text("html-w3c-5.3.txt") else {
        return;
    };
    let report = report("html-2026-06", &text);
    println!("{}", report.summary());
    // Its sections have other numbers, its errors no names, and the errata quote what the table is made from.
    let expected = [
        "another error code",
        "another section number",
        "stale erratum",
    ];
    let states: BTreeSet<&str> = report
        .findings
        .iter()
        .filter(|f| !expected.contains(&f.kind.as_str()))
        .filter_map(|f| f.state.as_deref())
        .collect();
    let listed: BTreeSet<&str> = W3C
        .iter()
        .flat_map(|(_, states)| states.iter().copied())
        .collect();
    assert_eq!(states, listed);
}

#[test]
fn a_report_is_for_programs_too() {
    let Some(text) = text_of("html-living") else {
        return;
    };
    let odd = edits::edited(&text, "[13.2.5.5]", "EOF -> -", "EOF -> eof-in-tag");
    let json = serde_json::to_value(report("html-living", &odd)).expect("a value");
    let finding = &json["findings"][0];
    assert_eq!(finding["state"], "PLAINTEXT");
    assert_eq!(finding["arm"], "EOF");
    assert_eq!(json["states"], 84);
}
