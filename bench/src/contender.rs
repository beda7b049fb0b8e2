//! Those who take part, and how passes over the documents of a class are timed.

use std::io;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::corpus::Corpus;
use crate::tally::Tally;

/// Tokenizes the document of a class with this index.
type One = Box<dyn FnMut(usize, &mut Tally)>;

/// Something that is timed.
pub struct Contender {
    /// What the tables call it; `html-living, borrowed`.
    pub name: String,
    /// The least time of each document so far.
    pub least: Vec<Duration>,
    work: Work,
}

enum Work {
    Here(One),
    Elsewhere(crate::worker::Worker),
}

impl Contender {
    /// One that has prepared so many documents already.
    pub fn new(
        name: impl Into<String>,
        documents: usize,
        one: impl FnMut(usize, &mut Tally) + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            least: vec![Duration::MAX; documents],
            work: Work::Here(Box::new(one)),
        }
    }

    /// One that tokenizes the documents of a class as they are.
    pub fn each(
        name: impl Into<String>,
        corpus: &'static Corpus,
        mut tokenize: impl FnMut(&'static str, &mut Tally) + 'static,
    ) -> Self {
        let documents = &corpus.documents;
        Self::new(name, documents.len(), move |index, tally| {
            tokenize(&documents[index].text, tally);
        })
    }

    /// One that tokenizes so many documents in a process of its own, which times itself.
    pub fn elsewhere(
        name: impl Into<String>,
        documents: usize,
        worker: crate::worker::Worker,
    ) -> Self {
        Self {
            name: name.into(),
            least: vec![Duration::MAX; documents],
            work: Work::Elsewhere(worker),
        }
    }

    /// The CPU time of so many passes over all documents, and what one pass saw.
    ///
    /// # Errors
    /// When a contender in another process does not answer.
    pub fn time(&mut self, passes: u32) -> io::Result<(Duration, Tally)> {
        match &mut self.work {
            Work::Here(one) => {
                let (mut all, mut tally) = (Duration::ZERO, Tally::default());
                for _ in 0..passes {
                    tally = Tally::default();
                    for (index, least) in self.least.iter_mut().enumerate() {
                        let start = ThreadTime::now();
                        one(index, &mut tally);
                        let time = start.elapsed();
                        *least = time.min(*least);
                        all += time;
                    }
                    std::hint::black_box(&tally);
                }
                Ok((all, tally))
            }
            Work::Elsewhere(worker) => worker.time(passes, &mut self.least),
        }
    }
}
