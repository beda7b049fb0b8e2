//! Side-by-side benchmarks: our tokenizers, those of others, and a bound that no tokenizer can pass.

#[cfg(feature = "peers")]
pub mod agreement;
pub mod bound;
pub mod cargo;
pub mod chart;
pub mod contender;
pub mod contenders;
pub mod corpus;
pub mod counts;
#[cfg(feature = "peers")]
pub mod csv;
pub mod dom;
pub mod edits;
mod families;
pub mod growth;
pub mod instructions;
#[cfg(feature = "peers")]
pub mod lexbor;
pub mod measurement;
pub mod ours;
#[cfg(feature = "peers")]
pub mod peers;
pub mod safe_build;
pub mod survey;
pub mod table;
#[cfg(feature = "peers")]
pub mod trees;
pub mod worker;
