//! A contender: a name, and a function that tokenizes the documents of a class and times itself.

use std::hint::black_box;
use std::io;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::corpus::Corpus;
use crate::counts::Counts;

/// Tokenizes all documents this many times. Returns the CPU time, and the counts of one pass.
type Run = Box<dyn FnMut(u32) -> io::Result<(Duration, Counts)>>;

/// What is timed.
pub struct Contender {
    /// The name in tables, for example `html-living, borrowed`.
    pub name: String,
    run: Run,
}

impl Contender {
    /// A contender that times itself.
    pub fn new(
        name: impl Into<String>,
        run: impl FnMut(u32) -> io::Result<(Duration, Counts)> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }

    /// A contender that has its own copies of the documents and is given an index.
    pub fn by_index(
        name: impl Into<String>,
        documents: usize,
        mut tokenize: impl FnMut(usize, &mut Counts) + 'static,
    ) -> Self {
        Self::new(name, move |passes| {
            let start = ThreadTime::now();
            let mut counts = Counts::default();
            for _ in 0..passes {
                counts = Counts::default();
                for index in 0..documents {
                    tokenize(index, &mut counts);
                }
                black_box(&counts);
            }
            Ok((start.elapsed(), counts))
        })
    }

    /// A contender that tokenizes the documents as they are.
    pub fn by_text(
        name: impl Into<String>,
        corpus: &'static Corpus,
        mut tokenize: impl FnMut(&'static str, &mut Counts) + 'static,
    ) -> Self {
        let documents = &corpus.documents;
        Self::by_index(name, documents.len(), move |index, counts| {
            tokenize(&documents[index], counts);
        })
    }

    /// The CPU time of this many passes over all documents, and the counts of one pass.
    ///
    /// # Errors
    /// When a contender in another process does not answer.
    pub fn run(&mut self, passes: u32) -> io::Result<(Duration, Counts)> {
        (self.run)(passes)
    }
}
