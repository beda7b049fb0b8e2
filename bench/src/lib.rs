//! Side-by-side benchmarks: our tokenizers, those of others, and bounds that nobody passes.

pub mod bounds;
pub mod cargo;
pub mod code;
pub mod contender;
pub mod cores;
pub mod corpus;
#[cfg(feature = "peers")]
pub mod csv;
pub mod feedback;
pub mod heap;
pub mod instructions;
pub mod ours;
#[cfg(feature = "peers")]
pub mod peers;
pub mod programs;
pub mod reach;
pub mod rounds;
pub mod speed;
pub mod suite;
pub mod table;
pub mod tally;
pub mod worker;
