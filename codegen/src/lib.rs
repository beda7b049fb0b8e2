//! Tables of tokenizers and of tree construction to readable Rust: reads a table, checks it, lowers it to a [`machine`], analyses
//! it and emits code. Pure: text in, machine, tokens or diagnostics out. Only `files`, `either` and `builder`, which are
//! behind features, read or write files.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `builder` | yes | [`Builder`], for build scripts; with `files` and `format` |
//! | `files` | with `builder` | [`files`]: tables on disk and those that ship |
//! | `format` | with `builder` | source text of what is emitted, instead of tokens alone |

pub mod analyse;
pub mod charset;
pub mod emit;
pub mod errata;
pub mod escape;
pub mod explain;
#[cfg(feature = "files")]
mod file_contents;
#[cfg(feature = "files")]
pub mod files;
pub mod machine;
pub mod uses;
pub mod vocabulary;

#[cfg(feature = "builder")]
mod builder;
mod check;
pub mod diagnostic;
#[cfg(feature = "files")]
mod either;
mod extend;
mod json;
mod lexer;
mod load;
mod lookups;
mod lower;
mod phrase;
mod ranges;
mod read;
mod references;
mod schema;
mod set_notation;
mod source;
pub mod statistics;
mod suggest;
#[doc(hidden)]
pub mod testing;
pub mod tree;
mod verify;
mod written;

#[cfg(feature = "builder")]
pub use builder::{BuildError, Builder};
pub use diagnostic::{Diagnostic, Report, Severity, Source};
#[cfg(feature = "files")]
pub use either::Either;
pub use load::{Loaded, load};
pub use lookups::{References, Resolve};
pub use schema::schema;
pub use suggest::closest;
