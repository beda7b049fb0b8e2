//! Many documents over all cores: throughput by the clock on the wall.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::corpus::Corpus;
use crate::ours;
use crate::table::{Cell, Table};
use crate::tally::Tally;

/// How long each number of threads works at least.
const SLICE: Duration = Duration::from_millis(400);

/// Megabytes a second of one thread and of as many as there are cores.
pub fn measure(corpus: &Corpus) -> Table {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let one = throughput(corpus, 1);
    let mut rows = vec![vec![Cell::from(1), one.into(), 1.0.into()]];
    if cores > 1 {
        let all = throughput(corpus, cores);
        rows.push(vec![(cores as u64).into(), all.into(), (all / one).into()]);
    }
    Table {
        heading: format!(
            "{}: {} documents over threads (by the wall clock: other load shows)",
            corpus.class,
            corpus.documents.len()
        ),
        titles: vec!["threads", "MB/s", "x one thread"],
        rows,
    }
}

/// Threads take the next document until all have been taken often enough.
fn throughput(corpus: &Corpus, threads: usize) -> f64 {
    let documents = &corpus.documents;
    let bytes = corpus.bytes();
    let mut repeats = 1;
    loop {
        let next = AtomicUsize::new(0);
        let end = documents.len() * repeats;
        let work = || {
            let mut tally = Tally::default();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= end {
                    return tally;
                }
                ours::html_living_borrowed(&documents[index % documents.len()].text, &mut tally);
            }
        };
        let start = Instant::now();
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        let time = start.elapsed();
        if time >= SLICE {
            return (bytes * repeats) as f64 / 1e6 / time.as_secs_f64();
        }
        repeats *= 2;
    }
}
