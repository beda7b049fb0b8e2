//! Our tokenizers: every revision, in every way of taking tokens.

pub(crate) mod kept;
pub(crate) mod sinks;
#[cfg(feature = "styles")]
mod styles;

use speclex::Tokenizer;
use speclex::markup::{Content, Sink};
use speclex::rt::Machine;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::tally::Tally;
pub use kept::{Collected, Keep, Kept};
pub use sinks::Borrowed;
use sinks::report;

/// How tokens are taken.
pub mod style {
    /// Borrowed, whole documents.
    pub const BORROWED: &str = "borrowed";
    /// Borrowed, with parse errors.
    pub const PARSE_ERRORS: &str = "parse errors";
    /// Borrowed, with parse errors and those of the input stream.
    pub const ALL_ERRORS: &str = "all errors";
    /// Owned tokens in a list, which is looked at and cleared when a tag has come.
    pub const COLLECTED: &str = "owned, collected";
    /// The iterator of owned tokens (without feedback: script is tokenized as data).
    pub const ITERATOR: &str = "iterator";
    /// Borrowed, fed in pieces of 4 KiB.
    pub const CHUNKS: &str = "4 KiB chunks";
    /// Borrowed, fed as bytes that are checked to be UTF-8.
    pub const BYTES: &str = "bytes";
    /// Borrowed, in a build without `unsafe` code.
    pub const SAFE: &str = "borrowed, safe build";
}

/// How a contender of ours is called.
pub fn name(revision: &str, style: &str) -> String {
    format!("{revision}, {style}")
}

const CHUNK: usize = 4096;

/// Whether this is a revision of HTML: its sinks give feedback.
const fn is_html(revision: &str) -> bool {
    matches!(revision.as_bytes(), [b'h', b't', b'm', b'l', ..])
}

fn run<M: Machine<Sink: Default>>(feed: impl FnOnce(&mut Tokenizer<M>)) -> M::Sink {
    let mut tokenizer = Tokenizer::<M>::new(M::Sink::default());
    feed(&mut tokenizer);
    // A content that the table lacks is ignored, as in the tests.
    let _ = tokenizer.end();
    tokenizer.into_sink()
}

fn whole<M: Machine<Sink: Default>>(text: &str) -> M::Sink {
    run::<M>(|tokenizer| {
        let _ = tokenizer.feed(text);
    })
}

fn bytes<M: Machine<Sink: Default>>(text: &str) -> M::Sink {
    run::<M>(|tokenizer| {
        let _ = tokenizer.feed_bytes(text.as_bytes());
    })
}

/// Pieces that come cut, as those of a stream do: asking for a character at the end of a piece that is not in the
/// cache yet is not the tokenizer's work.
fn chunks<M: Machine<Sink: Default>>(chunks: &[&str]) -> M::Sink {
    run::<M>(|tokenizer| {
        for chunk in chunks {
            let _ = tokenizer.feed(chunk);
        }
    })
}

/// The pieces of a text, not cut inside characters.
fn cut(mut text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    while !text.is_empty() {
        let (chunk, rest) = text.split_at(boundary(text));
        chunks.push(chunk);
        text = rest;
    }
    chunks
}

/// The end of the first chunk, not inside a character.
fn boundary(text: &str) -> usize {
    let end = CHUNK.min(text.len());
    (end..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

/// The styles that borrow, and that need no further instance of the machine.
fn borrowed<M, const FEEDBACK: bool>(revision: &str, corpus: &'static Corpus) -> Vec<Contender>
where
    M: Machine<Sink = Borrowed<FEEDBACK, { report::NOTHING }>, Content = Content>,
{
    vec![
        Contender::each(name(revision, style::BORROWED), corpus, |text, tally| {
            *tally += whole::<M>(text).tally;
        }),
        chunked::<M, FEEDBACK>(revision, corpus),
        Contender::each(name(revision, style::BYTES), corpus, |text, tally| {
            *tally += bytes::<M>(text).tally;
        }),
    ]
}

fn chunked<M, const FEEDBACK: bool>(revision: &str, corpus: &'static Corpus) -> Contender
where
    M: Machine<Sink = Borrowed<FEEDBACK, { report::NOTHING }>>,
{
    let documents = corpus.documents.iter().map(|d| cut(&d.text));
    let documents: Vec<_> = documents.collect();
    let name = name(revision, style::CHUNKS);
    Contender::new(name, documents.len(), move |index, tally| {
        *tally += chunks::<M>(&documents[index]).tally;
    })
}

fn errors<M, const FEEDBACK: bool, const REPORT: u8>(
    name: String,
    corpus: &'static Corpus,
) -> Contender
where
    M: Machine<Sink = Borrowed<FEEDBACK, REPORT>>,
    Borrowed<FEEDBACK, REPORT>: Sink,
{
    Contender::each(name, corpus, |text, tally| {
        *tally += whole::<M>(text).tally;
    })
}

/// The revision in the styles that the ratios of several programs are about.
macro_rules! few_styles {
    ($revision:literal, $module:ident, $corpus:expr) => {{
        use speclex_tokenizers::$module::Machine;
        const FEEDBACK: bool = is_html($revision);
        let mut few = borrowed::<Machine<Borrowed<FEEDBACK, { report::NOTHING }>>, FEEDBACK>(
            $revision, $corpus,
        );
        few.push(errors::<
            Machine<Borrowed<FEEDBACK, { report::PARSE_ERRORS }>>,
            FEEDBACK,
            { report::PARSE_ERRORS },
        >(name($revision, style::PARSE_ERRORS), $corpus));
        few
    }};
}

/// The revisions whose language the corpus is in: the leading ones in every style, the others too if
/// this build has them, or else borrowed.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    let mut all = Vec::new();
    macro_rules! revisions {
        ($($revision:literal => $module:ident),* $(,)?) => {
            $(if is_html($revision) != corpus.is_xml() {
                all.extend(of::$module(corpus));
            })*
        };
    }
    speclex_tokenizers::for_each_revision!(revisions);
    all
}

/// Tokenizes a text with the newest revision of HTML and a borrowing sink.
pub fn html_living_borrowed(text: &str, tally: &mut Tally) {
    type Machine = speclex_tokenizers::html_living::Machine<Borrowed<true, { report::NOTHING }>>;
    *tally += whole::<Machine>(text).tally;
}

/// A contender in this style, of whichever revision.
pub fn contender(name: &str, corpus: &'static Corpus) -> Option<Contender> {
    macro_rules! revisions {
        ($($revision:literal => $module:ident),* $(,)?) => {
            $(if name.strip_prefix($revision).is_some_and(|rest| rest.starts_with(','))
                && let Some(found) = of::$module(corpus).into_iter().find(|c| c.name == name) {
                return Some(found);
            })*
        };
    }
    speclex_tokenizers::for_each_revision!(revisions);
    None
}

/// One function for each revision. Only builds with the feature `full` have instances of every
/// revision for every sink: they take minutes to compile.
mod of {
    #[cfg(feature = "styles")]
    use super::styles::every_style;
    use super::{Borrowed, Contender, Corpus, borrowed, errors, is_html, name, report, style};

    macro_rules! functions {
        ($($revision:literal => $module:ident),* $(,)?) => {
            $(pub(super) fn $module(corpus: &'static Corpus) -> Vec<Contender> {
                functions!(@styles $module $revision corpus)
            })*
        };
        (@styles html_living $revision:literal $corpus:ident) => {
            functions!(@newest html_living $revision $corpus)
        };
        (@styles xml5 $revision:literal $corpus:ident) => {
            functions!(@newest xml5 $revision $corpus)
        };
        (@newest $module:ident $revision:literal $corpus:ident) => {{
            #[cfg(feature = "styles")]
            {
                every_style!($revision, $module, $corpus)
            }
            #[cfg(not(feature = "styles"))]
            {
                few_styles!($revision, $module, $corpus)
            }
        }};
        (@styles $module:ident $revision:literal $corpus:ident) => {{
            #[cfg(feature = "full")]
            {
                every_style!($revision, $module, $corpus)
            }
            #[cfg(all(feature = "styles", not(feature = "full")))]
            {
                use speclex_tokenizers::$module::Machine;
                const FEEDBACK: bool = is_html($revision);
                borrowed::<Machine<Borrowed<FEEDBACK, { report::NOTHING }>>, FEEDBACK>(
                    $revision, $corpus)
            }
            #[cfg(not(feature = "styles"))]
            {
                let _ = $corpus;
                Vec::new()
            }
        }};
    }
    speclex_tokenizers::for_each_revision!(functions);
}
