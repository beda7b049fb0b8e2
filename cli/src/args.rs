//! Arguments and help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
#[cfg(feature = "analysis")]
use speclex_analysis::diff::Setup;
use speclex_codegen::machine::Feedback;

use crate::help::{self, Of};
#[cfg(feature = "tokenizers")]
use crate::limits::LimitArgs;

/// HTML and XML5 as tables: print tokens and trees of documents; check, compare and draw tables, and generate Rust from them.
#[derive(Debug, Parser)]
#[command(name = "speclex", version, about, max_term_width = 100, after_help = help::after(
    [
        ("tokenize page.html", "Print the tokens of a document, with places and parse errors"),
        ("tree page.html", "Print the tree of a document"),
    ],
    Of::TablesOfEither,
    &["done", "found faults, differences or stale files; each command's help says which", help::COULD_NOT],
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What tables may read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What tables may read")]
pub(crate) struct Reading {
    /// Let tables read files in this folder, too, besides those of the project around the current folder and
    /// those beside the table; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_read: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate Rust from tables of tokenizers
    Gen(Gen),
    /// Report every fault of tables
    Check(Check),
    /// Print the JSON Schema of the table language
    Schema(Schema),
    /// Show how the generator compiles each state or insertion mode
    Analyze(Analyze),
    /// Count how often documents enter each state, and propose a list of hot ones
    Profile(Profile),
    #[command(about = "Tokenize a document: tokens with positions, and parse errors")]
    Tokenize(Tokenize),
    #[command(about = "Print the tree of a document, and its parse errors")]
    Tree(TreeCommand),
    /// Write a shortest test for every arm and branch that an input can reach
    Cover(Cover),
    /// Compare a table with its text, sentence by sentence
    Audit(Audit),
    #[command(about = "Compare two tables, and show short inputs on which they differ")]
    Diff(Diff),
    #[command(about = "Test a tokenizer of someone else with a table, and say which arms deviate")]
    Conform(Conform),
    /// Draw the states or insertion modes of a table and how they lead to each other
    Graph(Graph),
    /// Show how a table, or two side by side, read a document, step by step
    Trace(Trace),
    /// Show tables in a browser: compare, trace, read and change them
    Explore(Explore),
    /// Write a small table of either kind, to start from
    Init(Init),
    /// Explain a diagnostic code, a word of the table language, a parse error, a state or an insertion mode
    Explain(Explain),
    /// Print a script that lets a shell complete commands and options
    #[cfg(feature = "shell")]
    Completions(Completions),
    /// Print the manual page, or write one for each command
    #[cfg(feature = "shell")]
    Man(Man),
}

/// Without arguments, in this repository, generates all that is checked in: a module for each shipped table, the features of
/// `tokenizers/Cargo.toml`, the shared vocabulary. Modules that are left over are removed. Elsewhere, name the tables.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("gen tables/my.yaml --out src","Write src/my.rs, a module that needs the crate `speclex` alone"),
        ("gen tables/my.yaml --out src --check","Say whether that file is up to date"),
    ],
    Of::Tables,
    &["done; with --check: nothing is stale", "a file is stale, or the command would overwrite a file that was not generated", "a table has faults, or the command could not run"],
))]
pub(crate) struct Gen {
    /// A shipped table's name or a path; may be repeated
    #[arg(long = "spec", value_name = "TABLE")]
    pub(crate) specs: Vec<String>,
    /// Change nothing; if files are stale, name them and exit with 1
    #[arg(long)]
    pub(crate) check: bool,
    /// Where the modules go, one file for each table; the current folder otherwise
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite files that were not generated, too
    #[arg(long)]
    pub(crate) force: bool,
    /// Paths of tables
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("check tables/my.yaml","Report all of its faults, each with its place and a suggestion"),
        ("check --format json - < tables/my.yaml","Check the standard input, and print one JSON object a line"),
    ],
    Of::TablesOfEither,
    &["no table has faults; there may be warnings", "a table has faults", help::COULD_NOT],
))]
pub(crate) struct Check {
    /// Names of shipped tables, or paths; - is the standard input; the default in the repository is all of its tables
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// How to print faults
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("schema > schema.json","Write the schema for an editor that completes and checks YAML"),
        ("schema --check --out schema.json","Say whether that file is stale"),
    ],
    Of::NoTables,
    &["done", "with --check: the file is stale; without it: the command would overwrite a file that it did not write", help::COULD_NOT],
))]
pub(crate) struct Schema {
    /// Write the schema to this file; with --check, compare this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Change nothing; exit with 1 if the file is stale; without --out, in the repository, it is spec-tables/schema.json
    #[arg(long)]
    pub(crate) check: bool,
    /// Overwrite the file even if it is no schema of tables
    #[arg(long)]
    pub(crate) force: bool,
}

/// Without --spec, in this repository, writes tests for all shipped tables to `tests/suites/`. Elsewhere, writes
/// the tests of one table to the standard output.
///
/// The command counts the arms of the lowered table. An arm is a literal, a set, EOF, `match`, `no match`, or
/// the body of a state without arms. If lowering splits a state, each part counts; a procedure counts once.
/// Each guard adds two branches, one for each answer. The tests have the form of html5lib-tests, with the
/// additional key `cdataAllowed`. The end of the file lists what no input reaches, with the reason.
///
/// Of a table of tree construction, writes documents with their errors and trees, as .dat files of html5lib-tests: the shortest found for each
/// arm, name in its key, list of steps and answer to a question, and for each single change of these one that notices it. That takes
/// minutes. The standard error says what is not reached, and why. In this repository a shipped table's are in `tests/suites/`.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("cover --spec tables/my.yaml --out tests/my.test","Write the tests to a file"),
        ("cover --spec tables/my.yaml --out tests/my.test --check","Say whether that file is stale"),
    ],
    Of::Tables,
    &["done", "with --check: the tests are stale; without it: the command would overwrite a file that it did not write", help::COULD_NOT],
))]
pub(crate) struct Cover {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: Option<String>,
    /// Where the tests go
    #[arg(long, value_name = "FILE", requires = "spec")]
    pub(crate) out: Option<PathBuf>,
    /// Change nothing; exit with 1 if the tests are stale
    #[arg(long)]
    pub(crate) check: bool,
    /// Overwrite the file even if this command did not write it, that is, if no list of unreachable arms follows
    /// its tests
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Runs a tokenizer or tree builder of any language as a child process, and compares what it does with what the table says.
///
/// The command gets a request a line on its standard input, in JSON, and writes an answer a line: the batch protocol of
/// `tokenize --jsonl`, or documents and their trees for a table of tree construction. Inputs are the table's cover suite, tests of
/// html5lib-tests, and random text after inputs that lead to an arm; those of tokenizers come whole, and then cut after each
/// character: 1,476 inputs are some 30,000 requests. The table says what is right, not the tests. Progress shows on a terminal.
///
/// The report names the arms that explain all deviations, with the shortest input found for each. A command that ends, does not
/// answer in time or writes something else than an answer deviates; the next input goes to a new process.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("conform --spec html-living -- node parse5.mjs", "Test a tokenizer on every arm"),
        ("conform --spec html-tree-living --tests html5lib-tests/tree-construction -- node parse5_trees.mjs", "Test a tree builder, on more inputs"),
    ],
    Of::Tables,
    &["no input deviates", "some input deviates, or none was read", help::COULD_NOT],
))]
pub(crate) struct Conform {
    /// A shipped table's name, or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Send the inputs of these files of html5lib-tests, too, or of all .test files in these folders; .dat files for tree builders
    #[arg(long, value_name = "DIR|FILE", num_args = 1..)]
    pub(crate) tests: Vec<PathBuf>,
    /// How many random inputs to send
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) random: usize,
    /// Choose other random inputs; they are the same for the same seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many seconds to wait for an answer; before the first one, the command starts
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// The tokenizer decides by itself what follows a start tag, as in a page: text after <script>
    #[arg(long)]
    pub(crate) feedback: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The command that runs the tokenizer or tree builder, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<std::ffi::OsString>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Shows how the generator compiles each state, and what prevents a fast path. Of a table of tree construction it shows each insertion
/// mode: how many names it tells apart, which arms only hand the token on, which characters it takes in runs, in which loops it searches
/// the stack, and to which insertion modes it leads.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("analyze --spec html-living","Show all states, the hot ones first"),
        ("analyze --spec html-living --state data","Show one state in full"),
    ],
    Of::TablesOfEither,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Analyze {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Only this state or insertion mode, by its name in the table
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Command {
    /// The folders in which tables may read, too.
    pub(crate) fn allow_read(&self) -> &[PathBuf] {
        let reading = match self {
            Self::Gen(args) => &args.reading,
            Self::Check(args) => &args.reading,
            Self::Analyze(args) => &args.reading,
            Self::Profile(args) => &args.reading,
            Self::Tokenize(args) => &args.reading,
            Self::Tree(args) => &args.reading,
            Self::Cover(args) => &args.reading,
            Self::Audit(args) => &args.reading,
            Self::Diff(args) => &args.reading,
            Self::Conform(args) => &args.reading,
            Self::Graph(args) => &args.reading,
            Self::Trace(args) => &args.reading,
            Self::Explain(args) => &args.reading,
            Self::Explore(args) => &args.reading,
            Self::Schema(_) | Self::Init(_) => return &[],
            #[cfg(feature = "shell")]
            Self::Completions(_) | Self::Man(_) => return &[],
        };
        &reading.allow_read
    }
}

/// How documents are read.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Pages")]
pub(crate) struct Pages {
    /// Read markup everywhere, also after start tags such as <script> and <title>
    #[arg(long)]
    pub(crate) no_feedback: bool,
    /// Read pages as a browser with scripting disabled does: <noscript> holds markup
    #[arg(long, conflicts_with = "no_feedback")]
    pub(crate) no_scripting: bool,
    /// Leave a byte order mark at the start to the table
    #[arg(long)]
    pub(crate) keep_bom: bool,
}

#[cfg(feature = "analysis")]
impl Pages {
    /// Whether tables say what follows start tags.
    pub(crate) fn feedback(self) -> Feedback {
        match (self.no_feedback, self.no_scripting) {
            (true, _) => Feedback::Off,
            (_, true) => Feedback::NoScripting,
            _ => Feedback::Scripting,
        }
    }
}

/// The interpreter tokenizes the documents and counts how often it enters each state. The command prints the
/// list as YAML, which you can put into the table.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("profile --spec html-living pages","Count on all documents of a folder"),
        ("profile --spec html-tree-living pages","Count the start tags, for a table of tree construction"),
    ],
    Of::Tables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Profile {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// The most states that the list may have, or start tags of a tree construction table [default: 16, or 48]
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<usize>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Documents, or folders of documents
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TokenFormat {
    /// For people: a line for each token and error, a token when it is complete
    #[default]
    Human,
    /// For programs: one object at the end of the document, with the errors after the tokens
    Json,
    /// For programs that read the output as it comes: a line of JSON for each token and error, in the same order, and a
    /// last line with the key `end`
    JsonLines,
}

/// Prints each token as soon as it is complete, and keeps the text of at most one token in memory, limits or not. A run of characters is one token.
///
/// Without --spec, each document gets the table `xml5` or `html-living`, and the standard error says which. It is `xml5` if the
/// file's name ends in .xml, .xhtml, .xht, .svg, .rss, .atom, .xsl or .xslt, and `html-living` if it ends in .html or .htm. By any
/// other name, and on the standard input, the document is XML if it begins with `<?xml`.
///
/// Documents are decoded as browsers do it, and the standard error says which encoding that is, and why: a byte order mark, a
/// <meta> or an XML declaration in the first 1024 bytes, or else UTF-8, or windows-1252 for HTML of which the first 1024 bytes
/// are not UTF-8. No token comes before the encoding is known; --encoding reads without waiting. U+FFFD replaces malformed bytes,
/// and a warning says so. Places count the decoded text as UTF-8.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("tokenize page.html","Print a line for each token and error"),
        ("tokenize --spec tables/my.yaml --format json-lines - < my.txt","Print a JSON object a line, as soon as a token is complete"),
    ],
    Of::Tables,
    &["done, whatever errors the documents have", help::UNUSED, "the command could not run, or could not read every document"],
))]
pub(crate) struct Tokenize {
    /// A shipped table's name, or a path; a table given by its path runs in the interpreter [default: by the document]
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: Option<String>,
    /// How to print tokens
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TokenFormat,
    /// The content to start in: data, RCDATA, RAWTEXT, "script data", PLAINTEXT, "CDATA section"
    #[arg(long, value_name = "CONTENT")]
    pub(crate) content: Option<String>,
    /// The last start tag's name, for contents that its end tag ends
    #[arg(long, value_name = "NAME")]
    pub(crate) last_start_tag: Option<String>,
    /// Answer requests from standard input, one JSON object a line (for one document, use `--format json-lines`)
    #[arg(
        long,
        requires = "spec",
        conflicts_with_all = ["files", "format", "content", "last_start_tag", "no_feedback", "no_scripting", "keep_bom"]
    )]
    pub(crate) jsonl: bool,
    /// Use the interpreter even where there is a generated tokenizer
    #[arg(long)]
    pub(crate) interpret: bool,
    /// Below each tag, comment and DOCTYPE, print where its parts are: names, values, and attributes that are dropped
    /// because their name came before
    #[cfg(feature = "encoding")]
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) parts: bool,
    /// The documents' encoding, unless they begin with a byte order mark: utf-8, shift_jis, windows-1252 and all others that
    /// browsers know [default: by the document]
    #[cfg(feature = "encoding")]
    #[arg(long, value_name = "NAME", conflicts_with = "jsonl", value_parser = crate::encoding::named)]
    pub(crate) encoding: Option<&'static speclex::encoding::Encoding>,
    /// The documents; - or nothing is standard input. If there are several, a heading, or in JSON the key `file`, says
    /// which each one is
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[cfg(feature = "tokenizers")]
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Builds the tree of a document or fragment in the interpreter, and prints it with the errors of both tables. There are no limits,
/// neither of tokens nor of depth.
///
/// Without --spec, the document is read with `html-living` or `xml5`, chosen as `tokenize` does it, and the standard error says which.
///
/// The document is decoded as `tokenize` decodes it, and the standard error says which encoding that is, and why. Places count the
/// decoded text as UTF-8.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("tree page.html","Print the tree in the form of html5lib-tests"),
        ("tree --spec html-living --fragment td --format json","Parse a fragment from standard input, and print JSON with places"),
    ],
    Of::TablesOfEither,
    &["done, whatever errors the document has", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct TreeCommand {
    /// A table of tree construction, by its name or path, or a shipped table of a tokenizer, to which one belongs
    /// [default: by the document]
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: Option<String>,
    /// The name or path of a table of tree construction, and nothing else
    #[arg(long, value_name = "TREE", conflicts_with = "spec")]
    pub(crate) tree: Option<String>,
    /// The document's encoding, unless it begins with a byte order mark: utf-8, shift_jis, windows-1252 and all others that
    /// browsers know [default: by the document]
    #[cfg(feature = "encoding")]
    #[arg(long, value_name = "NAME", value_parser = crate::encoding::named)]
    pub(crate) encoding: Option<&'static speclex::encoding::Encoding>,
    /// How to print the tree
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TreeFormat,
    /// Parse a fragment inside this element: `div`, `svg path`, `math mi`
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) fragment: Option<String>,
    /// Whether scripts run; that decides what `noscript` elements hold
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    pub(crate) scripting: Scripting,
    /// The document; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scripting {
    /// They run
    Normal,
    /// There is no scripting: `noscript` elements hold elements
    #[default]
    Disabled,
    /// They do not run, but `noscript` elements hold text: `innerHTML`
    Inert,
    /// They run once they are inserted: `createContextualFragment`
    Fragment,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// The form of html5lib-tests; it is indented, so its size grows with the depth
    #[default]
    Dat,
    /// For programs
    Json,
}

/// Exits with 0 when every state and every sentence is accounted for. The command parses the text without
/// looking at the table. The table's errata then correct slips of the text, and its remarks list the sentences
/// that no table can express.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("audit --spec html-living --text html.html","Report the differences between the table and the page"),
        ("audit --spec tables/my.yaml --text my.txt --format json","Audit your own table, and print JSON"),
    ],
    Of::Tables,
    &["everything is accounted for", "something is not accounted for", help::COULD_NOT],
))]
pub(crate) struct Audit {
    /// A shipped table's name, or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// The text: plain with indented actions, in the arm notation, or the standard's HTML
    #[arg(long, value_name = "FILE")]
    pub(crate) text: PathBuf,
    /// How to print differences
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Compares two tables: their states arm by arm, and their results on every input, or on documents.
///
/// The search runs both machines side by side over classes of characters, shortest inputs first, until it finds
/// no new combination of states and registers. Every input in the report has been run through both tables. Of those that
/// show a change, the report has a short one that is easy to read. If the search finds no difference, the report says whether it has proven that there is none. If one table names its
/// errors and the other does not, only the presence of errors is compared.
///
/// With --input or --files-from, both tokenizers run on documents instead. As in a page, the name of a start tag
/// decides what its content is (`<script>` holds text). The report counts the documents that differ and says where
/// each first differs, and why.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("diff html-2014 html-living","List the changes, with inputs that show them"),
        ("diff html-2014 html-living --input pages","Count the documents of a folder that differ"),
    ],
    Of::TablesOfEither,
    &["nothing differs", "something differs", "the command could not run, or could not read everything"],
))]
pub(crate) struct Diff {
    /// A shipped table's name, or a path
    #[arg(value_name = "A", required_unless_present = "merge")]
    pub(crate) one: Option<String>,
    /// The table to compare with A
    #[arg(value_name = "B", required_unless_present = "merge")]
    pub(crate) other: Option<String>,
    /// Only compare the tables' states and arms, without running them; any difference counts
    #[arg(long, conflicts_with_all = ["witness", "inputs", "files_from", "merge"])]
    pub(crate) structure: bool,
    /// Only show inputs on which the tables differ
    #[arg(long, conflicts_with_all = ["inputs", "files_from", "merge"])]
    pub(crate) witness: bool,
    /// Only show the change with this number, with a trace of both tables on its first example
    #[arg(long, value_name = "N", conflicts_with_all = ["structure", "witness", "format", "inputs", "files_from", "merge"])]
    pub(crate) cause: Option<usize>,
    /// Quote sentences of the texts that the tables were made from, where a table says that they may be quoted; the texts
    /// are in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["inputs", "files_from", "merge"])]
    pub(crate) texts: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DiffFormat,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Add up the outputs of `diff --input … --format json`; - is standard input
    #[arg(
        long,
        value_name = "JSON",
        num_args = 1..,
        conflicts_with_all = ["one", "other", "inputs", "files_from"],
        help_heading = "Documents"
    )]
    pub(crate) merge: Option<Vec<PathBuf>>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Documents to compare two tables on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(crate) struct Documents {
    /// Compare on these documents and folders of documents, or on standard input
    #[arg(long = "input", value_name = "FILE|DIR|-", num_args = 1..)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Compare on the files and folders that this file names, one a line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// The names in --files-from end with NUL, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from")]
    pub(crate) null: bool,
    /// Standard input holds many documents
    #[arg(long, value_name = "FORM", value_enum, requires = "inputs")]
    pub(crate) records: Option<Records>,
    /// The name of standard input in reports
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub(crate) name: String,
    /// Report only totals and causes; without the list of documents, memory does not grow with their number
    #[arg(long)]
    pub(crate) totals: bool,
    /// Do not read documents longer than this
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_size: u32,
    /// The number of threads that compare [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    pub(crate) pages: Pages,
}

/// How documents on the standard input are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Records {
    /// A document ends with a line feed
    Newline,
    /// A document ends with U+0000
    Nul,
    /// Each line is a JSON string, or an object with the texts `name` and `document`
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// For pages of documentation
    Markdown,
}

/// Draws the state diagram of a table as it was lowered; of a table of tree construction its insertion modes, and which arms switch to
/// another, reprocess the token there (↺) or process it using the rules for another (⊂).
///
/// States whose names share words form a group. Lines join the states of a group. A row in the state's box
/// replaces the line if the arm leads to another group, back to a state that many arms lead to, or away at the
/// end of the input. Parse errors are red, broken lines, with the sign ⚠.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("graph --spec html-living --out html.svg","Draw the whole diagram"),
        ("graph --spec html-living --state 'tag open' --format mermaid","Draw one state and its neighbours"),
    ],
    Of::TablesOfEither,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Graph {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Draw only this state or insertion mode (by its name in the table), with its arms in full, its predecessors and its successors
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
    /// The file to write [default: the standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A picture for a browser
    #[default]
    Svg,
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
}

/// Runs the table in the interpreter and prints each step: the place, the character, the state and its arm, the
/// actions, what changes, and the tokens and errors. A table of tree construction runs with its tokenizer: for each token there are
/// the states that read it, the insertion modes and arms that took it, their steps, what changes of the stack and of all else that
/// later tokens depend on, and where nodes went. With --vs it prints two tables side by side, aligned by the
/// place in the document, and says where their outputs differ.
///
/// Exits with 0, with 1 if --vs is given and the outputs differ, and with 2 if the command could not run.
#[derive(Debug, Default, Args)]
#[command(after_help = help::after(
    [
        ("trace --spec html-living page.html --until 1:20","Trace the first twenty characters"),
        ("trace --spec html-2014 --vs html-living page.html --only-differences","Print only the steps in which two tables differ"),
    ],
    Of::TablesOfEither,
    &["done; with --vs: the outputs are the same", "with --vs: the outputs differ", help::COULD_NOT],
))]
pub(crate) struct Trace {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Another table of the same kind to run beside it
    #[arg(long, value_name = "TABLE")]
    pub(crate) vs: Option<String>,
    /// With a tree table: parse a fragment inside this element: `div`, `svg path`, `math mi`
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) fragment: Option<String>,
    /// With a tree table: whether scripts run; that decides what `noscript` elements hold
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    pub(crate) scripting: Scripting,
    /// How to print steps: json is one object a line
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The content to start in: data, RCDATA, RAWTEXT, "script data", PLAINTEXT, "CDATA section"
    #[arg(long, value_name = "CONTENT")]
    pub(crate) content: Option<String>,
    /// The last start tag's name, for contents that its end tag ends
    #[arg(long, value_name = "NAME")]
    pub(crate) last_start_tag: Option<String>,
    /// Instead of the content and the name, all that an example starts with.
    #[cfg(feature = "analysis")]
    #[arg(skip)]
    pub(crate) start: Option<Setup>,
    /// Print steps from this place on
    #[arg(long, value_name = "LINE[:COL]", value_parser = place)]
    pub(crate) from: Option<(u64, u64)>,
    /// Stop after this place; without a column, after the whole line
    #[arg(long, value_name = "LINE[:COL]", value_parser = last_place)]
    pub(crate) until: Option<(u64, u64)>,
    /// Stop when this many steps (with --vs: places) are printed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_steps: Option<u64>,
    /// With --vs: print only places where the steps or the outputs of the two tables differ
    #[arg(long, requires = "vs")]
    pub(crate) only_differences: bool,
    /// The number of columns to use [default: those of the terminal, or 120]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    pub(crate) width: Option<u16>,
    /// The document; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pages: Pages,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Writes `tables/settings.yaml` and `tests/settings.rs`, and prints the lines that belong in `Cargo.toml`; with --tree, a table of
/// tree construction, its tokenizer and a document. The command never overwrites a file.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("init", "Write to the crate in the current folder"),
        ("init --tree outlines && speclex check outlines/tables/outline-tree.yaml", "Write a tree table to another folder; then check it"),
    ],
    Of::NoTables,
    &["done", help::UNUSED, "a file exists already, or the command could not run: nothing is written"],
))]
pub(crate) struct Init {
    /// Write a table of tree construction and its tokenizer
    #[arg(long)]
    pub(crate) tree: bool,
    /// The folder of the crate
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
}

/// Serves a page for this machine alone, until it is stopped with Ctrl+C: two tables side by side with what they make of an input, a
/// trace of it, the tables themselves and an editor for them. The page works without a network. A link to it holds the input and
/// the tables.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("explore --open", "Open the page in the browser"),
        ("explore tables/csv.yaml --port 8000", "Show a table of your own, too"),
    ],
    Of::TablesOfEither,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Explore {
    /// Tables of your own, by path. The shipped ones are always there
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<PathBuf>,
    /// The port [default: 7348, or a free one if that is taken]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Write a page without Trace and Change into this folder, for any web server, and serve nothing
    #[arg(long, value_name = "DIR", conflicts_with_all = ["port", "open"])]
    pub(crate) export: Option<PathBuf>,
    /// Answer requests from the standard input: a process of the server's
    #[arg(long, hide = true, exclusive = true)]
    pub(crate) worker: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Explains, in a few lines, a word of a table or of the output of `check`. You can write a phrase or a condition as it stands in
/// your table: the command explains the form nearest to it. Without a word, the command lists all words.
///
/// It explains a parse error, as `tokenize` prints it, by the table's sentence and its link; and a state or an insertion mode by all
/// of its arms, wherever in a chain of `extends` they stand. `start tag "li"` is each arm that names this tag, `start tag "li" in "in
/// table"` the arm that takes it there. All these are those of `html-living` and `html-tree-living`; --spec chooses another table.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("explain 'tag open' --spec html-2026-06", "Explain a state: all that it does"),
        ("explain 'start tag \"li\"'", "Explain what tree construction does with a tag"),
    ],
    Of::TablesOfEither,
    &["done", "there is no such word", help::COULD_NOT],
))]
pub(crate) struct Explain {
    /// The table that has the parse errors and the states, or the insertion modes [default: html-living and html-tree-living]
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: Option<String>,
    /// A diagnostic code, a phrase, a guard, a class, a key, a type, a parse error, a state, an insertion mode, an arm or a procedure
    #[arg(value_name = "WORD")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Your shell's manual says where to put such a script.
#[cfg(feature = "shell")]
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("completions bash > ~/.local/share/bash-completion/completions/speclex", "For bash"),
        ("completions fish > ~/.config/fish/completions/speclex.fish", "For fish"),
    ],
    Of::NoTables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// Writes pages in the format of the program `man`.
#[cfg(feature = "shell")]
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("man | man -l -", "Read the page of `speclex` itself"),
        ("man --out ~/.local/share/man/man1", "Install a page for each command"),
    ],
    Of::NoTables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Man {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A line, and a column or else its start.
fn place(word: &str) -> Result<(u64, u64), String> {
    parse_place(word, 1)
}

/// A line, and a column or else its end.
fn last_place(word: &str) -> Result<(u64, u64), String> {
    parse_place(word, u64::MAX)
}

fn parse_place(word: &str, otherwise: u64) -> Result<(u64, u64), String> {
    let number = |word: &str| match word.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("lines and columns are numbers from 1, as in 3 or 3:14".to_owned()),
    };
    match word.split_once(':') {
        Some((line, column)) => Ok((number(line)?, number(column)?)),
        None => Ok((number(word)?, otherwise)),
    }
}
