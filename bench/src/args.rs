//! Arguments and help texts.

use clap::{Parser, Subcommand};

/// Our tokenizers side by side with those of others.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", max_term_width = 100)]
pub(crate) struct Arguments {
    /// Few rounds, and no build without `unsafe` code
    #[arg(long)]
    pub(crate) quick: bool,
    /// Tokenizers by others, too (takes longer to build)
    #[arg(long)]
    pub(crate) peers: bool,
    /// Only these classes of documents
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    pub(crate) class: Vec<String>,
    /// Only contenders whose name contains one of these words
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// The contender that the others are compared with
    #[arg(long, value_name = "CONTENDER")]
    pub(crate) baseline: Option<String>,
    /// The number of rounds, instead of 15 or 45
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,
    /// Write docs/benchmarks.md and its chart
    #[arg(long, requires = "peers", conflicts_with_all = ["class", "only", "baseline"])]
    pub(crate) write: bool,
    /// Only speed, no heap
    #[arg(long)]
    pub(crate) speed: bool,
    /// Only how far what tables know of start tags agrees with html5ever's tree builder
    #[arg(long, exclusive = true)]
    pub(crate) agreement: bool,
    /// Only instructions per byte of whole parses, html5ever's and ours, by callgrind, against goals
    #[arg(long, exclusive = true)]
    pub(crate) trees: bool,
    /// Only what edits of documents cost, in parses, by callgrind, against a limit; with --only, the edits whose name has the words
    #[arg(long, conflicts_with_all = ["quick", "peers", "class", "baseline", "rounds", "speed", "write", "instructions", "growth"])]
    pub(crate) edits: bool,
    /// Only how the instructions of whole parses grow with hostile documents, by callgrind, against a limit; with --only, of those
    /// whose name has the words
    #[arg(long, conflicts_with_all = ["quick", "peers", "class", "baseline", "rounds", "speed", "write", "instructions"])]
    pub(crate) growth: bool,
    /// Only instructions per byte, by callgrind, against the checked-in budget
    #[arg(long, conflicts_with_all = ["quick", "peers", "class", "only", "baseline", "rounds", "speed"])]
    pub(crate) instructions: bool,
    /// With --instructions: make these counts the budget
    #[arg(long, requires = "instructions")]
    pub(crate) bless: bool,
    #[command(subcommand)]
    pub(crate) role: Option<Role>,
}

/// What the program does in another process, for itself.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Run a contender as often as the lines of standard input ask for
    #[command(hide = true)]
    Serve {
        /// The contender
        name: String,
        /// The class of documents
        class: String,
    },
    /// Run a contender once over a sample
    #[command(hide = true)]
    Once {
        /// The contender
        name: String,
        /// The class of the sample
        class: String,
        /// The sample is each document whose number is a multiple of this
        every: usize,
    },
}
