//! html5ever's interface on Speclex's tokenizer and tree builder.
//!
//! A program that uses html5ever 0.40 changes one line of its manifest, and no code:
//!
//! ```toml
//! html5ever = { package = "speclex-html5ever", version = "0.1" }
//! ```
//!
//! For scraper, ammonia and other crates on top of html5ever, see `docs/porting.md`.
//!
//! Everything that html5ever exports is exported here. [`parse_document`], [`parse_fragment`], [`driver`],
//! [`tokenizer::Tokenizer`] and [`tree_builder::TreeBuilder`] are this crate's; options, sinks and names are html5ever's own types.
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
//! sanitizer must not get another tree. [`parse_document_as`](driver::parse_document_as) reads tokens as another [`Revision`] says,
//! with the feature `revisions`, which is on by default.
//!
//! # What differs from html5ever
//!
//! Trees are those that the text describes, whole or in chunks. They equal html5ever's but where that departs from the text: its tree
//! builder in 14 places, which `docs/tree-conformance.md` lists with their sections, and its tokenizer in these:
//!
//! | where | html5ever | here |
//! |---|---|---|
//! | U+FEFF at the start of a chunk, or behind a script's end tag | dropped in front of what is fed, each time | dropped at the start of the stream only, if `discard_bom` is set |
//! | line numbers | do not count a newline between `=` and a value | count it |
//! | parse errors | some, with messages of its own | those of the text, each with its code as message, in the text's order |
//! | a token of more than 256 MiB | kept | one parse error; the rest of the stream is dropped |
//! | a stream fed behind `end` | starts in the content that the one before ended in | starts in data; a tree takes nothing more |
//!
//! A tokenizer also differs in what the standard says nothing of:
//!
//! | where | html5ever | here |
//! |---|---|---|
//! | line numbers of text | many newlines are tokens of their own | text with newlines is one token, with the line of its end |
//! | what is fed after a panic of the sink | tokenized | dropped |
//! | a sink that feeds its tokenizer inside `process_token` | what it feeds is tokenized | see below |
//!
//! A sink of trees may notice:
//!
//! | where | html5ever | here |
//! |---|---|---|
//! | parse errors of tree construction | messages of its own | the text's code, or "unexpected token"; with `exact_errors` the token's kind and the insertion mode |
//! | `pop` | is not called for `br`, `img` and others without an end tag | is called for each element that is popped, but not for one that leaves the middle of the stack |
//! | `same_node` | is called | is called for nodes that the sink has found, such as parents: the builder knows its elements by numbers |
//! | `append_doctype_to_document` | then `set_quirks_mode` is called once | it may be called twice: with `NoQuirks`, then with what the DOCTYPE says |
//! | `maybe_clone_an_option_into_selectedcontent` | is called at `</option>` | is called whenever an `option` is popped |
//! | `associate_with_form` | has the element above a table where that is the place | never has it |
//! | `attach_declarative_shadow` | is called | is not called: the template is inserted |
//! | `Parser::tokenizer.sink.sink` | is the sink | is a [`Shared`](tree_builder::Shared), which has its fields and methods, but cannot be changed by `&mut` |
//! | [`TreeBuilder`](tree_builder::TreeBuilder) | is a `TokenSink` | is one for this crate's tokenizer only |
//!
//! Nested elements and nested formatting elements take time that is linear in their number; end tags without a start tag inside many
//! unknown elements take quadratic time, as in html5ever. html5ever's builder is there for one more release, in [`their_builder`].
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

// Where options, tokens and sinks come from.
use html5ever as base;
pub use html5ever::*;

pub mod driver;
mod encoding_label;
mod engine;
mod host;
mod known_parts;
mod lines;
mod names;
mod place;
mod revision;
mod spans;
pub mod their_builder;
mod their_sink;
pub mod tokenizer;
pub mod tree_builder;

pub use driver::{ParseOpts, Parser, parse_document, parse_fragment};
pub use revision::Revision;
pub use spans::{Origin, Spans};
pub use speclex::parts::{AttributeParts, DoctypeParts, IdentifierParts, TagParts, comment_data};
pub use speclex::{LineIndex, Location, Span};
