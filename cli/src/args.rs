//! Arguments and help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
#[cfg(feature = "analysis")]
use speclex_codegen::machine::Feedback;

use crate::help::{self, Of};

/// Tokenizers as data: check, generate, run and compare tokenizer tables.
#[derive(Debug, Parser)]
#[command(name = "speclex", version, about, max_term_width = 100, after_help = help::after(
    [
        ("check tables/my.yaml", "What is wrong with a table"),
        ("tokenize --spec html-living page.html", "What a table makes of a document"),
    ],
    Of::Tables,
    &["done", "found something: faults, differences, stale files; each command's help says what", help::COULD_NOT],
))]
pub(crate) struct Arguments {
    /// Let tables read files that they name in this folder too, besides those of the project around the
    /// current folder and those beside the table; may be repeated
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) allow_read: Vec<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate Rust tokenizers from tables
    Gen(Gen),
    /// Report every fault of tables
    Check(Check),
    /// Print the JSON Schema of the table language
    Schema(Schema),
    /// Show what the generator finds out about each state
    Analyze(Analyze),
    /// Count how often documents enter each state, and propose a list of hot ones
    Profile(Profile),
    /// Tokenize a document: tokens with positions, and parse errors
    Tokenize(Tokenize),
    /// Build the tree of a document
    Tree(TreeCommand),
    /// Write a shortest test for every arm and branch that an input can reach
    Cover(Cover),
    /// Compare a table with its text, sentence by sentence
    Audit(Audit),
    #[command(about = "What differs between two tables, and the shortest inputs that show it")]
    Diff(Diff),
    /// Draw the states of a table, and how one leads to another
    Graph(Graph),
    /// Follow a table through a document, character by character; or two, side by side
    Trace(Trace),
    /// Start a table of your own: a small table and a test, which work
    Init(Init),
    /// Say what a diagnostic code, a phrase, a guard or a key of the table language means
    Explain(Explain),
    /// Print a script that lets a shell complete commands and options
    #[cfg(feature = "shell")]
    Completions(Completions),
    /// Print the manual page, or write one for each command
    #[cfg(feature = "shell")]
    Man(Man),
}

/// In this repository: all shipped tables, into `tokenizers/src/generated/`, and the shared vocabulary.
/// Elsewhere: the tables named.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("gen tables/my.yaml --out src","Write src/my.rs, a module that needs the crate `speclex` alone"),
        ("gen tables/my.yaml --out src --check","Say whether that file is what the table makes"),
    ],
    Of::Tables,
    &["done; with --check: nothing is stale", "a file is stale, or would be overwritten and was not generated", "a table has faults, or it could not run"],
))]
pub(crate) struct Gen {
    /// A shipped table's name or a path; may be repeated
    #[arg(long = "spec", value_name = "TABLE")]
    pub(crate) specs: Vec<String>,
    /// Change nothing; exit with 1 and name the files that are stale, if any are
    #[arg(long)]
    pub(crate) check: bool,
    /// Where the modules go, one file for each table
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite files that were not generated, too
    #[arg(long)]
    pub(crate) force: bool,
    /// Paths of tables
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("check tables/my.yaml","Report all of its faults, each with its place and a suggestion"),
        ("check --format json - < tables/my.yaml","The same of the standard input, one JSON object a line"),
    ],
    Of::Tables,
    &["no table has faults; there may be warnings", "a table has faults", help::COULD_NOT],
))]
pub(crate) struct Check {
    /// Names of shipped tables, or paths; - is the standard input; in the repository all of its tables if there is none
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// How to print faults
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("schema > schema.json","For an editor that completes and checks YAML by a schema"),
        ("schema --check --out schema.json","Say whether that file is stale"),
    ],
    Of::NoTables,
    &["done", "with --check: the file is stale", help::COULD_NOT],
))]
pub(crate) struct Schema {
    /// Write it to this file; with --check look at this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Change nothing; exit with 1 if the file is stale (in the repository without --out: spec-tables/schema.json)
    #[arg(long)]
    pub(crate) check: bool,
    /// Overwrite a file that is no schema of tables, too
    #[arg(long)]
    pub(crate) force: bool,
}

/// In this repository: all shipped tables, into `tests/suites/`. Elsewhere: the table named, to the standard
/// output.
///
/// What counts: an arm is a literal, a set, EOF, `match`, `no match`, or the one body of a state without
/// arms, as lowered: a state that was split counts with all its parts, a procedure once. Each guard adds two
/// branches, one for each answer. The tests have the form of html5lib-tests; `cdataAllowed` is an addition.
/// What no input reaches is listed at the end of the file, with the reason.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("cover --spec tables/my.yaml --out tests/my.test","Write the tests to a file"),
        ("cover --spec tables/my.yaml --out tests/my.test --check","Say whether that file is stale"),
    ],
    Of::Tables,
    &["done", "with --check: the tests are stale", help::COULD_NOT],
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
    /// Overwrite a file that this command did not write, too: one without a list of what is unreachable behind its
    /// tests
    #[arg(long)]
    pub(crate) force: bool,
}

/// How each state is compiled, and what stopped it from having a fast path.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("analyze --spec html-living","All states, the hot ones first"),
        ("analyze --spec html-living --state data","One state in full"),
    ],
    Of::Tables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Analyze {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Only this state, by its name in the table
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// How documents are read.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Pages")]
pub(crate) struct Pages {
    /// Read markup everywhere: what follows a start tag such as <script> or <title> is not taken from the table
    #[arg(long)]
    pub(crate) no_feedback: bool,
    /// Read pages as where scripting is disabled: <noscript> holds markup
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

/// The interpreter tokenizes the documents and counts. The list is printed as YAML, to be put into the table.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("profile --spec html-living pages","Count on all documents of a folder"),
        ("profile --spec tables/my.yaml --most 8 my.txt","The eight states that matter most, as YAML"),
    ],
    Of::Tables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Profile {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// How many states the list has at most
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) most: usize,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) pages: Pages,
    /// Documents, or folders of documents
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
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
    /// For people: a line for each token and error, in the order of the document
    #[default]
    Human,
    /// One object for programs; its errors come last, and are kept until then
    Json,
    /// For programs that read while it comes: a line of JSON for each token and error, in the order of the document, and a
    /// last line with the key `end`
    JsonLines,
}

/// Tokens come out while the document comes in: what is kept is the longest token. A run of characters is one token.
///
/// Documents are UTF-8. Other encodings are not known yet: bytes that are not UTF-8 are read as U+FFFD, with a warning that
/// says where the first is.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("tokenize --spec html-living page.html","A line for each token and error"),
        ("tokenize --spec tables/my.yaml --format json-lines - < my.txt","A JSON object a line, as soon as a token is complete"),
    ],
    Of::Tables,
    &["done, whatever errors the document has", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Tokenize {
    /// A shipped table's name, or a path: a table given by path runs in the interpreter
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// How to print tokens
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TokenFormat,
    /// The content to start in: data, RCDATA, RAWTEXT, "script data", PLAINTEXT, "CDATA section"
    #[arg(long, value_name = "CONTENT")]
    pub(crate) content: Option<String>,
    /// The last start tag's name, for contents that its end tag ends
    #[arg(long, value_name = "NAME")]
    pub(crate) last_start_tag: Option<String>,
    /// Answer requests from standard input, one JSON object a line; `--format json-lines` is for one document
    #[arg(long, conflicts_with_all = ["file", "format"])]
    pub(crate) jsonl: bool,
    /// Use the interpreter even where there is a generated tokenizer
    #[arg(long)]
    pub(crate) interpret: bool,
    #[command(flatten)]
    pub(crate) pages: Pages,
    /// The document; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("tree --spec xml5 feed.xml","The tree, as in html5lib-tests"),
        ("tree --tree trees/my.yaml --format json my.xml","With a table of your own, for programs"),
    ],
    Of::TablesOfTrees,
    &["done, whatever errors the document has", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct TreeCommand {
    /// The name of a shipped table that has tree construction
    #[arg(long, value_name = "TABLE", required_unless_present = "tree")]
    pub(crate) spec: Option<String>,
    /// A table of tree construction, by its name or path; it names its tokenizer
    #[arg(long, value_name = "TREE", conflicts_with = "spec")]
    pub(crate) tree: Option<String>,
    /// How to print the tree
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TreeFormat,
    /// Use the interpreter even where there is a generated tokenizer
    #[arg(long)]
    pub(crate) interpret: bool,
    /// The document; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// As in html5lib-tests; indented, so the size grows with the depth
    #[default]
    Dat,
    /// For programs
    Json,
}

/// Exits with 0 when every state and every sentence is accounted for. The text is read on its own; the
/// table's errata say where something else is to be read than is written, its remarks which sentences say
/// nothing that a table can hold.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("audit --spec html-living --text html.html","Which sentences of the page the table does not have, and the other way round"),
        ("audit --spec tables/my.yaml --text my.txt --format json","The same of your own table, for programs"),
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
}

/// Compare two tables: their states arm by arm, and what they make of every input, or of documents.
///
/// The search runs both machines side by side over classes of characters, shortest inputs first, until no new
/// situation is left. Every input that is shown was run through both tables and shrunk. Where nothing was
/// found the report says whether that is proven.
///
/// With --input or --files-from both tokenizers run on documents instead. Start tags get the answers of tree
/// construction. The report counts the documents that differ and says where each does first and why.
///
/// Exits with 0 if nothing differs (the text says whether that is proven), 1 if something does, 2 if it could
/// not run or not read everything. Where one table names its errors and the other does not, errors are
/// compared by presence.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("diff html-2014 html-living","What changed, with inputs that show it"),
        ("diff html-2014 html-living --input pages","On how many documents of a folder it shows"),
    ],
    Of::Tables,
    &["nothing differs", "something differs", "it could not run, or could not read everything"],
))]
pub(crate) struct Diff {
    /// A shipped table's name, or a path
    #[arg(value_name = "A", required_unless_present = "merge")]
    pub(crate) one: Option<String>,
    /// Another
    #[arg(value_name = "B", required_unless_present = "merge")]
    pub(crate) other: Option<String>,
    /// Only compare what the tables say; any difference in that counts
    #[arg(long, conflicts_with_all = ["witness", "inputs", "files_from", "merge"])]
    pub(crate) structure: bool,
    /// Only show inputs that are treated differently
    #[arg(long, conflicts_with_all = ["inputs", "files_from", "merge"])]
    pub(crate) witness: bool,
    /// Only show the change with this number, with a trace of both tables on its first example
    #[arg(long, value_name = "N", conflicts_with_all = ["structure", "witness", "format", "inputs", "files_from", "merge"])]
    pub(crate) cause: Option<usize>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DiffFormat,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Add up what `diff --input … --format json` printed; - is standard input
    #[arg(
        long,
        value_name = "JSON",
        num_args = 1..,
        conflicts_with_all = ["one", "other", "inputs", "files_from"],
        help_heading = "Documents"
    )]
    pub(crate) merge: Option<Vec<PathBuf>>,
}

/// Documents to compare two tables on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(crate) struct Documents {
    /// Compare on these documents and folders of such, or on standard input
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
    /// What standard input is called in reports
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub(crate) name: String,
    /// Only totals and causes, without the list of documents: memory then does not grow with it
    #[arg(long)]
    pub(crate) totals: bool,
    /// Do not read documents longer than this
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_size: u32,
    /// Threads that compare [default: one for each core]
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
    /// One page for a browser
    Html,
}

/// Draws the state diagram of a table as it was lowered.
///
/// States stand in groups whose names share words. Lines join states of a group; what leads to another group,
/// back to a state that many lead to, or away at the end of the input is a row in the state's box. Parse
/// errors are red, broken lines, with the sign ⚠.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("graph --spec html-living --out html.svg","The whole diagram"),
        ("graph --spec html-living --state 'tag open' --format mermaid","One state and what is around it"),
    ],
    Of::Tables,
    &["done", help::UNUSED, help::COULD_NOT],
))]
pub(crate) struct Graph {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Only this state, by its name in the table: its arms in full, what leads to it and where it leads
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<String>,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
    /// Where to write it; the standard output if nothing is said
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
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

/// Runs the table in the interpreter and prints each step: the place, the character, the state and its arm,
/// what is done, what changes, and the tokens and errors that come out. With --vs it prints two tables side by
/// side, aligned by the place in the document, and says where their outputs part.
///
/// Exits with 0; with --vs with 1 if the outputs differ; with 2 if it could not run.
#[derive(Debug, Default, Args)]
#[command(after_help = help::after(
    [
        ("trace --spec html-living page.html --until 1:20","What happens in the first twenty characters"),
        ("trace --spec html-2014 --vs html-living page.html --only-differences","Where two tables do something else"),
    ],
    Of::Tables,
    &["done; with --vs: the outputs are the same", "with --vs: the outputs differ", help::COULD_NOT],
))]
pub(crate) struct Trace {
    /// A shipped table's name or a path
    #[arg(long, value_name = "TABLE")]
    pub(crate) spec: String,
    /// Another table, to be run beside it
    #[arg(long, value_name = "TABLE")]
    pub(crate) vs: Option<String>,
    /// How to print steps: json is one object a line
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The content to start in: data, RCDATA, RAWTEXT, "script data", PLAINTEXT, "CDATA section"
    #[arg(long, value_name = "CONTENT")]
    pub(crate) content: Option<String>,
    /// The last start tag's name, for contents that its end tag ends
    #[arg(long, value_name = "NAME")]
    pub(crate) last_start_tag: Option<String>,
    /// Print only what happens from this place on
    #[arg(long, value_name = "LINE[:COL]", value_parser = place)]
    pub(crate) from: Option<(u64, u64)>,
    /// Stop behind this place: behind the whole line if there is no column
    #[arg(long, value_name = "LINE[:COL]", value_parser = last_place)]
    pub(crate) until: Option<(u64, u64)>,
    /// Stop when this many steps (with --vs: places) are printed
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// With --vs: print only places where the tables do something else, or their outputs part
    #[arg(long, requires = "vs")]
    pub(crate) only_differences: bool,
    /// How many columns to use; those of the terminal, or 120, if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    pub(crate) width: Option<u16>,
    #[command(flatten)]
    pub(crate) pages: Pages,
    /// The document; - or nothing is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Writes `tables/settings.yaml` and `tests/settings.rs`, and prints the lines that belong in `Cargo.toml`. Files that are
/// there are never overwritten.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("init", "In the crate in the current folder"),
        ("init settings && speclex check settings/tables/settings.yaml", "In another folder; then check the table"),
    ],
    Of::NoTables,
    &["done", help::UNUSED, "a file is there already, or it could not run: nothing is written"],
))]
pub(crate) struct Init {
    /// The folder of the crate
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
}

/// Says in a few lines what a word means that `check` prints or a table has. A phrase may be written as in a table: the form
/// that is nearest to it is explained. Without a word, all are listed.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    [
        ("explain unknown-state", "What a diagnostic reports"),
        ("explain 'switch to tag open'", "What a phrase does"),
    ],
    Of::NoTables,
    &["done", "there is no such word", help::COULD_NOT],
))]
pub(crate) struct Explain {
    /// A diagnostic code, a phrase, a guard or a key
    #[arg(value_name = "CODE|PHRASE")]
    pub(crate) words: Vec<String>,
}

/// Your shell's manual says where such scripts lie.
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

/// In the form of the program `man`.
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
