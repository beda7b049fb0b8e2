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
//! Owned tokens one by one, of input in pieces; the answer to a start tag says what follows it:
//!
//! ```
//! # #[cfg(feature = "html-living")] {
//! use speclex::Span;
//! use speclex_tokenizers::html_living::{Answer, Content, Each, Token, Tokenizer};
//!
//! let mut links = Vec::new();
//! let look = |token: &mut Token, _: Span| {
//!     let Token::StartTag { name, attributes, .. } = token else {
//!         return Answer::Continue;
//!     };
//!     links.extend(attributes.get("href").map(str::to_owned));
//!     match name.as_str() {
//!         "title" => Answer::Switch(Content::Rcdata),
//!         _ => Answer::Continue,
//!     }
//! };
//! let mut tokenizer = Tokenizer::new(Each::new(look));
//! for piece in ["<title><a href=x></title><a hr", "ef='/'>"] {
//!     tokenizer.feed(piece)?;
//! }
//! tokenizer.end()?;
//! drop(tokenizer);
//! assert_eq!(links, ["/"]);
//! # }
//! # Ok::<(), speclex::UnknownContent>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[rustfmt::skip]
mod generated;

pub use generated::*;
