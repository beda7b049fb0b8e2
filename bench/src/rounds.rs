//! Rounds: every contender in every round, so that what else the machine does meets all alike. That changes within
//! hundredths of a second, so the leader runs between every two others: ratios are made by way of its time beside theirs.

use std::io;
use std::time::Duration;

use crate::contender::Contender;
use crate::tally::Tally;

/// How long a contender runs at once at least.
const SLICE: Duration = Duration::from_millis(5);

/// The times of one contender.
#[derive(Clone, Debug)]
pub struct Times {
    /// Its name.
    pub name: String,
    /// Seconds for one pass, by round.
    pub rounds: Vec<f64>,
    /// What the leader took just after, by round.
    beside: Vec<f64>,
    /// Seconds for one pass in which each document takes its least time.
    pub least: f64,
    /// What a pass saw.
    pub tally: Tally,
}

impl Times {
    /// The median round.
    pub fn median(&self) -> f64 {
        median(&self.rounds)
    }

    /// How many times as long as the leader, just after, by round.
    fn relative(&self) -> impl Iterator<Item = f64> {
        let rounds = self.rounds.iter().zip(&self.beside);
        rounds.map(|(own, leader)| own / leader)
    }

    /// How many times as fast as `other` this is.
    pub fn speed_up(&self, other: &Self) -> SpeedUp {
        let ratios: Vec<_> = self
            .relative()
            .zip(other.relative())
            .map(|(own, other)| other / own)
            .collect();
        SpeedUp {
            median: median(&ratios),
            least: other.least / self.least,
        }
    }
}

/// A ratio of speeds.
#[derive(Clone, Copy, Debug)]
pub struct SpeedUp {
    /// The median of the rounds' ratios.
    pub median: f64,
    /// That of passes in which each document takes its least time: other load hardly moves it.
    pub least: f64,
}

/// The value in the middle.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A contender in a round: how many passes fill its slice, and what is known so far.
struct Entry<'c> {
    contender: &'c mut Contender,
    passes: u32,
    times: Times,
}

impl<'c> Entry<'c> {
    fn new(contender: &'c mut Contender) -> io::Result<Self> {
        contender.time(1)?;
        let (once, tally) = contender.time(1)?;
        let enough = SLICE.as_secs_f64() / once.as_secs_f64().max(1e-6);
        let times = Times {
            name: contender.name.clone(),
            rounds: Vec::new(),
            beside: Vec::new(),
            least: f64::NAN,
            tally,
        };
        Ok(Self {
            contender,
            passes: enough.ceil().clamp(1.0, 1e6) as u32,
            times,
        })
    }

    /// Seconds for one pass.
    fn time(&mut self) -> io::Result<f64> {
        let (time, _) = self.contender.time(self.passes)?;
        Ok(time.as_secs_f64() / f64::from(self.passes))
    }

    /// The same, for the leader, who has more turns than others: it has no more chances for a least time.
    fn time_again(&mut self) -> io::Result<f64> {
        let least = self.contender.least.clone();
        let time = self.time();
        self.contender.least = least;
        time
    }

    fn finish(self) -> Times {
        let least = self.contender.least.iter().map(Duration::as_secs_f64);
        Times {
            least: least.sum(),
            ..self.times
        }
    }
}

/// Runs so many rounds after one to warm up. Where nobody has the leader's name, anybody leads.
///
/// # Errors
/// When a contender fails.
pub fn run(contenders: &mut [Contender], leader: &str, rounds: usize) -> io::Result<Vec<Times>> {
    let place = contenders.iter().position(|c| c.name == leader);
    let place = place.unwrap_or_default();
    let entries = contenders.iter_mut().map(Entry::new);
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let mut leader = entries.remove(place);
    let others = &mut entries;
    let count = others.len().max(1);
    for round in 0..rounds {
        let mut all = leader.time()?;
        for turn in 0..others.len() {
            // Nobody always runs at the same place.
            let other = &mut others[(turn * step(round, count) + round) % count];
            // It runs after the leader and the leader after it: neither finds the caches better prepared.
            let time = other.time()?;
            let beside = leader.time_again()?;
            other.times.rounds.push(time);
            other.times.beside.push(beside);
            all += beside;
        }
        let mean = all / (others.len() + 1) as f64;
        leader.times.rounds.push(mean);
        leader.times.beside.push(mean);
    }
    entries.insert(place, leader);
    Ok(entries.into_iter().map(Entry::finish).collect())
}

/// A step by which all of `count` are visited: one without a common divisor.
fn step(round: usize, count: usize) -> usize {
    let coprime = |step: &usize| {
        let (mut a, mut b) = (*step, count);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let steps: Vec<_> = (1..=count).filter(coprime).collect();
    steps.get(round % steps.len().max(1)).copied().unwrap_or(1)
}
