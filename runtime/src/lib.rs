//! The runtime of tokenizers that Speclex generates from tables.
//!
//! A generated module has a `Tokenizer<S>`: a [`Tokenizer`] over its machine with a sink `S` of yours.
//! Feed it text, in pieces of any size, and it calls the sink's methods with tokens that borrow from
//! the input. Or take tokens to keep: from the module's `tokens(text)` iterator, or from its sink `Collector`.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `macros` | yes | [`tokenizer!`], and with `trees` [`parser!`] |
//! | `simd` | yes | 16-byte scanning; without it all code is safe |
//! | `std` | yes | `std::error::Error` for the error types, [`Tokenizer::feed_reader`]; everything else needs only `alloc` |
//! | `parse` | no | `parse`, `parse_fragment`, and with `encoding` `parse_bytes`: HTML to a `Dom` |
//! | `encoding` | no | the module `encoding`: pages that are not UTF-8 |
//! | `trees` | no | `Dom`, the tree of a document, and the module `tree`: what builders of trees call and are made of |
//! | `xml` | no | the module `xml`: XML to a `Dom`, by the XML5 draft |
//! | `parse-references`, `parse-tokenizer`, `xml-tokenizer` | no | nothing by themselves: features of `speclex-tokenizers` turn them on |
//! | `serde` | no | `Serialize` for owned tokens, also those of your tables, for errors and for places |
//!
//! # Memory
//!
//! A tokenizer keeps the token under construction, which [`Limits`] bound, what is fed while its sink has paused it, and
//! nothing else of the input: character tokens come in pieces, as the input does. A token that exceeds a limit is
//! truncated or dropped if [`Limits`] say so. Otherwise it is a [`FeedError::TooLarge`] at its first character. Everything before it has been delivered; to go on, start a new
//! tokenizer behind it, or tokenize the document again with larger limits.
//!
//! The crate knows no table: what the feature `parse` adds is generated, as the modules of `speclex-tokenizers` are. What generated code
//! uses of it is in [`rt`].
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod attributes;
mod buffer;
mod byte_order_mark;
mod checkpoint;
mod collector;
mod core;
#[cfg(feature = "trees")]
mod dom;
mod duplicates;
#[cfg(feature = "parse")]
mod edits;
#[cfg(feature = "encoding")]
pub mod encoding;
mod end_reminder;
mod explained;
mod feed_error;
mod feedback;
// What `parse` follows, and `speclex-tokenizers` exports.
#[cfg(any(test, feature = "parse-references", feature = "xml-tokenizer"))]
#[doc(hidden)]
#[rustfmt::skip]
pub mod generated;
mod held;
mod input;
mod input_errors;
mod limits;
mod lookahead;
mod machine;
#[cfg(feature = "macros")]
mod macros;
pub mod markup;
mod name_ahead;
#[cfg(test)]
mod narrow_offsets;
#[doc(hidden)]
pub mod number;
mod offset;
#[cfg(feature = "parse")]
mod parse;
pub mod parts;
mod position;
#[cfg(feature = "std")]
mod read_error;
#[doc(hidden)]
pub mod references;
#[doc(hidden)]
pub mod scan;
mod serialize;
mod short_name;
mod source;
mod span;
mod tokenizer;
mod tokens;
#[cfg(feature = "trees")]
pub mod tree;
mod utf8;
#[cfg(feature = "xml")]
pub mod xml;

pub use attributes::Attributes;
pub use byte_order_mark::ByteOrderMark;
pub use checkpoint::Checkpoint;
#[cfg(feature = "trees")]
pub use dom::{
    Attribute, DocumentOrder, Dom, DomLimit, DomSink, Edge, Keep, KeptAttributes, Node, NodeId,
    NodeKind, OutputTooLong, SerializeOptions, TextOptions, Walk, escape_attribute, escape_text,
};
#[cfg(feature = "parse")]
pub use edits::{EditError, EditErrorKind, EditReader, Edits, Splice};
pub use explained::Explained;
pub use feed_error::{Exceeded, FeedError, Limit, UnknownContent};
pub use feedback::Feedback;
pub use limits::{Excess, Limits};
#[cfg(feature = "parse")]
pub use parse::{
    Context, ContextError, HTML_REVISION, parse, parse_fragment, parse_fragment_with, parse_with,
};
#[cfg(all(feature = "parse", feature = "encoding"))]
pub use parse::{parse_bytes, parse_bytes_with};
pub use position::{Columns, LineIndex, Location};
#[cfg(feature = "std")]
pub use read_error::ReadError;
pub use span::{ErrorCode, ParseError, Span};
#[cfg(feature = "macros")]
#[doc(hidden)]
pub use speclex_macros::{parser as __parser, tokenizer as __tokenizer};
pub use tokenizer::Tokenizer;
pub use tokens::Tokens;

/// What generated code is made of. Versioned by [`rt::FORMAT`], not by the crate.
pub mod rt {
    pub use alloc::borrow::Cow;
    pub use alloc::string::String;
    pub use alloc::vec::Vec;

    #[cfg(feature = "serde")]
    pub use serde;

    pub use crate::attributes::AttributeList;
    pub use crate::buffer::{Buffer, OptionalBuffer};
    pub use crate::collector::{Collector, own_attributes, own_string};
    pub use crate::core::{Core, Events};
    #[cfg(feature = "trees")]
    pub use crate::dom::parse;
    pub use crate::explained::Explanations;
    pub use crate::held::{Held, TokenKind};
    pub use crate::input::{Ahead, Input};
    pub use crate::input_errors::{InputErrors, first as first_input_error};
    pub use crate::lookahead::Pattern;
    #[doc(hidden)]
    pub use crate::lookahead::looked_at;
    pub use crate::machine::{Exchange, FORMAT, Machine, Step, assert_format, opaque};
    pub use crate::number;
    pub use crate::references;
    pub use crate::references::{Match, Name, References};
    pub use crate::scan;
    pub use crate::source::{Borrowed, Copied, Source};
    pub use crate::tokens::Queue;
    #[cfg(feature = "trees")]
    pub use crate::tree::rt as tree;
}
