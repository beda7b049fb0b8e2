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
    let is_terminal = stdout.is_terminal();
    let out = BufWriter::new(stdout.lock());
    let written = match args.format {
        TreeFormat::Dat => dat(out, &built, &errors, is_terminal),
        TreeFormat::Json => json(out, &built, &errors),
    };
    written.map(|()| ExitCode::SUCCESS).map_err(Failure::output)
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

#[cfg(test)]
mod tests {
    use super::*;
    use speclex_analysis::token::Output;

    #[test]
    fn a_terminal_is_not_steered() {
        let loaded = TreeSpec::for_tokenizer("xml5").and_then(|spec| spec.load());
        let TreeWithTokenizer {
            tree,
            tokenizer,
            loaded,
        } = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        let input = "<a b='\x1b]0;t\x07'>\u{202E}\u{9B}\n</a>";
        let request = Request {
            input,
            ..Request::default()
        };
        let output = engine(&tokenizer, &loaded.machine, true).tokenize(&request);
        let output: Output = output.unwrap_or_default().coalesced();
        let built = construct(&tree.machine, &output, input.len() as u64);
        let printed = |is_terminal| {
            let mut out = Vec::new();
            dat(&mut out, &built, &[], is_terminal)
                .map(|()| String::from_utf8_lossy(&out).into_owned())
        };
        let terminal = printed(true).unwrap_or_default();
        assert!(
            !terminal.contains(|c| c != '\n' && escape::is_control(c)),
            "{terminal:?}"
        );
        assert!(terminal.contains(r#"b="\u{1b}]0;t\u{7}""#), "{terminal:?}");
        assert!(printed(false).unwrap_or_default().contains("\x1b]0;t\x07"));
    }
}
