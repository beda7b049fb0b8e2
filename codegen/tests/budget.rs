//! What a small table can stand for is bounded: refused with its place and reason before it costs memory, and
//! what is allowed takes linear time. Counted in bytes, not in time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use speclex_codegen::diagnostic::Code;
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::{Loaded, Report, Source, load};

/// Counts what a thread asks for.
struct Counting;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.with(|bytes| bytes.set(bytes.get() + layout.size()));
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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

/// What is refused, and the bytes that it took.
fn refused(text: String) -> (Code, usize) {
    let before = BYTES.with(Cell::get);
    let report = loaded(text).expect_err("too large");
    let first = &report.diagnostics[0];
    assert!(first.line > 0 && !first.snippet.is_empty(), "{report}");
    (first.code, BYTES.with(Cell::get) - before)
}

const MIB: usize = 1 << 20;

#[test]
fn what_stands_for_too_much_is_refused_before_it_costs() {
    for (what, text) in [
        ("16 doublings", conditions(16, |i| format!("c{i} and c{i}"))),
        ("64 doublings", conditions(64, |i| format!("c{i} or c{i}"))),
        (
            "a chain of not",
            conditions(20_000, |i| format!("not c{i}")),
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
            lists(20_000, |i| format!("[parse error, c{i}]"), ""),
        ),
    ] {
        let (code, bytes) = refused(text);
        assert_eq!(code, Code::TooLarge, "{what}");
        assert!(bytes < 400 * MIB, "{what}: {} MiB", bytes / MIB);
    }
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
        let (code, bytes) = refused(text);
        assert_eq!(code, Code::TooLarge, "{what}");
        assert!(bytes < 50 * MIB, "{what}: {} MiB", bytes / MIB);
    }
}

/// Bytes to load a table and to generate its code.
fn cost(text: String) -> usize {
    let before = BYTES.with(Cell::get);
    let loaded = loaded(text).unwrap_or_else(|report| panic!("{report}"));
    drop(emit::module(&loaded.machine, &Paths::default()));
    BYTES.with(Cell::get) - before
}

/// Every second character, so that the sets of arms do not join.
fn arms(count: u32, steps: &str) -> String {
    let arms = (0..count).map(|i| format!("      U+{:04X}: {steps}\n", 0x10000 + 2 * i));
    arms.collect::<String>() + ENDS
}

#[test]
fn arms_cost_what_they_are() {
    let tables: [(&str, fn(u32) -> String); 5] = [
        ("arms", |n| head("") + "    consume:\n" + &arms(n, "stay")),
        ("arms that put back", |n| {
            let to = arms(n, "[emit the current input character, switch to data]");
            let from = arms(n, "reconsume in b");
            head("") + "    consume:\n" + &from + "  b:\n    consume:\n" + &to
        }),
        ("literals", |n| {
            let literals = (0..n).map(|i| format!("      '\"x{i:05}\"': stay\n"));
            head("") + "    consume:\n" + &literals.collect::<String>() + ENDS
        }),
        ("a set", |n| {
            let set: Vec<_> = (0..n)
                .map(|i| format!("U+{:04X}", 0x10000 + 2 * i))
                .collect();
            head("") + &format!("    consume:\n      ? '{}'\n      : stay\n", set.join(", ")) + ENDS
        }),
        ("states", |n| {
            let states = (0..n).map(|i| {
                format!("  s{i}:\n    consume:\n      U+{:04X}: switch to s{}\n      EOF: emit EOF\n      anything else: reconsume in data\n", 0x10000 + 2 * i, (i + 1) % n)
            });
            head("")
                + "    consume:\n      EOF: emit EOF\n      anything else: switch to s0\n"
                + &states.collect::<String>()
        }),
    ];
    for (what, table) in tables {
        let (one, four) = (cost(table(1000)), cost(table(4000)));
        let ratio = four as f64 / one as f64;
        assert!(
            ratio < 5.0,
            "{what}: {one} bytes for 1,000 and {four} for 4,000"
        );
    }
    // It would take minutes if time grew with the square.
    cost(head("") + "    consume:\n" + &arms(20_000, "stay"));
}
