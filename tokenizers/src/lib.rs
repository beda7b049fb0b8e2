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
#![no_std]
#![forbid(unsafe_code)]

#[rustfmt::skip]
mod generated;

pub use generated::*;
