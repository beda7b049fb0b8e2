//! Generated tokenizers and tree builders, one module and one Cargo feature for each revision.
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
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `html-living` | yes | the module `html_living` |
//! | the name of another table, as `html-2012` | no | its module, as `html_2012` |
//! | `all-tokenizers`, `all` | no | all tokenizers; all builders, too |
//! | the name of a table of tree construction, as `html-tree-living` | no | its module, as `html_tree_living`: a tree builder, with its tokenizer |
//!
//! ```
//! # #[cfg(feature = "html-tree-living")] {
//! let dom = speclex_tokenizers::html_tree_living::parse("<ul><li>One<li>Two");
//! assert_eq!(dom.elements("li").count(), 2);
//! # }
//! ```
//!
//! Those of the revision that [`speclex::parse`](https://docs.rs/speclex/latest/speclex/fn.parse.html) follows are in `speclex`, and exported from here.
//!
//! Without its feature a module is not there. The compiler says `could not find html_2012` then, and that "the item is gated
//! behind the `html-2012` feature", which `cargo add speclex-tokenizers --features html-2012` turns on.
//!
//! The features of [`speclex`] (`simd`, `std`, `serde`) are turned on by a dependency of one's own on it.
#![no_std]
#![forbid(unsafe_code)]

// No module of its own, whose items would be exported from here: of these the compiler would not say which feature they need.
include!("generated/mod.rs");
