//! Rounds: every contender in every round, so that what else the machine does meets all alike.

use std::io;
use std::time::Duration;

use crate::contender::Contender;
use crate::tally::Tally;

/// How long a contender runs in one round at least: the clock of threads is coarse.
const SLICE: Duration = Duration::from_millis(25);

/// The times of one contender.
#[derive(Clone, Debug)]
pub struct Times {
    /// Its name.
    pub name: String,
    /// Seconds for one pass, by round.
    pub rounds: Vec<f64>,
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

    /// How many times as fast as `other` this is.
    pub fn speed_up(&self, other: &Self) -> SpeedUp {
        let ratios: Vec<_> = self
            .rounds
            .iter()
            .zip(&other.rounds)
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

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs so many rounds after one to warm up.
///
/// # Errors
/// When a contender fails.
pub fn run(contenders: &mut [Contender], rounds: usize) -> io::Result<Vec<Times>> {
    let mut passes = Vec::new();
    let mut times = Vec::new();
    for contender in &mut *contenders {
        contender.time(1)?;
        let (once, tally) = contender.time(1)?;
        let enough = SLICE.as_secs_f64() / once.as_secs_f64().max(1e-6);
        passes.push(enough.ceil().clamp(1.0, 1e6) as u32);
        times.push(Times {
            name: contender.name.clone(),
            rounds: Vec::with_capacity(rounds),
            least: f64::NAN,
            tally,
        });
    }
    let count = contenders.len().max(1);
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            // Nobody always runs after the same one.
            let index = (turn * step(round, count) + round) % count;
            let (time, _) = contenders[index].time(passes[index])?;
            times[index]
                .rounds
                .push(time.as_secs_f64() / f64::from(passes[index]));
        }
    }
    for (times, contender) in times.iter_mut().zip(contenders) {
        times.least = contender.least.iter().map(Duration::as_secs_f64).sum();
    }
    Ok(times)
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
