//! The page of `speclex explore`: tables compared, traced, read and changed in a browser.
//!
//! [`api`] answers the page's requests from texts alone. It has no files, threads or clocks, so that WebAssembly can answer in the
//! browser as well. `server` serves the page and hands its requests to `worker`, a process that can be stopped.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `server` | yes | `server` and `worker` |

pub mod api;
mod case;
mod case_file;
mod compare;
mod effect;
mod examples;
mod export;
mod library;
pub mod page;
mod read;
#[cfg(feature = "server")]
pub mod server;
mod trace;
#[cfg(feature = "server")]
pub mod worker;

pub use effect::Progress;
pub use examples::{Example, of_states, of_trees};
pub use export::files;
pub use library::{Library, Own};
