//! Counts allocations, and the most bytes that were on the heap at once, for one big page. A program of its own,
//! because its allocator, which counts, is slower than the system's.

use std::io;

use speclex_bench::contenders;
use speclex_bench::corpus::{self, Corpus};
use speclex_bench::table::{Table, count};

fn main() -> io::Result<()> {
    let page: &'static Corpus = Box::leak(Box::new(largest_page()?));
    let mut rows = Vec::new();
    for mut contender in contenders::tokenizers(page) {
        // What is kept for good is allocated in the first pass.
        contender.run(1)?;
        let mut result = Ok(Default::default());
        let heap = allocation_counter::measure(|| result = contender.run(1));
        result?;
        rows.push(vec![
            contender.name,
            count(heap.count_total),
            count(heap.bytes_max),
            count(heap.bytes_total),
        ]);
    }
    let table = Table {
        heading: format!("Heap, for a page of {:.1} MB", page.bytes() as f64 / 1e6),
        titles: vec!["contender", "allocations", "peak bytes", "bytes in all"],
        rows,
    };
    println!("{table}");
    Ok(())
}

fn largest_page() -> io::Result<Corpus> {
    let mut big = corpus::load("big")?;
    big.documents.sort_by_key(String::len);
    big.documents = big.documents.pop().into_iter().collect();
    Ok(big)
}
