//! The vocabulary that all markup tables share: sinks and tokens that serve every revision.

#[rustfmt::skip]
mod generated;

pub use generated::*;
