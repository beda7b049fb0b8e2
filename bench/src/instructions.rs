//! Instructions, counted by callgrind: the same on every run of the same program, so that a budget can
//! guard against regressions. The budget is checked in; it holds for one compiler and one corpus.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::cargo;
use crate::contender::Contender;
use crate::corpus::{Corpus, load};
use crate::ours::{self, style};
use crate::survey;
use crate::table::{self, Table};

/// A count above the budget by more than this part is a regression.
const SLACK: f64 = 0.01;

/// The sample of a class is every eighth document.
const EVERY: usize = 8;

/// What is counted: a revision, a style, a class.
const COUNTED: [(&str, &str, &str); 20] = [
    ("html-living", style::BORROWED, "web"),
    ("html-living", style::BORROWED, "docs"),
    ("html-living", style::BORROWED, "intl"),
    ("html-living", style::MARKUP, "docs"),
    ("html-living", style::PARSE_ERRORS, "docs"),
    ("html-living", style::CHUNKS, "docs"),
    ("html-living", style::BYTES, "docs"),
    ("html-living", style::COLLECTED, "docs"),
    ("html-living", style::COLLECTED_CHUNKS, "docs"),
    ("html-living", style::ITERATOR, "web"),
    ("html-living", style::ITERATOR, "docs"),
    ("html-2026-06", style::BORROWED, "docs"),
    ("html-2014", style::BORROWED, "docs"),
    ("html-2012", style::BORROWED, "docs"),
    ("html-2009", style::BORROWED, "docs"),
    ("xml5", style::BORROWED, "xml"),
    ("xml5-2016", style::BORROWED, "xml"),
    ("html-2014", survey::STYLE, "web"),
    ("html-2014", survey::STYLE, "docs"),
    ("html-2014", survey::STYLE, "intl"),
];

/// One count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    contender: String,
    class: String,
    bytes: u64,
    instructions: u64,
}

impl Count {
    pub(crate) const fn instructions(&self) -> u64 {
        self.instructions
    }

    pub(crate) fn per_byte(&self) -> f64 {
        self.instructions as f64 / self.bytes as f64
    }
}

/// Counts, and compares with the budget or makes it anew. Exits with 1 when something needs more than its budget or has
/// none; says loudly when nothing could be counted.
///
/// # Errors
/// When callgrind or the budget's file cannot be used.
pub fn check(bless: bool) -> io::Result<ExitCode> {
    let compiler = compiler()?;
    let budget = fs::read_to_string(path()).unwrap_or_default();
    let (made_with, budget) = parse(&budget)?;
    let mut skipped = None;
    if !has_valgrind() {
        skipped = Some("there is no `valgrind`".to_owned());
    } else if !bless && made_with != compiler {
        skipped = Some(format!("the budget is for {made_with}, this is {compiler}"));
    }
    if let Some(reason) = skipped {
        println!("SKIPPED, NO INSTRUCTION WAS COUNTED: {reason}");
        return Ok(ExitCode::SUCCESS);
    }
    let counts = COUNTED
        .iter()
        .map(|(revision, style, class)| count(ours::name(revision, style), class, EVERY))
        .collect::<io::Result<Vec<_>>>()?;
    println!("{}", table(&counts, &budget));
    if bless {
        fs::write(path(), render(&compiler, &counts))?;
        println!("this is the budget now");
        return Ok(ExitCode::SUCCESS);
    }
    if counts.iter().all(|count| verdict(count, &budget).is_ok()) {
        println!("within the budget");
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "the budget of instructions is not met. If the change is worth it: \
         cargo xtask bench --instructions --bless"
    );
    Ok(ExitCode::from(1))
}

pub(crate) fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

fn budget_of<'a>(count: &Count, budget: &'a [Count]) -> Option<&'a Count> {
    let same = |budget: &&Count| budget.contender == count.contender && budget.class == count.class;
    budget.iter().find(same)
}

/// The part by which the count is above the budget.
fn excess(count: &Count, budget: &Count) -> f64 {
    count.per_byte() / budget.per_byte() - 1.0
}

/// A sample of a class: each document whose number is a multiple of `every`.
///
/// # Errors
/// When there is no such class.
pub fn sample(class: &str, every: usize) -> io::Result<Corpus> {
    let mut corpus = load(class)?;
    corpus.documents = corpus.documents.into_iter().step_by(every).collect();
    Ok(corpus)
}

/// Callgrind counts only inside this function: `count` gives it the name.
///
/// # Errors
/// When the contender fails.
#[inline(never)]
pub fn measured(contender: &mut Contender) -> io::Result<()> {
    contender.run(1).map(|_| ())
}

pub(crate) fn count(contender: String, class: &str, every: usize) -> io::Result<Count> {
    let out = cargo::target()?.join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args([
            "--tool=callgrind",
            "--toggle-collect=*instructions*measured*",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe()?)
        .args(["once", &contender, class, &every.to_string()]);
    cargo::output(&mut valgrind)?;
    let text = fs::read_to_string(&out)?;
    let summary = text
        .lines()
        .find_map(|line| line.strip_prefix("summary: "))
        .and_then(|number| number.trim().parse().ok());
    Ok(Count {
        contender,
        class: class.to_owned(),
        bytes: sample(class, every)?.bytes() as u64,
        instructions: summary.ok_or_else(|| io::Error::other("callgrind wrote no summary"))?,
    })
}

/// `rustc 1.95.0`, without commit and date.
fn compiler() -> io::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = cargo::output(Command::new(rustc).arg("--version"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<_> = text.split_whitespace().take(2).collect();
    Ok(words.join(" "))
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.tsv")
}

/// The budget's file: comments, the compiler, then a line for each count.
fn render(compiler: &str, counts: &[Count]) -> String {
    let mut text = format!(
        "# Instructions by callgrind; at most {:.0} % more is accepted. Made by\n\
         # `cargo xtask bench --instructions --bless`: run it when a change is worth what it costs.\n\
         # contender\tclass\tbytes of the sample\tinstructions\n{compiler}\n",
        SLACK * 100.0
    );
    for count in counts {
        let (contender, class) = (&count.contender, &count.class);
        let (bytes, instructions) = (count.bytes, count.instructions);
        text += &format!("{contender}\t{class}\t{bytes}\t{instructions}\n");
    }
    text
}

fn parse(text: &str) -> io::Result<(String, Vec<Count>)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let compiler = lines.next().unwrap_or("no compiler").to_owned();
    let counts = lines.map(|line| {
        let malformed = || io::Error::other(format!("{}: `{line}`", path().display()));
        let words: Vec<_> = line.split('\t').collect();
        let [contender, class, bytes, instructions] = words[..] else {
            return Err(malformed());
        };
        let number = |word: &str| word.parse().map_err(|_| malformed());
        Ok(Count {
            contender: contender.to_owned(),
            class: class.to_owned(),
            bytes: number(bytes)?,
            instructions: number(instructions)?,
        })
    });
    Ok((compiler, counts.collect::<io::Result<_>>()?))
}

fn table(counts: &[Count], budget: &[Count]) -> Table {
    let row = |count: &Count| {
        let (Ok(verdict) | Err(verdict)) = verdict(count, budget);
        let budget = budget_of(count, budget);
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        vec![
            count.contender.clone(),
            count.class.clone(),
            table::count(count.bytes),
            format!("{:.3}", count.per_byte()),
            or_none(budget.map(|budget| format!("{:.3}", budget.per_byte()))),
            or_none(budget.map(|budget| format!("{:+.1} %", 100.0 * excess(count, budget)))),
            verdict.to_owned(),
        ]
    };
    Table {
        heading: format!("Instructions for a byte (every {EVERY}th document)"),
        titles: vec![
            "contender",
            "class",
            "bytes",
            "instructions",
            "budget",
            "change",
            "verdict",
        ],
        rows: counts.iter().map(row).collect(),
    }
}

/// The word for the table: an error when the budget is not met.
fn verdict(count: &Count, budget: &[Count]) -> Result<&'static str, &'static str> {
    match budget_of(count, budget) {
        None => Err("no budget"),
        Some(budget) if budget.bytes != count.bytes => Err("other documents"),
        Some(budget) => match excess(count, budget) {
            excess if excess > SLACK => Err("EXCEEDED"),
            excess if excess < -SLACK => Ok("less: bless it"),
            _ => Ok("met"),
        },
    }
}
