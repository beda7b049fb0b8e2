//! Allocations, and the most that was on the heap at once, for one big page: counted in a process of
//! its own, for counting slows allocation down.

use std::io;

use crate::cargo;
use crate::contender::Contender;
use crate::corpus::{Corpus, Document, load};
use crate::table::{Cell, Table};

/// What a contender allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The contender.
    pub name: String,
    /// How many times it asked for memory.
    pub allocations: u64,
    /// The most bytes it had at once.
    pub peak: u64,
    /// All bytes it asked for.
    pub total: u64,
}

/// The largest page of the class `big`, by itself.
///
/// # Errors
/// When there is no such class.
pub fn page() -> io::Result<Corpus> {
    let corpus = load(&cargo::root(), "big")?;
    let largest = corpus
        .documents
        .into_iter()
        .max_by_key(|d: &Document| d.text.len());
    Ok(Corpus {
        class: "big",
        documents: largest.into_iter().collect(),
    })
}

/// Everyone for that page.
pub fn contenders(page: &'static Corpus) -> Vec<Contender> {
    let mut all = crate::ours::contenders(page);
    #[cfg(feature = "peers")]
    all.extend(crate::peers::contenders(page));
    all.retain(|c| !c.name.starts_with("html-20"));
    all
}

/// Runs the program that counts.
///
/// # Errors
/// When it cannot be built or run.
pub fn measure() -> io::Result<Vec<Heap>> {
    let mut run = cargo::cargo(&cargo::root(), &cargo::target()?);
    run.args([
        "run",
        "--quiet",
        "--profile",
        "xtask",
        "--package",
        "speclex-bench",
    ]);
    run.args([
        "--bin",
        "heap",
        "--no-default-features",
        "--features",
        &features(),
    ]);
    let said = cargo::output(&mut run)?;
    let text = String::from_utf8_lossy(&said.stdout);
    text.lines().map(parse).collect()
}

/// The features of this very build: another set would build everything again.
fn features() -> String {
    let all = [
        ("simd", cfg!(feature = "simd")),
        ("styles", cfg!(feature = "styles")),
        ("peers", cfg!(feature = "peers")),
        ("full", cfg!(feature = "full")),
    ];
    let on = all.iter().filter(|(_, on)| *on);
    on.map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

fn parse(line: &str) -> io::Result<Heap> {
    let malformed = || io::Error::other(format!("malformed line `{line}`"));
    let mut words = line.split('\t');
    let name = words.next().ok_or_else(malformed)?.to_owned();
    let mut number = || {
        let word = words.next().ok_or_else(malformed)?;
        word.parse::<u64>().map_err(|_| malformed())
    };
    Ok(Heap {
        name,
        allocations: number()?,
        peak: number()?,
        total: number()?,
    })
}

/// The table.
pub fn table(heaps: &[Heap], bytes: usize) -> Table {
    let rows = heaps
        .iter()
        .map(|heap| {
            vec![
                Cell::from(heap.name.as_str()),
                heap.allocations.into(),
                heap.peak.into(),
                heap.total.into(),
            ]
        })
        .collect();
    Table {
        heading: format!("Heap, for a page of {:.1} MB", bytes as f64 / 1e6),
        titles: vec!["contender", "allocations", "peak bytes", "bytes in all"],
        rows,
    }
}
