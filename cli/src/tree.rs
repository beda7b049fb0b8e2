//! `tree`: tree construction, and what it makes of a document.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use speclex_analysis::position::Lines;
use speclex_analysis::tree::errors::{StageError, merged};
use speclex_analysis::tree::{
    Context, Environment, HostEvent, Parsed, Refusal, Scripting, Tree, parse,
};
use speclex_codegen::escape;

use crate::args::{self, TreeCommand, TreeFormat};
use crate::document::Chunks;
#[cfg(feature = "encoding")]
use crate::sniff::sniff;
use crate::tree_source::TreeSpec;
use crate::{Failure, choice, terminal};
use speclex_codegen::files::FoundTree;
use speclex_codegen::tree::machine::Holds;

/// Builds the tree of a document or fragment.
pub(crate) fn run(args: &TreeCommand) -> Result<ExitCode, Failure> {
    let named = match (&args.tree, &args.spec) {
        (Some(word), _) => Some(TreeSpec::parse(word)?.load()?),
        (None, Some(word)) => Some(TreeSpec::of_either(word)?.load()?),
        (None, None) => None,
    };
    // Faults of the table come before those of the file.
    let mut chunks = Chunks::open(args.file.as_deref())?;
    let loaded = match named {
        Some(loaded) => loaded,
        None => TreeSpec::for_tokenizer(choice::table(&mut chunks)?)?.load()?,
    };
    let environment = environment(args.fragment.as_deref(), args.scripting, &loaded)?;
    #[cfg(feature = "encoding")]
    let mut watch = sniff(args.encoding, &loaded.tokenizer.machine, &mut chunks)?;
    #[cfg(not(feature = "encoding"))]
    let watch = |_: &[speclex_analysis::token::Emitted]| {};
    let input = chunks.joined()?;
    say_unanswered(&loaded);
    let parsed = parsed(&loaded, &input, &environment)?;
    watch(&parsed.tokens);
    let is_terminal = io::stdout().is_terminal();
    let out = terminal::writer(args.format == TreeFormat::Json);
    print(out, &loaded, &input, &parsed, args.format, is_terminal)?;
    Ok(ExitCode::SUCCESS)
}

/// Says once of each question that only a host of the user's own can answer what it is taken to be.
pub(crate) fn say_unanswered(loaded: &FoundTree) {
    let states = loaded.tree.machine.states.iter();
    for state in states.filter(|state| state.is_asked && !state.is_known) {
        let answer = match &state.holds {
            Holds::Truth => "no",
            Holds::Node => "null",
            Holds::Words(words) => words.first().map_or("", |word| word),
        };
        let name = escape::line(&state.name);
        terminal::note(format_args!(
            "note: `{name}` is a question of the table's own: the answer is `{}` here",
            escape::line(answer)
        ));
    }
}

/// A document, or a fragment in the context that a word means.
pub(crate) fn environment(
    fragment: Option<&str>,
    scripting: args::Scripting,
    loaded: &FoundTree,
) -> Result<Environment, Failure> {
    Ok(Environment {
        scripting: match scripting {
            args::Scripting::Normal => Scripting::Normal,
            args::Scripting::Disabled => Scripting::Disabled,
            args::Scripting::Inert => Scripting::Inert,
            args::Scripting::Fragment => Scripting::Fragment,
        },
        context: fragment.map(|word| context(word, loaded)).transpose()?,
        skip_bom: true,
        ..Environment::default()
    })
}

/// The context element that a word means: `NAME`, `svg NAME` or `math NAME`. Says if the table has nothing of the name.
fn context(word: &str, loaded: &FoundTree) -> Result<Context, Failure> {
    let words: Vec<&str> = word.split(' ').collect();
    let context = match words[..] {
        // As a DOM does it, names of HTML's elements are in lower case.
        [name] if !name.is_empty() => Context::parse(&name.to_ascii_lowercase()),
        ["svg" | "math", name] if !name.is_empty() => return Ok(Context::parse(word)),
        _ => {
            let word = escape::line(word);
            return Err(Failure::Other(format!(
                "`{word}` is no context of a fragment: it is `NAME`, as in td, or `svg NAME`, or `math NAME`"
            )));
        }
    };
    let names = loaded.tree.machine.element_names();
    if !names.contains(&&*context.name) {
        let name = escape::line(&context.name);
        let meant = speclex_codegen::closest(&context.name, names)
            .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        terminal::note(format_args!(
            "warning: the table has no rule for `{name}`: it is a context like any other element{meant}"
        ));
    }
    Ok(context)
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

fn parsed(spec: &FoundTree, input: &str, environment: &Environment) -> Result<Parsed, Failure> {
    let parsed = parse(
        &spec.tokenizer.machine,
        &spec.tree.machine,
        input,
        environment,
    );
    parsed.map_err(|refusal| match refusal {
        Refusal::Tree(fault) => {
            let at = Lines::new(input).position(fault.offset);
            let place = format!("{}:{} of the document", at.line, at.column);
            let message = format!("these steps {} with the token at {place}", fault.loops);
            Failure::from(spec.tree.endless(fault.place, &message))
        }
        Refusal::Other(text) => Failure::Other(text),
    })
}

fn print(
    out: impl Write,
    spec: &FoundTree,
    input: &str,
    parsed: &Parsed,
    format: TreeFormat,
    is_terminal: bool,
) -> Result<(), Failure> {
    let Parsed {
        tree,
        tokenizer_errors,
        tree_errors,
        host_events,
        ..
    } = parsed;
    let errors = merged(&spec.tree.machine, input, tokenizer_errors, tree_errors);
    let written = match format {
        TreeFormat::Dat => dat(out, tree, &errors, host_events, is_terminal),
        TreeFormat::Json => json(out, tree, &errors, host_events),
    };
    written.map_err(Failure::output)
}

/// The parts of a test, the errors last. The form is for programs and has no escapes: what would steer a
/// terminal is escaped only there.
fn dat(
    mut out: impl Write,
    tree: &Tree,
    errors: &[StageError<'_>],
    hosts: &[HostEvent],
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
    if !hosts.is_empty() {
        writeln!(out, "\n#host steps")?;
    }
    for host in hosts {
        writeln!(out, "{}", escape::line(&host.to_string()))?;
    }
    out.flush()
}

/// A host step that ran, for programs.
pub(crate) fn event(host: &HostEvent) -> serde_json::Value {
    serde_json::json!({"step": host.step, "given": host.arguments, "offset": host.offset})
}

fn json(
    mut out: impl Write,
    tree: &Tree,
    errors: &[StageError<'_>],
    hosts: &[HostEvent],
) -> io::Result<()> {
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
    let hosts = hosts.iter().map(event).collect::<serde_json::Value>();
    match hosts.as_array().is_some_and(|hosts| hosts.is_empty()) {
        true => writeln!(out, "]}}")?,
        false => writeln!(out, "],\n \"hosts\": {hosts}}}")?,
    }
    out.flush()
}
