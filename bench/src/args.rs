//! Arguments and help texts.

use clap::{Parser, Subcommand, ValueEnum};

/// Our tokenizers side by side with those of others and with bounds.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", max_term_width = 100)]
pub(crate) struct Arguments {
    /// Few rounds; the revisions but the newest of each language only with the borrowing sink; no build
    /// without `unsafe` code; only one program
    #[arg(long)]
    pub(crate) quick: bool,
    /// Tokenizers by others, too (takes longer to build)
    #[arg(long)]
    pub(crate) peers: bool,
    /// Only these classes of documents
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    pub(crate) class: Vec<String>,
    /// Only those whose name has one of these words in it
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// So many rounds instead of 15 or 45
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,
    /// How to print the tables
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Only how fast: no heap, no machine code, no compile time, no cores
    #[arg(long)]
    pub(crate) speed: bool,
    /// Only the ratios among our own contenders that are measured in several programs
    #[arg(long, conflicts_with_all = ["quick", "peers", "only", "speed"])]
    pub(crate) programs: bool,
    /// Only instructions per byte, by callgrind, against the checked-in budget
    #[arg(long, conflicts_with_all = ["quick", "peers", "class", "only", "rounds", "speed", "programs"])]
    pub(crate) instructions: bool,
    /// With --instructions: make what was counted the budget
    #[arg(long, requires = "instructions")]
    pub(crate) bless: bool,
    #[command(subcommand)]
    pub(crate) role: Option<Role>,
}

/// What the program does for itself in another process.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Serve a contender over standard input and output
    #[command(hide = true)]
    Worker {
        /// The contender
        name: String,
    },
    /// Compare the contenders of this program that are compared in several
    #[command(hide = true)]
    Ratios {
        /// The class of documents
        class: String,
        /// So many rounds
        rounds: usize,
    },
    /// Run a contender once over a sample
    #[command(hide = true)]
    Once {
        /// The contender
        name: String,
        /// The class of the sample
        class: String,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Markdown
    #[default]
    Human,
    /// One object for each table, a line each
    Json,
}
