//! Those who take part, and how one pass over the documents of a class is timed.

use std::io;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::corpus::Corpus;
use crate::tally::Tally;

/// Tokenizes all documents of a class once.
type Pass = Box<dyn FnMut() -> Tally>;

/// Something that is timed.
pub struct Contender {
    /// What the tables call it; `html-living, borrowed`.
    pub name: String,
    work: Work,
}

enum Work {
    Here(Pass),
    Elsewhere(crate::worker::Worker),
}

impl Contender {
    /// One that has prepared its input already.
    pub fn new(name: impl Into<String>, pass: impl FnMut() -> Tally + 'static) -> Self {
        Self {
            name: name.into(),
            work: Work::Here(Box::new(pass)),
        }
    }

    /// One that tokenizes the documents of a class one by one.
    pub fn each(
        name: impl Into<String>,
        corpus: &'static Corpus,
        mut tokenize: impl FnMut(&'static str, &mut Tally) + 'static,
    ) -> Self {
        Self::new(name, move || {
            let mut tally = Tally::default();
            for document in &corpus.documents {
                tokenize(&document.text, &mut tally);
            }
            tally
        })
    }

    /// One in a process of its own, which times itself.
    pub fn elsewhere(name: impl Into<String>, worker: crate::worker::Worker) -> Self {
        Self {
            name: name.into(),
            work: Work::Elsewhere(worker),
        }
    }

    /// The CPU time of so many passes, and what one of them saw.
    ///
    /// # Errors
    /// When a contender in another process does not answer.
    pub fn time(&mut self, passes: u32) -> io::Result<(Duration, Tally)> {
        match &mut self.work {
            Work::Here(pass) => {
                let mut tally = Tally::default();
                let start = ThreadTime::now();
                for _ in 0..passes {
                    tally = std::hint::black_box(pass());
                }
                Ok((start.elapsed(), tally))
            }
            Work::Elsewhere(worker) => worker.time(passes),
        }
    }
}
