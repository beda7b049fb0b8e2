//! Whatever the text, loading ends with a machine or a report, and never panics.
//!
//! Every table of the other tests is changed at random, from a fixed seed.

use crate::support;
use cpu_time::ThreadTime;
use speclex_codegen::{Report, Severity, Source};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a table is changed that has faults already, and one that is sound.
const ROUNDS: [u32; 2] = [100, 1000];

/// The CPU time that a long table takes at most: a hundred times what it takes, so that only a quadratic step exceeds it.
const MOST: Duration = Duration::from_secs(20);

fn tables(folders: &[&str], file: &str) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut tables: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(tests.join(folder)).expect("a folder of cases"))
        .map(|case| case.expect("a case").path().join(file))
        .collect();
    tables.sort();
    tables
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let limit = u64::try_from(limit.max(1)).expect("a small limit");
        usize::try_from(self.0 % limit).expect("a small number")
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        from.get(self.below(from.len())).copied()
    }
}

/// What is put into texts: what YAML, sets, phrases and names are made of.
const BITS: &[&str] = &[
    "",
    " ",
    "\n",
    "\t",
    ": ",
    ":",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!",
    ">",
    "|",
    "~",
    "U+",
    "U+0000",
    "U+D800",
    "U+110000",
    " to ",
    "except ",
    "EOF",
    "anything else",
    "if ",
    "otherwise",
    "otherwise if ",
    "and ",
    "or ",
    "not ",
    "is ",
    "the ",
    "a ",
    "first",
    "leaving: ",
    "steps: ",
    "consume: ",
    "look ahead: ",
    "removed",
    "switch to ",
    "reconsume in ",
    "emit ",
    "append ",
    "set ",
    "return nothing",
    "as anything else",
    "consume it",
    "attempt to ",
    "switch back",
    "0x",
    "99999999999999999999",
    "-1",
    "1.5",
    "true",
    "null",
    "é",
    "\u{2028}",
    "\u{feff}",
    "🦀",
    "\0",
    "\\",
    "%",
    "@",
    "`",
    "---\n",
    "...\n",
];

fn change(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let line = random.below(lines.len());
    let edge = |at: usize| {
        (0..=at)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0)
    };
    match random.below(9) {
        0 => {
            changed.remove(line);
        }
        1 => changed.insert(random.below(lines.len()), lines[line].to_owned()),
        2 => changed.swap(line, random.below(lines.len())),
        3 => return text[..edge(random.below(text.len()))].to_owned(),
        4 => {
            let (a, b) = (
                edge(random.below(text.len())),
                edge(random.below(text.len())),
            );
            return format!("{}{}", &text[..a.min(b)], &text[a.max(b)..]);
        }
        5 => {
            let words: Vec<&str> = lines[line].split(' ').collect();
            let others: Vec<&str> = text.split_whitespace().collect();
            let at = random.below(words.len());
            let other = random.pick(&others).unwrap_or_default();
            let words = words.iter().enumerate();
            let words: Vec<&str> = words
                .map(|(i, w)| if i == at { other } else { w })
                .collect();
            changed[line] = words.join(" ");
        }
        6 => changed[line].insert_str(0, "  "),
        7 => changed[line] = lines[line].strip_prefix("  ").unwrap_or("").to_owned(),
        _ => {
            let at = edge(random.below(text.len()));
            let bit = random.pick(BITS).unwrap_or_default();
            return format!("{}{bit}{}", &text[..at], &text[at..]);
        }
    }
    changed.join("\n") + "\n"
}

#[test]
fn no_change_of_a_table_panics() {
    let load = |source, path: &Path| support::load_beside(source, path).map(drop);
    let (loaded, refused) = change_all(&tables(&["diagnostics", "lowering"], "table.yaml"), load);
    assert!(loaded > 500 && refused > 500, "the changes try both");
}

#[test]
fn no_change_of_a_table_of_tree_construction_panics() {
    let load = |source, path: &Path| support::load_tree_beside(source, path).map(drop);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree");
    let shipped = "../../../spec-tables/xml5-tree";
    let tables =
        ["sound", "base", "extending", shipped].map(|name| folder.join(format!("{name}.yaml")));
    let (loaded, refused) = change_all(&tables, load);
    assert!(loaded > 100 && refused > 500, "the changes try both");
}

/// Changes tables and loads them; how many are sound and how many refused.
fn change_all(
    tables: &[PathBuf],
    load: impl Fn(Source, &Path) -> Result<(), Report>,
) -> (usize, usize) {
    let mut random = Random(0x5EED_5EED_5EED_5EED);
    let (mut loaded, mut refused) = (0, 0);
    for table in tables {
        let original = fs::read_to_string(table).expect("a table");
        // The one that is all faults says nothing new.
        if original.lines().count() > 1000 {
            println!("skipped: {}", table.display());
            continue;
        }
        let source = |text: &str| Source {
            name: "table.yaml".to_owned(),
            text: text.to_owned(),
        };
        let sound = load(source(&original), table).is_ok();
        for _ in 0..ROUNDS[usize::from(sound)] {
            let mut text = original.clone();
            for _ in 0..=random.below(2) {
                if !text.is_empty() {
                    text = change(&text, &mut random);
                }
            }
            let source = source(&text);
            match catch_unwind(AssertUnwindSafe(|| load(source, table))) {
                Ok(Ok(())) => loaded += 1,
                Ok(Err(report)) => {
                    refused += 1;
                    assert!(report.count(Severity::Error) > 0, "no reason:\n{text}");
                    assert!(!report.render(true).is_empty());
                }
                Err(_) => panic!("this panics:\n{text}"),
            }
        }
    }
    println!("{loaded} loaded, {refused} refused");
    (loaded, refused)
}

#[test]
fn depth_and_length_are_no_danger() {
    let head = "table: deep\nvocabulary: markup\nentry states: {data: data}\n";
    let data = "  data:\n    consume:\n      EOF: emit EOF\n      anything else: stay\n";
    let arm = |steps: &str| {
        format!(
            "{head}states:\n  data:\n    consume:\n      EOF: emit EOF\n      anything else: {steps}\n"
        )
    };
    let condition = |guard: &str| {
        format!(
            "{head}registers: {{number: number}}\nconditions: {{it is so: {guard}}}\n{}",
            &arm("[if it is so: stay]")[head.len()..]
        )
    };
    let many =
        |count: usize, one: &dyn Fn(usize) -> String| -> String { (0..count).map(one).collect() };
    let texts = [
        arm(&("[".repeat(5000) + &"]".repeat(5000))),
        condition(&format!(
            "{}CDATA sections are allowed",
            "not ".repeat(100_000)
        )),
        condition(&format!(
            "{}CDATA sections are allowed",
            "CDATA sections are allowed and ".repeat(20_000)
        )),
        condition(&format!("the number is {}2", "1 or ".repeat(50_000))),
        arm(&format!(
            "[{}stay]",
            "if CDATA sections are allowed: {".repeat(100)
        )),
        arm(&format!(
            "\n{}",
            many(5000, &|i| format!(
                "        - if the next input character is U+{:04X}: parse error\n",
                i + 32
            ))
        )),
        arm(&format!(
            "\n        - if CDATA sections are allowed: stay\n{}",
            many(5000, &|_| {
                "        - otherwise if CDATA sections are allowed: stay\n".to_owned()
            })
        )),
        arm(&format!("[{}]", "parse error, ".repeat(50_000))),
        format!(
            "{head}conditions:\n{}states:\n{data}",
            many(5000, &|i| format!("  c{i}: c{}\n", i + 1))
        ),
        format!(
            "{head}classes:\n  c0: ASCII\n{}states:\n{data}",
            many(3000, &|i| format!("  c{}: c{i}\n", i + 1))
        ),
        format!(
            "{head}procedures:\n{}states:\n{data}",
            many(3000, &|i| format!("  p{i}: [p{}]\n", i + 1))
        ),
        format!(
            "{head}states:\n{data}{}",
            many(2000, &|i| format!(
                "  s{i}:\n    steps: [switch to s{}]\n",
                (i + 1) % 2000
            ))
        ),
        format!(
            "{head}states:\n{data}{}",
            many(3000, &|_| "  data: ~\n".to_owned())
        ),
    ];
    for text in texts {
        let started = ThreadTime::now();
        let source = Source {
            name: "table.yaml".to_owned(),
            text: text.clone(),
        };
        let result = support::load_beside(source, Path::new("table.yaml"));
        let shown: String = text.chars().skip(head.len()).take(80).collect();
        println!(
            "{:?} {:?}: {shown:?}",
            started.elapsed(),
            result.map(|_| ()).map_err(|r| r.diagnostics.len())
        );
        assert!(started.elapsed() < MOST, "too slow: {shown}");
    }
}

#[test]
fn long_tables_of_tree_construction_are_no_danger() {
    let many =
        |count: usize, one: &dyn Fn(usize) -> String| -> String { (0..count).map(one).collect() };
    let head = "tree: long\ntokenizer: markup\ninitial insertion mode: p0\nvariables: {stack: stack of elements}\ninsertion modes:\n";
    let last = "end-of-file: stop parsing, anything else: ignore the token}\n";
    let guard = "the stack is empty";
    let texts = [
        format!(
            "{head}{}  p5000: {{{last}",
            many(5000, &|i| format!(
                "  p{i}: {{comment: reprocess the token in p{}, {last}",
                i + 1
            ))
        ),
        format!(
            "{head}{}  p5000: {{comment: reprocess the token in p0, {last}",
            many(5000, &|i| format!(
                "  p{i}: {{comment: reprocess the token in p{}, {last}",
                i + 1
            ))
        ),
        format!(
            "{head}  p0:\n    end-of-file: stop parsing\n    anything else:\n      - if {guard}: ignore the token\n{}",
            many(20_000, &|_| format!(
                "      - otherwise if {guard}: parse error\n"
            ))
        ),
        format!(
            "{head}  p0: {{end-of-file: stop parsing, anything else: [{}parse error]}}\n",
            "parse error, ".repeat(50_000)
        ),
        format!(
            "{head}  p0:\n    ? {}comment\n    : ignore the token\n",
            "comment; ".repeat(2_000)
        ),
        // Procedures in a row, and each with twice the steps of the next.
        format!(
            "{head}  p0: {{{last}procedures:\n{}  q5000: parse error\n",
            many(5000, &|i| format!("  q{i}: [q{}]\n", i + 1))
        ),
        format!(
            "{head}  p0: {{{last}procedures:\n{}  q40: parse error\n",
            many(40, &|i| format!("  q{i}: [q{0}, q{0}]\n", i + 1))
        ),
    ];
    for text in texts {
        let started = ThreadTime::now();
        let source = Source {
            name: "tree.yaml".to_owned(),
            text: text.clone(),
        };
        let result = support::load_tree_beside(source, Path::new("tree.yaml"));
        let result = result.map(drop).map_err(|r| r.diagnostics.len());
        let shown: String = text.chars().skip(head.len()).take(80).collect();
        println!("{:?} {result:?}: {shown:?}", started.elapsed());
        assert!(started.elapsed() < MOST, "too slow: {shown}");
    }
}
