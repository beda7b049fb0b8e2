//! The tables of a class: how fast everyone was, and what everyone saw.

use crate::corpus::Corpus;
use crate::rounds::{SpeedUp, Times};
use crate::suite;
use crate::table::{Cell, Table};
use crate::tally::Tally;

/// The times of a class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: &'static str,
    /// Whose ratios are given.
    pub leader: &'static str,
    documents: usize,
    megabytes: f64,
    times: Vec<Times>,
}

impl Class {
    /// With what was measured.
    pub fn new(corpus: &Corpus, times: Vec<Times>) -> Self {
        Self {
            name: corpus.class,
            leader: suite::leader(corpus),
            documents: corpus.documents.len(),
            megabytes: corpus.bytes() as f64 / 1e6,
            times,
        }
    }

    /// Those who took part.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.times.iter().map(|times| times.name.as_str())
    }

    fn times(&self, name: &str) -> Option<&Times> {
        self.times.iter().find(|times| times.name == name)
    }

    /// How many times as fast as the other one is, if both took part.
    pub fn speed_up(&self, one: &str, other: &str) -> Option<SpeedUp> {
        Some(self.times(one)?.speed_up(self.times(other)?))
    }

    /// How fast: the last columns say how many times as fast the leader is.
    pub fn speeds(&self) -> Table {
        let leader = self.times(self.leader);
        let rows = self
            .times
            .iter()
            .map(|times| {
                let behind = leader.map(|leader| leader.speed_up(times));
                vec![
                    Cell::from(times.name.as_str()),
                    (self.megabytes / times.median()).into(),
                    (self.megabytes / times.least).into(),
                    behind.map(|ratio| ratio.median).into(),
                    behind.map(|ratio| ratio.least).into(),
                ]
            })
            .collect();
        Table {
            heading: format!(
                "{}: {} documents, {:.1} MB; {} is so many times as fast",
                self.name, self.documents, self.megabytes, self.leader
            ),
            titles: vec![
                "contender",
                "median MB/s",
                "best MB/s",
                "leader is x",
                "by best x",
            ],
            rows,
        }
    }

    /// What they saw; those who saw the same share a row.
    pub fn tallies(&self) -> Table {
        let mut groups: Vec<(Tally, Vec<&str>)> = Vec::new();
        for times in &self.times {
            match groups.iter_mut().find(|(tally, _)| *tally == times.tally) {
                Some((_, names)) => names.push(&times.name),
                None => groups.push((times.tally, vec![&times.name])),
            }
        }
        let rows = groups
            .iter()
            .map(|(tally, names)| {
                let who = match names[..] {
                    [one] => one.to_owned(),
                    [first, ..] => format!("{first} and {} more", names.len() - 1),
                    [] => String::new(),
                };
                let numbers = tally.numbers();
                [Cell::from(who)]
                    .into_iter()
                    .chain(numbers.map(Cell::from))
                    .collect()
            })
            .collect();
        Table {
            heading: format!("{}: what they saw", self.name),
            titles: ["contender"].into_iter().chain(Tally::TITLES).collect(),
            rows,
        }
    }
}
