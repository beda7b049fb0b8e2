//! Times side by side. Other load on the machine changes within hundredths of a second, so every contender runs in
//! every round, the baseline runs again after each of them, and a ratio is of two runs next to each other. What counts
//! is the median of these ratios.

use std::io;
use std::time::Duration;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;
use crate::table::{self, Table};

/// How long a contender runs at least before the next one does.
const TURN: Duration = Duration::from_millis(5);

/// A contender and its samples, one for each round.
struct Entry<'c> {
    contender: &'c mut Contender,
    /// How many passes fill its turn.
    passes: u32,
    /// Seconds for one pass.
    seconds: Vec<f64>,
    /// The same, divided by the seconds that the baseline took just after.
    ratios: Vec<f64>,
    counts: Counts,
}

impl<'c> Entry<'c> {
    fn new(contender: &'c mut Contender) -> io::Result<Self> {
        // The first pass warms up.
        contender.run(1)?;
        let (once, counts) = contender.run(1)?;
        let passes = TURN.as_secs_f64() / once.as_secs_f64().max(1e-6);
        Ok(Self {
            contender,
            passes: passes.ceil().clamp(1.0, 1e6) as u32,
            seconds: Vec::new(),
            ratios: Vec::new(),
            counts,
        })
    }

    /// Runs it. Returns seconds for one pass.
    fn run(&mut self) -> io::Result<f64> {
        let (time, _) = self.contender.run(self.passes)?;
        Ok(time.as_secs_f64() / f64::from(self.passes))
    }

    fn push(&mut self, seconds: f64, baseline: f64) {
        self.seconds.push(seconds);
        self.ratios.push(seconds / baseline);
    }
}

/// Runs the contenders, one at least, in this many rounds. If no contender has the baseline's name, the first is the baseline.
/// Returns two tables: speeds, and what each contender counted.
///
/// # Errors
/// When a contender fails.
pub fn measure(
    corpus: &Corpus,
    contenders: &mut [Contender],
    baseline: &str,
    rounds: usize,
) -> io::Result<[Table; 2]> {
    let place = contenders.iter().position(|c| c.name == baseline);
    let place = place.unwrap_or_default();
    let entries = contenders.iter_mut().map(Entry::new);
    let mut others = entries.collect::<io::Result<Vec<_>>>()?;
    let mut baseline = others.remove(place);
    for round in 0..rounds {
        let first = baseline.run()?;
        baseline.push(first, first);
        for turn in 0..others.len() {
            let at = (turn + round) % others.len();
            let seconds = others[at].run()?;
            let after = baseline.run()?;
            others[at].push(seconds, after);
        }
    }
    let name = baseline.contender.name.clone();
    others.insert(place, baseline);
    Ok([speeds(corpus, &name, &others), counts(corpus, &others)])
}

/// The value in the middle.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn speeds(corpus: &Corpus, baseline: &str, entries: &[Entry<'_>]) -> Table {
    let megabytes = corpus.bytes() as f64 / 1e6;
    let row = |entry: &Entry<'_>| {
        let least = entry.seconds.iter().copied().fold(f64::NAN, f64::min);
        vec![
            entry.contender.name.clone(),
            table::number(megabytes / median(&entry.seconds)),
            table::number(megabytes / least),
            table::number(median(&entry.ratios)),
        ]
    };
    Table {
        heading: format!(
            "{}: {} documents, {megabytes:.1} MB; ratio: the speed of “{baseline}” divided by the contender's",
            corpus.class,
            corpus.documents.len()
        ),
        titles: vec!["contender", "median MB/s", "best MB/s", "ratio"],
        rows: entries.iter().map(row).collect(),
    }
}

/// Contenders that counted the same share a row.
fn counts(corpus: &Corpus, entries: &[Entry<'_>]) -> Table {
    let mut groups: Vec<(Counts, Vec<&str>)> = Vec::new();
    for entry in entries {
        match groups.iter_mut().find(|(c, _)| *c == entry.counts) {
            Some((_, names)) => names.push(&entry.contender.name),
            None => groups.push((entry.counts, vec![&entry.contender.name])),
        }
    }
    let rows = groups.iter().map(|(counts, names)| {
        let who = match names[..] {
            [first, _, ..] => format!("{first} and {} more", names.len() - 1),
            _ => names.concat(),
        };
        let numbers = counts.numbers().map(table::count);
        [who].into_iter().chain(numbers).collect()
    });
    Table {
        heading: format!("{}: what the contenders counted", corpus.class),
        titles: [&["contender"][..], &Counts::TITLES].concat(),
        rows: rows.collect(),
    }
}
