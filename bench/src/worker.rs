//! Contenders in a process of their own, which times itself.
//!
//! The protocol: each line on its standard input is a number of passes; the line that answers has the nanoseconds of
//! CPU time and the counts of one pass.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::time::Duration;

use crate::contender::Contender;
use crate::counts::{Counts, LENGTH};

/// The contender that a command starts. `prepare` gives it what it needs before the first line.
///
/// # Errors
/// When the process cannot be started, or takes nothing.
pub fn contender(
    name: String,
    command: &mut Command,
    prepare: impl FnOnce(&mut ChildStdin) -> io::Result<()>,
) -> io::Result<Contender> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other(format!("{name} has no pipes")));
    };
    prepare(&mut requests)?;
    let mut answers = BufReader::new(answers);
    let called = name.clone();
    // The process ends with its input, when the contender is dropped.
    Ok(Contender::new(name, move |passes| {
        writeln!(requests, "{passes}")?;
        let mut line = String::new();
        answers.read_line(&mut line)?;
        parse(&line).ok_or_else(|| io::Error::other(format!("{called} answered `{line}`")))
    }))
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
