//! Counts allocations: a program of its own, for its allocator is slower than the system's. Prints a
//! line for each contender: its name, allocations, the most bytes at once, all bytes.

use speclex_bench::heap;

fn main() -> std::io::Result<()> {
    let page = Box::leak(Box::new(heap::page()?));
    for mut contender in heap::contenders(page) {
        // Whatever is kept for good is there after the first pass.
        contender.time(1)?;
        let mut result = Ok(Default::default());
        let counts = allocation_counter::measure(|| result = contender.time(1));
        result?;
        println!(
            "{}\t{}\t{}\t{}",
            contender.name, counts.count_total, counts.bytes_max, counts.bytes_total
        );
    }
    Ok(())
}
