//! Our tokenizers: every revision with a borrowing sink, the newest of each language in all other styles too.

mod borrowed;
mod owned;

use crate::contender::Contender;
use crate::corpus::Corpus;
use borrowed::Borrowed;
use owned::Collected;

/// How tokens are taken.
pub mod style {
    /// Borrowed, whole documents.
    pub const BORROWED: &str = "borrowed";
    /// Borrowed, by a sink without feedback: scripts are tokenized as data.
    pub const MARKUP: &str = "markup alone";
    /// Borrowed, fed in chunks of 4 KiB.
    pub const CHUNKS: &str = "4 KiB chunks";
    /// Borrowed, fed as bytes that are checked to be UTF-8.
    pub const BYTES: &str = "bytes";
    /// Borrowed, with parse errors.
    pub const PARSE_ERRORS: &str = "parse errors";
    /// Owned tokens of a `Collector`, which is emptied after each tag.
    pub const COLLECTED: &str = "owned, collected";
    /// The same, fed in chunks of 4 KiB.
    pub const COLLECTED_CHUNKS: &str = "owned, collected, 4 KiB chunks";
    /// The iterator of owned tokens.
    pub const ITERATOR: &str = "iterator";
}

/// The name of a contender of ours.
pub fn name(revision: &str, style: &str) -> String {
    format!("{revision}, {style}")
}

const CHUNK: usize = 4096;

/// Whether this is a revision of HTML.
const fn is_html(revision: &str) -> bool {
    matches!(revision.as_bytes(), [b'h', b't', b'm', b'l', ..])
}

/// The chunks of a text, not cut inside characters.
fn chunks(mut text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    while !text.is_empty() {
        let end = (CHUNK..text.len()).find(|&at| text.is_char_boundary(at));
        let (chunk, rest) = text.split_at(end.unwrap_or(text.len()));
        chunks.push(chunk);
        text = rest;
    }
    chunks
}

/// Feeds a tokenizer that has a new sink. Evaluates to the sink's counts.
macro_rules! count {
    ($module:ident, $sink:ty, |$tokenizer:ident| $feed:expr) => {{
        let mut $tokenizer = speclex_tokenizers::$module::Tokenizer::new(<$sink>::default());
        // The sink neither pauses nor asks for contents, and no document exceeds the limits.
        $feed;
        _ = $tokenizer.end();
        $tokenizer.into_sink().counts()
    }};
}

/// A contender that is fed whole documents.
macro_rules! whole {
    ($revision:literal, $module:ident, $style:expr, $sink:ty, $corpus:expr) => {
        Contender::by_text(name($revision, $style), $corpus, |text, counts| {
            *counts += count!($module, $sink, |tokenizer| _ = tokenizer.feed(text));
        })
    };
}

/// A contender that is fed chunks. They are cut before, as those of a stream are.
macro_rules! chunked {
    ($revision:literal, $module:ident, $style:expr, $sink:ty, $corpus:expr) => {{
        let documents: Vec<_> = $corpus.documents.iter().map(|text| chunks(text)).collect();
        Contender::by_index(
            name($revision, $style),
            documents.len(),
            move |index, counts| {
                *counts += count!($module, $sink, |tokenizer| {
                    for chunk in &documents[index] {
                        _ = tokenizer.feed(chunk);
                    }
                });
            },
        )
    }};
}

/// All styles but the plain borrowing one.
macro_rules! other_styles {
    ($revision:literal, $module:ident, $corpus:expr) => {{
        type Quiet = Borrowed<true, false>;
        type Markup = Borrowed<false, false>;
        type Errors = Borrowed<true, true>;
        let bytes = Contender::by_text(name($revision, style::BYTES), $corpus, |text, counts| {
            *counts += count!($module, Quiet, |t| _ = t.feed_bytes(text.as_bytes()));
        });
        let iterator =
            Contender::by_text(name($revision, style::ITERATOR), $corpus, |text, counts| {
                for (token, _) in speclex_tokenizers::$module::tokens(text) {
                    owned::count(counts, &token);
                }
            });
        [
            whole!($revision, $module, style::MARKUP, Markup, $corpus),
            chunked!($revision, $module, style::CHUNKS, Quiet, $corpus),
            bytes,
            whole!($revision, $module, style::PARSE_ERRORS, Errors, $corpus),
            whole!($revision, $module, style::COLLECTED, Collected, $corpus),
            chunked!(
                $revision,
                $module,
                style::COLLECTED_CHUNKS,
                Collected,
                $corpus
            ),
            iterator,
        ]
    }};
}

/// The revisions whose language the corpus is in.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    let mut all = Vec::new();
    macro_rules! borrowing {
        ($($revision:literal => $module:ident),* $(,)?) => {
            $(if is_html($revision) != corpus.is_xml() {
                type Quiet = Borrowed<true, false>;
                all.push(whole!($revision, $module, style::BORROWED, Quiet, corpus));
            })*
        };
    }
    speclex_tokenizers::for_each_revision!(borrowing);
    all.extend(match corpus.is_xml() {
        true => other_styles!("xml5", xml5, corpus),
        false => other_styles!("html-living", html_living, corpus),
    });
    all
}
