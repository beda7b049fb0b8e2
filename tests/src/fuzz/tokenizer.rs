//! The target `tokenizer`: generated code, whole and in chunks, through every way to take tokens, and the interpreter agree.

use std::fmt::Write;

use speclex::markup::{Collector, Content, Token};
use speclex::rt::{Borrowed, Machine as Generated};
use speclex::{FeedError, Limits, Span, Tokenizer, Tokens};
use speclex_codegen::machine::Machine;

use super::case::Case;
use super::drive::{Recorder, Recording, drive, record, start};
use super::generate::{Corpus, Generator};
use super::interpreted::Interpreted;
use super::shrink::shrink;
use super::{Failure, Progress, Run, caught};
use crate::random::Random;

/// The ways to run a generated tokenizer.
#[derive(Clone, Copy, Debug)]
struct Ways {
    sink: fn(&Case, &[usize], Option<Limits>) -> Recording,
    collector: fn(&Case, &[usize]) -> Recording,
    /// Whether the iterator yields these tokens.
    yields: fn(&Case, &[(Token<'static>, Span)]) -> bool,
}

/// The ways to run the generated tokenizer of a table.
fn ways(name: &str) -> Option<Ways> {
    macro_rules! ways {
        ($($revision:literal => $module:ident),* $(,)?) => {
            match name {
                $($revision => Some(Ways {
                    sink: drive::<speclex_tokenizers::$module::Machine<Recorder>>,
                    collector: collect::<speclex_tokenizers::$module::Machine<Collector<true>>>,
                    yields: |case, wanted| {
                        yields(speclex_tokenizers::$module::tokens(&case.input), case, wanted)
                    },
                }),)*
                _ => None,
            }
        };
    }
    speclex_tokenizers::for_each_revision!(ways)
}

/// What a collector collects.
fn collect<M>(case: &Case, chunks: &[usize]) -> Recording
where
    M: Generated<Sink = Collector<true>, Content = Content>,
{
    let mut tokenizer = Tokenizer::<M>::new(Collector::default());
    start(&mut tokenizer, case);
    let mut rest = case.input.as_bytes();
    let mut result = Ok(());
    for &length in chunks.iter().chain([&usize::MAX]) {
        let (chunk, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        result = result.and_then(|()| tokenizer.feed_bytes(chunk).map(drop));
    }
    let result = result.and_then(|()| tokenizer.end());
    record(tokenizer.into_sink(), result.err())
}

fn yields<'t, M>(mut tokens: Tokens<'t, M>, case: &Case, wanted: &[(Token<'static>, Span)]) -> bool
where
    M: Generated<Sink = speclex::rt::Collector<Token<'t>, Borrowed<'t>>, Content = Content>,
{
    start(tokens.tokenizer(), case);
    tokens.eq(wanted.iter().cloned())
}

/// Compares all ways to run the tokenizer of a table.
#[derive(Debug)]
pub struct Comparison<'m> {
    machine: &'m Machine,
    ways: Ways,
    interpreted: Interpreted<'m>,
}

impl<'m> Comparison<'m> {
    /// The comparison for a machine that has a generated tokenizer.
    pub fn new(machine: &'m Machine) -> Option<Self> {
        Some(Self {
            machine,
            ways: ways(&machine.name)?,
            interpreted: Interpreted::new(machine),
        })
    }

    /// Runs a case in all ways; returns what all of them record.
    ///
    /// # Errors
    /// What differs, or is wrong in all of them.
    pub fn check(&mut self, case: &Case) -> Result<Recording, String> {
        if let Some(content) = &case.content
            && self.machine.entry(content).is_none()
        {
            return Ok(Recording::default());
        }
        let expected = self.interpreted.record(case)?;
        let check = |way: &str, recording: Recording| match recording == expected {
            true => Ok(()),
            false => Err(format!("{way}: {}", difference(&expected, &recording))),
        };
        check("whole", (self.ways.sink)(case, &[], None))?;
        check("in chunks", (self.ways.sink)(case, &case.chunks, None))?;
        if case.is_without_answers() {
            check(
                "a collector, in chunks",
                (self.ways.collector)(case, &case.chunks),
            )?;
            if !(self.ways.yields)(case, &expected.tokens) {
                return Err("the iterator yields other tokens".to_owned());
            }
        }
        self.check_limits(case, &expected)?;
        check_spans(case, &expected)?;
        Ok(expected)
    }

    /// With small limits the same comes out, or the same beginning of it wherever the input is cut.
    fn check_limits(&self, case: &Case, expected: &Recording) -> Result<(), String> {
        let limits = Limits::MAX
            .with_token_bytes(1 + case.input.len() % 23)
            .with_attributes(1 + case.input.len() % 3);
        let whole = (self.ways.sink)(case, &[], Some(limits));
        let pieces = (self.ways.sink)(case, &case.chunks, Some(limits));
        if (&whole.tokens, whole.failure) != (&pieces.tokens, pieces.failure) {
            return Err(format!(
                "{limits:?}: whole\n  {whole:?}\nin chunks\n  {pieces:?}"
            ));
        }
        let is_complete = whole.failure.is_none();
        if is_complete && whole.tokens != expected.tokens
            || !is_complete && !starts_with(&expected.tokens, &whole.tokens)
        {
            return Err(format!("{limits:?}: {}", difference(expected, &whole)));
        }
        match whole.failure {
            None | Some(FeedError::TooLarge { .. }) => Ok(()),
            Some(other) => Err(format!("{limits:?}: {other}")),
        }
    }
}

/// Whether these are the first of the tokens; of the last one, if it is of characters, only some may be there.
fn starts_with(all: &[(Token<'static>, Span)], first: &[(Token<'static>, Span)]) -> bool {
    let Some((last, before)) = first.split_last() else {
        return true;
    };
    let Some((same, _)) = all.split_at_checked(first.len()) else {
        return false;
    };
    let same_before = before == &same[..before.len()];
    same_before
        && match (&same[before.len()], last) {
            ((Token::Characters(all), _), (Token::Characters(some), _)) => {
                all.starts_with(some.as_ref())
            }
            (all, last) => all == last,
        }
}

fn difference(expected: &Recording, found: &Recording) -> String {
    let tokens = expected.tokens.iter().zip(&found.tokens);
    let errors = expected.errors.iter().zip(&found.errors);
    let mut text = format!(
        "{} tokens and {} errors, not {} and {}",
        found.tokens.len(),
        found.errors.len(),
        expected.tokens.len(),
        expected.errors.len()
    );
    if let Some(failure) = found.failure {
        let _ = write!(text, "; {failure}");
    }
    if let Some((wanted, found)) = tokens.clone().find(|(a, b)| a != b) {
        let _ = write!(text, "\n  token {found:?}\n  not   {wanted:?}");
    }
    if let Some((wanted, found)) = errors.clone().find(|(a, b)| a != b) {
        let _ = write!(text, "\n  error {found:?}\n  not   {wanted:?}");
    }
    text
}

/// Spans follow each other inside the stream, and what lies between two of them was dropped for a reason.
fn check_spans(case: &Case, recording: &Recording) -> Result<(), String> {
    let inserts = case.stops.iter().flat_map(|stop| &stop.inserts);
    let inserted: usize = inserts.map(String::len).sum();
    let mut end = 0;
    for (token, span) in &recording.tokens {
        if span.start < end || span.end < span.start {
            return Err(format!(
                "{token:?} is at {span:?}, after one that ends at {end}"
            ));
        }
        if inserted == 0 && !is_explained(case, recording, end, span.start) {
            return Err(format!(
                "{token:?}: nothing says why {end}..{} was dropped",
                span.start
            ));
        }
        end = span.end;
    }
    let length = (case.input.len() + inserted) as u64;
    if end > length {
        return Err(format!("a token ends at {end} of {length}"));
    }
    if inserted == 0 && !is_explained(case, recording, end, length) {
        return Err(format!("nothing says why {end}..{length} was dropped"));
    }
    Ok(())
}

/// Whether the input from one offset to another may be in no token: an error says so, or it is what the texts drop without an
/// error.
fn is_explained(case: &Case, recording: &Recording, from: u64, to: u64) -> bool {
    if from == to {
        return true;
    }
    let mut errors = recording.errors.iter();
    if errors.any(|(_, offset)| (from..=to).contains(offset)) {
        return true;
    }
    let [start, end] = [from, to].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
    let dropped = |start| case.input.as_bytes().get(start..end).unwrap_or_default();
    let has = |bytes: &[u8], delimiter: &str| {
        let mut windows = bytes.windows(delimiter.len());
        windows.any(|window| window == delimiter.as_bytes())
    };
    has(dropped(start), "\u{FEFF}")
        || has(dropped(start), "<![CDATA[")
        // A bracket before the end of the section is emitted when the next two have been consumed.
        || has(dropped(start.saturating_sub(2)), "]]>")
}

/// Runs cases; returns a digest of what came out.
///
/// # Errors
/// The first case in which something differs, made small.
///
/// # Panics
/// When the table has no generated tokenizer.
pub fn run(machine: &Machine, corpus: &Corpus, run: Run) -> Result<u64, Failure> {
    let generator = Generator::new(machine, corpus);
    let mut comparison = Comparison::new(machine).expect("a generated tokenizer");
    let mut digest = Digest::default();
    let target = format!("tokenizer:{}", machine.name);
    let mut progress = Progress::new(&target, run.runs);
    for index in 0..run.runs {
        let seed = run.seed.wrapping_add(index);
        let case = generator.case(&mut Random::new(seed));
        match caught(|| comparison.check(&case)) {
            Ok(recording) => digest.add(&recording),
            Err(_) => {
                let command = format!("cargo xtask fuzz {target} --runs 1 --seed {seed}");
                let fails = |case: &_| caught(|| comparison.check(case)).is_err();
                let case = shrink(case, &command, fails);
                let what = caught(|| comparison.check(&case)).err().unwrap_or_default();
                return Err(Failure {
                    what,
                    reproducer: format!("{case:#?}"),
                    command,
                });
            }
        }
        progress.step();
    }
    Ok(digest.0)
}

/// A number for all that came out.
#[derive(Debug)]
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, recording: &Recording) {
        let _ = write!(self, "{recording:?}");
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}
