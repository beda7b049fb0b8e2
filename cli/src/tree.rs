//! `tree`: tree construction, and what it makes of a document.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use speclex_analysis::engine::Request;
use speclex_analysis::token::StreamErrors;
use speclex_analysis::tree::errors::{StageError, merged};
use speclex_analysis::tree::{Tree, construct};

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
    let TreeWithTokenizer {
        tree,
        tokenizer,
        loaded,
    } = spec.load()?;
    let input = document::read(args.file.as_deref())?;
    let mut engine = engine(&tokenizer, &loaded.machine, args.interpret);
    let request = Request {
        input: &input,
        ..Request::default()
    };
    let output = engine.tokenize(&request).map_err(Failure::Other)?;
    // Tokens are not joined: each character that is an error has its place.
    let output = output.with_sorted_errors(&StreamErrors::of(&loaded.machine));
    let built = construct(&tree.machine, &output, input.len() as u64);
    let errors = merged(&tree.machine, &input, &output.errors, &built.errors);
    let stdout = io::stdout();
    let out = BufWriter::new(stdout.lock());
    let written = match args.format {
        TreeFormat::Dat => dat(out, &built, &errors),
        TreeFormat::Json => json(out, &built, &errors),
    };
    written.map(|()| ExitCode::SUCCESS).map_err(Failure::output)
}

/// The parts of a test, the errors last.
fn dat(mut out: impl Write, tree: &Tree, errors: &[StageError<'_>]) -> io::Result<()> {
    writeln!(out, "#document")?;
    tree.write_dump(&mut out)?;
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
            object["phase"] = token.phase.into();
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
