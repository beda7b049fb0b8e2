//! html5ever with Speclex's tokenizers in place of its own.
//!
//! A program that uses html5ever 0.40 changes one line of its manifest, and no code:
//!
//! ```toml
//! html5ever = { package = "speclex-html5ever", version = "0.1" }
//! ```
//!
//! For scraper, ammonia and other crates on top of html5ever, see `docs/porting.md`.
//!
//! Everything that html5ever exports is exported here. [`parse_document`], [`parse_fragment`], [`driver`] and
//! [`tokenizer::Tokenizer`] are this crate's; tree builder, options, sinks and names are html5ever's own types.
//!
//! ```
//! use speclex_html5ever::tendril::TendrilSink;
//! use speclex_html5ever::{ParseOpts, parse_document};
//! use markup5ever_rcdom::RcDom;
//!
//! let dom = parse_document(RcDom::default(), ParseOpts::default()).one("<p>Fish &amp; chips");
//! assert_eq!(dom.document.children.borrow().len(), 1);
//! ```
//!
//! # Revisions
//!
//! Pages are read as the HTML standard was on 24 June 2026: html5ever's tokens know no processing instructions, and a
//! sanitizer must not get another tree. [`parse_document_as`](driver::parse_document_as) reads as another [`Revision`] says.
//!
//! # What differs from html5ever
//!
//! Trees are equal, whole or in chunks, except where html5ever's tokenizer departs from the text:
//!
//! | where | html5ever | here |
//! |---|---|---|
//! | U+FEFF at the start of a chunk, or behind a script's end tag | dropped in front of what is fed, each time | dropped at the start of the stream only, if `discard_bom` is set |
//! | line numbers | do not count a newline between `=` and a value | count it |
//! | parse errors | some, with messages of its own | those of the text, each with its code as message, in the text's order |
//! | a token of more than 256 MiB | kept | one parse error; the rest of the stream is dropped |
//! | a stream fed behind `end` | starts in the content that the one before ended in | starts in data |
//!
//! A tokenizer also differs in what the standard says nothing of:
//!
//! | where | html5ever | here |
//! |---|---|---|
//! | line numbers of text | many newlines are tokens of their own | text with newlines is one token, with the line of its end |
//! | what is fed after a panic of the sink | tokenized | dropped |
//! | a sink that feeds its tokenizer inside `process_token` | what it feeds is tokenized | see below |
//!
//! Of [`tokenizer::TokenizerOpts`]:
//!
//! | option | here |
//! |---|---|
//! | `exact_errors` | adds the errors of the input stream: control characters and noncharacters |
//! | `discard_bom` | as above |
//! | `profile` | does nothing: the states are parts of one function, and cannot be timed apart |
//! | `initial_state` | data, RCDATA, RAWTEXT, script data, PLAINTEXT and CDATA section; any other is a parse error, and starts in data |
//! | `last_start_tag_name` | the same |
//!
//! A sink that calls its tokenizer back inside `process_token` cannot feed or end it: the call does nothing, the input stays in
//! its queue, and a parse error says so behind the token. [`set_plaintext_state`](tokenizer::Tokenizer::set_plaintext_state) works
//! there, but for other tokens than tags not at once.
#![forbid(unsafe_code)]

pub use html5ever::*;

pub mod driver;
mod engine;
pub mod generated;
mod known_parts;
mod lines;
mod names;
mod place;
mod revision;
mod spans;
mod their_sink;
pub mod tokenizer;

pub use driver::{ParseOpts, Parser, parse_document, parse_fragment};
pub use revision::Revision;
pub use spans::{Origin, Spans};
pub use speclex::parts::{AttributeParts, DoctypeParts, IdentifierParts, TagParts, comment_data};
pub use speclex::{LineIndex, Location, Span};
