//! Arm and branch coverage: what an input reaches, and the shortest inputs that reach everything.
//!
//! [`search`] explores configurations of a machine breadth first. Each candidate input runs in the
//! interpreter, which says what it reaches, so that nothing is claimed that was not seen. Two configurations
//! that cannot differ in what they reach (module `key`) are explored once: that keeps their number finite,
//! so that what was not reached in the end cannot be.

mod items;
mod key;
mod liveness;
mod observer;
mod questions;
mod search;
mod suite;
mod unreached;

pub use items::{Branch, Item, Items, Place};
pub use observer::measure;
pub(crate) use observer::{Observed, Watched};
pub(crate) use questions::{characters, pieces};
pub use search::{Found, Progress, Start, Test, search};
pub use suite::{is_suite, write};
pub use unreached::Unreached;
