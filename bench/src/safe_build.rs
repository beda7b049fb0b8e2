//! The build without `unsafe` code: this program once more without the feature `simd`. It runs in a process of its
//! own, which loads the documents of the class and times itself.
//!
//! The protocol: each line on its standard input is a number of passes; the line that answers has the nanoseconds of
//! CPU time and the counts of one pass.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::cargo;
use crate::contender::Contender;
use crate::contenders::baseline;
use crate::corpus::Corpus;
use crate::counts::{Counts, LENGTH};

/// Builds the program.
///
/// # Errors
/// When it cannot be built.
pub fn build() -> io::Result<PathBuf> {
    eprintln!("building the program without `unsafe` code");
    cargo::build("speclex-bench", &[], &cargo::target()?.join("safe-build"))
}

/// The baseline of a class, in that program.
///
/// # Errors
/// When the program cannot be started.
pub fn contender(program: &Path, corpus: &Corpus) -> io::Result<Contender> {
    let name = baseline(corpus);
    let mut child = Command::new(program)
        .args(["serve", name, corpus.class])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("the safe build has no pipes"));
    };
    let mut answers = BufReader::new(answers);
    // The process ends with its input, when the contender is dropped.
    Ok(Contender::new(
        format!("{name}, safe build"),
        move |passes| {
            writeln!(requests, "{passes}")?;
            let mut line = String::new();
            answers.read_line(&mut line)?;
            parse(&line)
                .ok_or_else(|| io::Error::other(format!("the safe build answered `{line}`")))
        },
    ))
}

fn parse(line: &str) -> Option<(Duration, Counts)> {
    let numbers = line.split_whitespace().map(str::parse::<u64>);
    let numbers = numbers.collect::<Result<Vec<_>, _>>().ok()?;
    let (nanoseconds, counts) = numbers.split_first()?;
    let counts = <[u64; LENGTH]>::try_from(counts).ok()?;
    Some((
        Duration::from_nanos(*nanoseconds),
        Counts::from_numbers(counts),
    ))
}

/// The other side: runs a contender as often as the lines of the input ask for.
///
/// # Errors
/// When a line is malformed or the other side is gone.
pub fn serve(
    contender: &mut Contender,
    requests: impl BufRead,
    mut answers: impl Write,
) -> io::Result<()> {
    for line in requests.lines() {
        let passes = line?.parse().map_err(io::Error::other)?;
        let (time, counts) = contender.run(passes)?;
        write!(answers, "{}", time.as_nanos())?;
        for number in counts.numbers() {
            write!(answers, " {number}")?;
        }
        writeln!(answers)?;
        answers.flush()?;
    }
    Ok(())
}
