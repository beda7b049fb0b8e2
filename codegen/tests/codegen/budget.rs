//! What a small table can stand for is bounded: refused with its place and reason before it costs memory, and
//! what is allowed takes linear time. There is no clock here: sizes are such that anything else would take minutes,
//! or more memory than there is.

use speclex_codegen::diagnostic::Code;
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::{Loaded, Report, Severity, Source, load};

fn head(more: &str) -> String {
    format!(
        "table: t\ntitle: T\nvocabulary: {{tokens: {{x: {{a: text}}}}}}\nentry states: {{data: data}}\n{more}states:\n  data:\n"
    )
}

const ENDS: &str = "      EOF: emit EOF\n      anything else: emit the current input character\n";

/// A chain of definitions, each of which names the one before.
fn chain(count: usize, of: impl Fn(usize) -> String) -> String {
    (1..=count)
        .map(|i| format!("  c{i}: {}\n", of(i - 1)))
        .collect()
}

fn conditions(count: usize, of: impl Fn(usize) -> String) -> String {
    let more = format!(
        "registers: {{r: number}}\nconditions:\n  c0: the r is 1\n{}",
        chain(count, of)
    );
    head(&more)
        + "    consume:\n      EOF: emit EOF\n      anything else:\n"
        + &format!("        if c{count}: parse error\n        otherwise: stay\n")
}

fn lists(count: usize, of: impl Fn(usize) -> String, leaving: &str) -> String {
    let more = format!("procedures:\n  c0: [parse error]\n{}", chain(count, of));
    head(&more)
        + leaving
        + &format!("    consume:\n      EOF: emit EOF\n      anything else: c{count}\n")
}

fn loaded(text: String) -> Result<Loaded, Report> {
    let name = "table.yaml".to_owned();
    load(Source { name, text }, &|_| None, &|_| None)
}

/// Why a text is refused, which is said with its place.
fn refused(text: String) -> Code {
    let report = loaded(text).expect_err("too large");
    let mut errors = report.diagnostics.iter();
    let first = errors.find(|it| it.severity == Severity::Error);
    let first = first.expect("an error");
    assert!(first.line > 0 && !first.snippet.is_empty(), "{report}");
    first.code
}

#[test]
fn what_stands_for_too_much_is_refused_before_it_costs() {
    for (what, text) in [
        ("16 doublings", conditions(16, |i| format!("c{i} and c{i}"))),
        ("64 doublings", conditions(64, |i| format!("c{i} or c{i}"))),
        (
            "a chain of not",
            conditions(19_000, |i| format!("not c{i}")),
        ),
        ("lists", lists(24, |i| format!("[c{i}, c{i}]"), "")),
        (
            "more lists",
            lists(
                64,
                |i| format!("[c{i}, c{i}, c{i}]"),
                "    leaving: parse error\n",
            ),
        ),
        (
            "a chain of lists",
            lists(19_000, |i| format!("[parse error, c{i}]"), ""),
        ),
        ("too many names", registers(20_001)),
    ] {
        assert_eq!(refused(text), Code::TooLarge, "{what}");
    }
    if let Err(report) = loaded(registers(20_000)) {
        panic!("{report}");
    }
}

fn registers(count: usize) -> String {
    let names: String = (0..count).map(|i| format!("  r{i}: number\n")).collect();
    head(&format!("registers:\n{names}")) + "    consume:\n" + ENDS
}

#[test]
fn deep_nesting_is_refused_before_the_yaml_library_sees_it() {
    for (what, text) in [
        ("[", "states: ".to_owned() + &"[".repeat(40_000)),
        (
            "[]",
            "states: ".to_owned() + &"[".repeat(40_000) + &"]".repeat(40_000),
        ),
        ("{", "states: ".to_owned() + &"{a: ".repeat(40_000)),
        (
            "[{",
            "states:\n  - - a\n    - ".to_owned() + &"[{b: ".repeat(40_000),
        ),
        (
            "behind a key",
            "a [: b\n\"c\": ".to_owned() + &"[".repeat(40_000),
        ),
        ("-", "states:\n".to_owned() + &"- ".repeat(20_000)),
    ] {
        assert_eq!(refused(text), Code::TooLarge, "{what}");
    }
}

fn generate(text: String) {
    let loaded = loaded(text).unwrap_or_else(|report| panic!("{report}"));
    drop(emit::module(&loaded.machine, &Paths::default()));
}

/// Every second character, so that the sets of arms do not join.
fn arms(count: u32, steps: &str) -> String {
    let arms = (0..count).map(|i| format!("      U+{:04X}: {steps}\n", 0x10000 + 2 * i));
    arms.collect::<String>() + ENDS
}

#[test]
#[ignore = "takes a quarter of a minute; .ci/run runs it"]
fn arms_cost_what_they_are() {
    let tables: [fn(u32) -> String; 5] = [
        (|n| head("") + "    consume:\n" + &arms(n, "stay")),
        (|n| {
            let to = arms(n, "[emit the current input character, switch to data]");
            let from = arms(n, "reconsume in b");
            head("") + "    consume:\n" + &from + "  b:\n    consume:\n" + &to
        }),
        (|n| {
            let literals = (0..n).map(|i| format!("      '\"x{i:05}\"': stay\n"));
            head("") + "    consume:\n" + &literals.collect::<String>() + ENDS
        }),
        (|n| {
            let set: Vec<_> = (0..n)
                .map(|i| format!("U+{:04X}", 0x10000 + 2 * i))
                .collect();
            head("") + &format!("    consume:\n      ? '{}'\n      : stay\n", set.join(", ")) + ENDS
        }),
        (|n| {
            let states = (0..n).map(|i| {
                format!("  s{i}:\n    consume:\n      U+{:04X}: switch to s{}\n      EOF: emit EOF\n      anything else: reconsume in data\n", 0x10000 + 2 * i, (i + 1) % n)
            });
            head("")
                + "    consume:\n      EOF: emit EOF\n      anything else: switch to s0\n"
                + &states.collect::<String>()
        }),
    ];
    for table in tables {
        generate(table(20_000));
    }
}
