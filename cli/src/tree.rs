//! `tree`: tree construction, and what it makes of a document.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use speclex_analysis::engine::Request;
use speclex_analysis::token::StreamErrors;
use speclex_analysis::tree::errors::{StageError, merged};
use speclex_analysis::tree::{Tree, construct};
use speclex_codegen::escape;

use crate::args::{TreeCommand, TreeFormat};
use crate::engine::engine;
use crate::tree_source::{TreeSpec, TreeWithTokenizer};
use crate::{Failure, document};

/// Builds the tree of a document.
pub(crate) fn run(args: &TreeCommand) -> Result<ExitCode, Failure> {
    let spec = match (&args.tree, &args.spec) {
        (Some(word), _) => TreeSpec::parse(word)?,
        (None, Some(word)) => TreeSpec::for_tokenizer(word)?,
        // One of them is required.
        (None, None) => return Err(Failure::Other("which table? Name one: --spec".to_owned())),
    };
    // Faults of the table come before those of the file.
    let loaded = spec.load()?;
    let input = document::read(args.file.as_deref())?;
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let out = BufWriter::new(stdout.lock());
    let (interpret, format) = (args.interpret, args.format);
    print(out, &loaded, &input, interpret, format, is_terminal).map(|()| ExitCode::SUCCESS)
}

/// What is printed for a document, in the form of html5lib-tests.
pub(crate) fn printed(spec: &str, input: &str, is_terminal: bool) -> Result<String, Failure> {
    let loaded = TreeSpec::for_tokenizer(spec)?.load()?;
    let mut out = Vec::new();
    print(&mut out, &loaded, input, true, TreeFormat::Dat, is_terminal)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn print(
    out: impl Write,
    spec: &TreeWithTokenizer,
    input: &str,
    interpret: bool,
    format: TreeFormat,
    is_terminal: bool,
) -> Result<(), Failure> {
    let TreeWithTokenizer {
        tree,
        tokenizer,
        loaded,
    } = spec;
    let mut engine = engine(tokenizer, &loaded.machine, interpret);
    let request = Request {
        input,
        ..Request::default()
    };
    let output = engine.tokenize(&request).map_err(Failure::Other)?;
    // Tokens are not joined: each character that is an error has its place.
    let output = output.with_sorted_errors(&StreamErrors::of(&loaded.machine));
    let built = construct(&tree.machine, &output, input.len() as u64);
    let errors = merged(&tree.machine, input, &output.errors, &built.errors);
    let written = match format {
        TreeFormat::Dat => dat(out, &built, &errors, is_terminal),
        TreeFormat::Json => json(out, &built, &errors),
    };
    written.map_err(Failure::output)
}

/// The parts of a test, the errors last. The form is for programs and has no escapes: what would steer a
/// terminal is escaped only there.
fn dat(
    mut out: impl Write,
    tree: &Tree,
    errors: &[StageError<'_>],
    is_terminal: bool,
) -> io::Result<()> {
    writeln!(out, "#document")?;
    if is_terminal {
        let mut dump = Vec::new();
        tree.write_dump(&mut dump)?;
        out.write_all(escape::lines(&String::from_utf8_lossy(&dump)).as_bytes())?;
    } else {
        tree.write_dump(&mut out)?;
    }
    writeln!(out, "\n#errors")?;
    for error in errors {
        writeln!(out, "{error}")?;
    }
    out.flush()
}

fn json(mut out: impl Write, tree: &Tree, errors: &[StageError<'_>]) -> io::Result<()> {
    write!(out, "{{\"document\": ")?;
    tree.write_json(&mut out)?;
    write!(out, ",\n \"errors\": [")?;
    for (index, error) in errors.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let mut object = serde_json::json!({
            "code": error.code,
            "line": error.position.line,
            "col": error.position.column,
        });
        if let Some(token) = &error.token {
            object["phase"] = token.mode.into();
            object["token"] = token.kind.into();
            if let Some(name) = &token.name {
                object["name"] = (&**name).into();
            }
            if let Some(open) = &token.open {
                object["open"] = (&**open).into();
            }
        }
        write!(out, "{comma}\n  {object}")?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}
