//! Generated tokenizers, one module and one Cargo feature for each revision.
//!
//! ```
//! # #[cfg(feature = "html-living")] {
//! use speclex_tokenizers::html_living::{Token, tokens};
//!
//! let text: Vec<_> = tokens("<p>Fish &amp; chips")
//!     .filter_map(|(token, _)| match token {
//!         Token::Characters(text) => Some(text),
//!         _ => None,
//!     })
//!     .collect();
//! assert_eq!(text, ["Fish & chips"]);
//! # }
//! ```
//!
//! Tokens with strings of their own, of input in pieces:
//!
//! ```
//! # #[cfg(feature = "html-living")] {
//! use speclex_tokenizers::html_living::{Collector, Token, Tokenizer};
//!
//! let mut tokenizer = Tokenizer::new(Collector::new());
//! for piece in ["<a href=x></a><a hr", "ef='/'>"] {
//!     tokenizer.feed(piece)?;
//! }
//! tokenizer.end()?;
//! let mut links = Vec::new();
//! for (token, _) in tokenizer.into_sink().tokens {
//!     if let Token::StartTag { attributes, .. } = token {
//!         links.extend(attributes.into_iter().filter(|(name, _)| name == "href"));
//!     }
//! }
//! assert_eq!(links, [("href".into(), "x".into()), ("href".into(), "/".into())]);
//! # }
//! # Ok::<(), speclex::FeedError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[rustfmt::skip]
mod generated;

pub use generated::*;
