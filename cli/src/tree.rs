//! `tree`: tree construction, and what it makes of a document.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use speclex_analysis::tree::errors::{StageError, merged};
use speclex_analysis::tree::{Context, Environment, Parsed, Scripting, Tree, parse};
use speclex_codegen::escape;

use crate::Failure;
use crate::args::{TreeCommand, TreeFormat};
use crate::document::Chunks;
#[cfg(feature = "encoding")]
use crate::sniff::sniff;
use crate::tree_source::{TreeSpec, TreeWithTokenizer};

/// Builds the tree of a document or fragment.
pub(crate) fn run(args: &TreeCommand) -> Result<ExitCode, Failure> {
    let spec = match (&args.tree, &args.spec) {
        (Some(word), _) => TreeSpec::parse(word)?,
        (None, Some(word)) => TreeSpec::for_tokenizer(word)?,
        // One of them is required.
        (None, None) => return Err(Failure::Other("which table? Name one: --spec".to_owned())),
    };
    // Faults of the table come before those of the file.
    let loaded = spec.load()?;
    let environment = Environment {
        scripting: match args.scripting {
            crate::args::Scripting::Normal => Scripting::Normal,
            crate::args::Scripting::Disabled => Scripting::Disabled,
            crate::args::Scripting::Inert => Scripting::Inert,
            crate::args::Scripting::Fragment => Scripting::Fragment,
        },
        context: args.fragment.as_deref().map(Context::parse),
        skip_bom: true,
        ..Environment::default()
    };
    let mut chunks = Chunks::open(args.file.as_deref())?;
    #[cfg(feature = "encoding")]
    let mut watch = sniff(args.encoding, &loaded.loaded.machine, &mut chunks)?;
    #[cfg(not(feature = "encoding"))]
    let watch = |_: &[speclex_analysis::token::Emitted]| {};
    let input = chunks.joined()?;
    let parsed = parsed(&loaded, &input, &environment)?;
    watch(&parsed.tokens);
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let out = BufWriter::new(stdout.lock());
    print(out, &loaded, &input, &parsed, args.format, is_terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// What is printed for a document, in the form of html5lib-tests.
pub(crate) fn printed(spec: &str, input: &str, is_terminal: bool) -> Result<String, Failure> {
    let loaded = TreeSpec::for_tokenizer(spec)?.load()?;
    let mut out = Vec::new();
    let parsed = parsed(&loaded, input, &Environment::default())?;
    print(
        &mut out,
        &loaded,
        input,
        &parsed,
        TreeFormat::Dat,
        is_terminal,
    )?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn parsed(
    spec: &TreeWithTokenizer,
    input: &str,
    environment: &Environment,
) -> Result<Parsed, Failure> {
    parse(&spec.loaded.machine, &spec.tree.machine, input, environment).map_err(Failure::Other)
}

fn print(
    out: impl Write,
    spec: &TreeWithTokenizer,
    input: &str,
    parsed: &Parsed,
    format: TreeFormat,
    is_terminal: bool,
) -> Result<(), Failure> {
    let Parsed {
        tree,
        tokenizer_errors,
        tree_errors,
        ..
    } = parsed;
    let errors = merged(&spec.tree.machine, input, tokenizer_errors, tree_errors);
    let written = match format {
        TreeFormat::Dat => dat(out, tree, &errors, is_terminal),
        TreeFormat::Json => json(out, tree, &errors),
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
            object[token.called.replace(' ', "-")] = token.mode.into();
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
