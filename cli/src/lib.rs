//! The commands behind `speclex`, the command for people with tables of their own, and behind `cargo
//! xtask`, the same with this repository's defaults.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `analysis` | with the next two | the commands beside `gen`, `check` and `schema` |
//! | `audit` | yes | the command `audit` |
//! | `explore` | yes | the command `explore` |
//! | `shell` | yes | the commands `completions` and `man` |
//! | `tokenizers` | yes | the generated tokenizers of the shipped tables; without them the interpreter runs every table |
//! | `repository` | no | the program behind `cargo xtask revision`, for Speclex's own repository |
//! | `simd` | yes | 16-byte scanning in them; without it all code is safe |

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

#[cfg(feature = "analysis")]
mod analyze;
mod args;
#[cfg(feature = "audit")]
mod audit;
mod check;
#[cfg(feature = "analysis")]
mod choice;
#[cfg(feature = "analysis")]
mod conform;
#[cfg(feature = "analysis")]
mod cover;
#[cfg(feature = "analysis")]
mod diff;
#[cfg(feature = "analysis")]
mod document;
#[cfg(feature = "encoding")]
mod encoding;
#[cfg(feature = "analysis")]
mod engine;
mod explain;
#[cfg(feature = "explore")]
mod explore;
mod failure;
#[cfg(feature = "analysis")]
mod files;
mod generate;
#[cfg(feature = "analysis")]
mod graph;
mod help;
mod init;
mod json_text;
#[cfg(feature = "tokenizers")]
mod limits;
mod output;
#[cfg(feature = "analysis")]
mod profile;
mod refusal;
#[cfg(feature = "repository")]
mod revision;
mod schema;
#[cfg(feature = "shell")]
mod shell;
#[cfg(feature = "encoding")]
mod sniff;
mod source;
mod terminal;
#[cfg(feature = "analysis")]
mod tokenize;
#[cfg(feature = "analysis")]
mod trace;
#[cfg(feature = "analysis")]
mod tree;
mod tree_source;
mod write;

pub use failure::Failure;
#[cfg(feature = "repository")]
pub use revision::new_revision;

/// Where a command is at home.
#[derive(Clone, Debug, Default)]
pub struct Home {
    /// The repository, for `cargo xtask`: commands without arguments are about its tables, and `gen`
    /// writes its checked-in files.
    pub repository: Option<PathBuf>,
}

/// The environment variable by which `cargo xtask` tells `speclex` where the repository is.
pub const REPOSITORY: &str = "SPECLEX_REPOSITORY";

impl Home {
    /// The repository, when `cargo xtask` runs this command for itself.
    fn from_environment() -> Self {
        Self {
            repository: std::env::var_os(REPOSITORY).map(PathBuf::from),
        }
    }

    /// How its commands are called.
    fn command(&self) -> &'static str {
        if self.repository.is_some() {
            "cargo xtask"
        } else {
            "speclex"
        }
    }
}

/// Runs the command of the process's arguments.
pub fn run() -> ExitCode {
    run_from(&Home::from_environment(), std::env::args_os())
}

/// Runs the command of these arguments; the first is the name of the program.
pub fn run_from(home: &Home, arguments: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let typed: Vec<_> = arguments.into_iter().collect();
    let arguments = match args::Arguments::try_parse_from(&typed).and_then(refusal::no_tables) {
        Ok(arguments) => arguments,
        Err(refusal) => {
            let refusal = refusal::with_tip(refusal, home.command(), &typed);
            let text = refusal.render();
            if refusal.use_stderr() {
                terminal::tell(terminal::styled(&text, &std::io::stderr()));
                return ExitCode::from(2);
            }
            // Help is no error.
            let printed = terminal::print(terminal::styled(&text, &std::io::stdout()));
            return exit(printed.map(|()| ExitCode::SUCCESS));
        }
    };
    source::allow_read(arguments.command.allow_read());
    let again = without_check(home, &typed);
    exit(command(home, &arguments.command, &again))
}

/// What was typed, as a shell takes it, without `--check`: the command that writes what that option finds stale.
fn without_check(home: &Home, typed: &[std::ffi::OsString]) -> String {
    let words = typed.iter().skip(1).filter(|word| *word != "--check");
    words.fold(home.command().to_owned(), |command, word| {
        command + " " + &speclex_codegen::escape::shell_word(&word.display().to_string())
    })
}

fn command(home: &Home, command: &args::Command, again: &str) -> Result<ExitCode, Failure> {
    match command {
        args::Command::Gen(args) => generate::run(home, args, again),
        args::Command::Check(args) => check::run(home, args),
        args::Command::Schema(args) => schema::run(home, args),
        #[cfg(feature = "analysis")]
        args::Command::Analyze(args) => analyze::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Profile(args) => profile::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Tokenize(args) => tokenize::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Tree(args) => tree::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Cover(args) => cover::run(home, args, again),
        #[cfg(feature = "audit")]
        args::Command::Audit(args) => audit::run(args),
        #[cfg(all(feature = "analysis", not(feature = "audit")))]
        args::Command::Audit(_) => Err(Failure::Other(
            "this build has no command `audit`".to_owned(),
        )),
        #[cfg(feature = "analysis")]
        args::Command::Diff(args) => diff::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Conform(args) => conform::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Graph(args) => graph::run(args),
        #[cfg(feature = "analysis")]
        args::Command::Trace(args) => trace::run(args),
        #[cfg(feature = "explore")]
        args::Command::Explore(args) => explore::run(home, args),
        #[cfg(all(feature = "analysis", not(feature = "explore")))]
        args::Command::Explore(_) => Err(Failure::Other(
            "this build has no command `explore`".to_owned(),
        )),
        args::Command::Init(args) => init::run(args),
        args::Command::Explain(args) => explain::run(args),
        #[cfg(feature = "shell")]
        args::Command::Completions(args) => shell::completions(args),
        #[cfg(feature = "shell")]
        args::Command::Man(args) => shell::man(args),
        #[cfg(not(feature = "analysis"))]
        _ => Err(Failure::Other(
            "this build has only the commands that need no interpreter, such as `gen` and `check`"
                .to_owned(),
        )),
    }
}

/// Tells what failed.
fn exit(result: Result<ExitCode, Failure>) -> ExitCode {
    match result {
        Ok(code) => code,
        // The reader of our output has read enough.
        Err(Failure::Io { error, .. }) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            terminal::tell(failure.render(terminal::has_colours(&std::io::stderr())));
            ExitCode::from(2)
        }
    }
}

/// The machine of a shipped table, or of one given by path.
///
/// # Errors
/// When there is no such table or it has faults.
pub fn machine(spec: &str) -> Result<speclex_codegen::machine::Machine, Failure> {
    Ok(source::Spec::parse(spec)?.load()?.machine)
}

/// The tree construction of a shipped tokenizer table.
///
/// # Errors
/// When there is none or it has faults.
pub fn tree_machine(tokenizer: &str) -> Result<speclex_codegen::tree::TreeMachine, Failure> {
    let loaded = tree_source::TreeSpec::for_tokenizer(tokenizer)?.load()?;
    Ok(loaded.tree.machine)
}

/// A table of tree construction, by its own name or path, and its tokenizer.
///
/// # Errors
/// When there is none or one of them has faults.
pub fn tree_machines(
    tree: &str,
) -> Result<
    (
        speclex_codegen::tree::TreeMachine,
        speclex_codegen::machine::Machine,
    ),
    Failure,
> {
    let loaded = tree_source::TreeSpec::parse(tree)?.load()?;
    Ok((loaded.tree.machine, loaded.tokenizer.machine))
}

/// A table, checked and lowered: a shipped one, or one given by path.
///
/// # Errors
/// When there is no such table or it has faults.
pub fn load(spec: &str) -> Result<speclex_codegen::Loaded, Failure> {
    source::Spec::parse(spec)?.load()
}

/// What `tokenize` prints for a document.
///
/// # Errors
/// When there is no such table, it has faults, or it cannot start where the request says.
#[cfg(feature = "analysis")]
pub fn printed(
    spec: &str,
    request: &speclex_analysis::engine::Request<'_>,
) -> Result<String, Failure> {
    let input = std::io::Cursor::new(request.input.as_bytes().to_vec());
    let mut text = Vec::new();
    print(spec, request, input, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Prints what `tokenize` prints for the document that a reader gives. The request's input is not used.
///
/// # Errors
/// As for [`printed`], and when the document cannot be read or the output not be written.
#[cfg(feature = "analysis")]
pub fn print(
    spec: &str,
    request: &speclex_analysis::engine::Request<'_>,
    document: impl std::io::Read + 'static,
    out: impl std::io::Write,
) -> Result<(), Failure> {
    tokenize::print(spec, request, document, out)
}

/// The text of a document, joined from the chunks in which `tokenize` reads it.
///
/// # Errors
/// When it cannot be read.
#[cfg(feature = "analysis")]
pub fn read(document: impl std::io::Read + 'static) -> Result<String, Failure> {
    document::Chunks::of(document).joined()
}

/// What `tree` prints for a document, to a terminal or not.
///
/// # Errors
/// When there is no such table, it has no tree construction, or it has faults.
#[cfg(feature = "analysis")]
pub fn printed_tree(spec: &str, document: &str, is_terminal: bool) -> Result<String, Failure> {
    tree::printed(spec, document, is_terminal)
}

/// What `trace` with these arguments prints for a document.
///
/// # Errors
/// When the arguments are not its, there is no such table, or it has faults.
#[cfg(feature = "analysis")]
pub fn traced(arguments: &[&str], document: &str) -> Result<String, Failure> {
    let arguments = ["speclex", "trace"].iter().chain(arguments);
    let parsed = args::Arguments::try_parse_from(arguments);
    match parsed.map_err(|e| Failure::Other(e.to_string()))?.command {
        args::Command::Trace(args) => trace::printed(&args, document),
        _ => Err(Failure::Other("only traces are printed".to_owned())),
    }
}

/// The comparison of two tables: shipped ones, or given by path.
///
/// # Errors
/// When there is no such table or it has faults.
#[cfg(feature = "analysis")]
pub fn diff(one: &str, other: &str) -> Result<speclex_analysis::diff::Diff, Failure> {
    diff::compare(one, other, true)
}

/// Compares two tables of tree construction, by name or path.
///
/// # Errors
/// When there is no such table or it has faults.
#[cfg(feature = "analysis")]
pub fn diff_trees(
    one: &str,
    other: &str,
) -> Result<speclex_analysis::tree_diff::Comparison, Failure> {
    diff::compare_trees([one, other], &mut |_| {})
}

/// The report of such a comparison, with sentences of the texts in a folder.
///
/// # Errors
/// When a table has faults, or its text cannot be read.
#[cfg(feature = "audit")]
pub fn quoting(
    folder: &std::path::Path,
    tables: [&str; 2],
    diff: &speclex_analysis::diff::Diff,
) -> Result<speclex_analysis::diff::Report, Failure> {
    diff::quoting(folder, tables, diff)
}

/// The generated tokenizer of a shipped table.
#[cfg(feature = "tokenizers")]
pub fn generated(name: &str) -> Option<Box<dyn speclex_analysis::engine::Engine>> {
    engine::generated(name)
}

/// A function that feeds a generated tokenizer.
#[cfg(feature = "tokenizers")]
pub type Feed = Box<dyn FnMut(&[u8])>;

/// Feeds a generated tokenizer whose sink keeps nothing; for measurements.
#[cfg(feature = "tokenizers")]
pub fn null_tokenizer(name: &str) -> Option<Feed> {
    engine::null(name)
}
