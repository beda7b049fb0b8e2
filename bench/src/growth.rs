//! How the instructions of a whole parse grow as a hostile document does. By callgrind, against a limit.

use std::io;
use std::process::ExitCode;

use crate::dom::{DOM, NAMESPACES};
use crate::families::{CLASS, FAMILIES, is_xml};
use crate::instructions::{count, has_valgrind};
use crate::table::Table;

/// How many times a family's pattern stands in the shorter document.
const SHORT: usize = 1_000;

/// How many times as many instructions a document takes at most that is four times as long.
const MOST: f64 = 5.0;

/// Counts, only the families that have one of these words, if there are any. Exits with 1 if the instructions of a family grow too
/// fast; says so if nothing could be counted.
///
/// # Errors
/// When callgrind cannot be used.
pub fn check(only: &[String]) -> io::Result<ExitCode> {
    if !has_valgrind() {
        println!("SKIPPED, NO INSTRUCTION WAS COUNTED: there is no `valgrind`");
        return Ok(ExitCode::SUCCESS);
    }
    let (mut rows, mut all_met) = (Vec::new(), true);
    let is_wanted = |family: &str| only.is_empty() || only.iter().any(|word| family.contains(word));
    for (family, _) in FAMILIES.into_iter().filter(|(family, _)| is_wanted(family)) {
        let contender = if is_xml(family) { NAMESPACES } else { DOM };
        let of = |times: usize| {
            let class = format!("{CLASS}{times} {family}");
            Ok::<_, io::Error>(count(contender.to_owned(), &class, 1)?.instructions())
        };
        let (short, long) = (of(SHORT)?, of(4 * SHORT)?);
        let ratio = long as f64 / short as f64;
        all_met &= ratio <= MOST;
        rows.push(vec![
            family.to_owned(),
            crate::table::count(short),
            crate::table::count(long),
            format!("{ratio:.2}"),
            if ratio <= MOST { "met" } else { "EXCEEDED" }.to_owned(),
        ]);
    }
    let heading = format!(
        "Instructions for {SHORT} repetitions and for four times as many: {MOST} times at most"
    );
    let titles = vec!["documents", "short", "long", "ratio", "verdict"];
    println!(
        "{}",
        Table {
            heading,
            titles,
            rows
        }
    );
    Ok(ExitCode::from(u8::from(!all_met)))
}
