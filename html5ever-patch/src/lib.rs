//! html5ever 0.40's interface on Speclex's tokenizer and tree builder, without html5ever: a package of this name is what
//! `[patch.crates-io]` asks for.
//!
//! The sources are those of `speclex-html5ever`, whose page says what differs from html5ever. Only what that takes from html5ever
//! is written anew here, in `base`: options, tokens, states to start in, and the serializer.
#![forbid(unsafe_code)]

pub use markup5ever::*;

mod base;
#[path = "../../html5ever/src/driver.rs"]
pub mod driver;
#[path = "../../html5ever/src/encoding_label.rs"]
mod encoding_label;
#[path = "../../html5ever/src/engine.rs"]
mod engine;
#[path = "../../html5ever/src/host.rs"]
mod host;
#[path = "../../html5ever/src/known_parts.rs"]
mod known_parts;
#[path = "../../html5ever/src/lines.rs"]
mod lines;
#[path = "../../html5ever/src/names.rs"]
mod names;
#[path = "../../html5ever/src/place.rs"]
mod place;
#[path = "../../html5ever/src/revision.rs"]
mod revision;
#[path = "../../html5ever/src/spans.rs"]
mod spans;
#[path = "../../html5ever/src/their_sink.rs"]
mod their_sink;
#[path = "../../html5ever/src/tokenizer.rs"]
pub mod tokenizer;
#[path = "../../html5ever/src/tree_builder.rs"]
pub mod tree_builder;

pub use base::serialize;
pub use base::serialize::serialize;
pub use driver::{ParseOpts, Parser, parse_document, parse_fragment};
pub use revision::Revision;
pub use spans::{Origin, Spans};
pub use speclex::parts::{AttributeParts, DoctypeParts, IdentifierParts, TagParts, comment_data};
pub use speclex::{LineIndex, Location, Span};
