//! `tokenize`: the tokens and errors of documents, or the batch protocol.

#[cfg(feature = "encoding")]
mod parts;
mod printer;

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use speclex_analysis::document_order::DocumentOrder;
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::jsonl::{Protocol, ServeError};
use speclex_analysis::token::{Emitted, StreamErrors};
use speclex_codegen::machine::Machine;
use speclex_codegen::{Loaded, escape};

use crate::args::{TokenFormat, Tokenize};
use crate::document::Chunks;
use crate::engine::engine;
#[cfg(feature = "tokenizers")]
use crate::engine::limited;
#[cfg(feature = "encoding")]
use crate::sniff::sniff;
use crate::source::Spec;
use crate::{Failure, choice, terminal};
#[cfg(feature = "encoding")]
use parts::Parts;
use printer::Printer;

/// Tokenizes. A document that cannot be opened or read to its end does not keep the others from it.
pub(crate) fn run(args: &Tokenize) -> Result<ExitCode, Failure> {
    terminal::read_once(&args.files)?;
    let named = args.spec.as_deref().map(Spec::parse).transpose()?;
    let mut tables = Tables::default();
    if let Some(spec) = &named {
        let machine = &tables.get(spec)?.machine;
        if args.jsonl {
            return serve(args, spec, machine);
        }
    }
    let standard_input = [PathBuf::from("-")];
    let files = match args.files.as_slice() {
        [] => &standard_input,
        files => files,
    };
    let mut code = ExitCode::SUCCESS;
    let mut fail = |failure: Failure| {
        terminal::tell(failure.render(terminal::has_colours(&io::stderr())));
        code = ExitCode::from(2);
    };
    for (index, path) in files.iter().enumerate() {
        let mut chunks = match Chunks::open(Some(path)) {
            Ok(chunks) => chunks,
            Err(failure) => {
                fail(failure);
                continue;
            }
        };
        let spec = match &named {
            Some(spec) => spec,
            None => &Spec::parse(choice::table(&mut chunks)?)?,
        };
        let machine = &tables.get(spec)?.machine;
        if files.len() > 1 && args.format == TokenFormat::Human {
            let gap = if index == 0 { "" } else { "\n" };
            let name = escape::line(&path.display().to_string());
            terminal::line(format_args!("{gap}==> {name} <=="))?;
        }
        let file = (files.len() > 1).then(|| path.display().to_string());
        if let Some(failure) = document(args, spec, machine, &mut chunks, file)? {
            fail(failure);
        }
    }
    Ok(code)
}

/// The tables that are used: each is loaded once.
#[derive(Default)]
struct Tables(Vec<(Spec, Loaded)>);

impl Tables {
    fn get(&mut self, spec: &Spec) -> Result<&Loaded, Failure> {
        let place = match self.0.iter().position(|(known, _)| known == spec) {
            Some(place) => place,
            None => {
                self.0.push((spec.clone(), spec.load()?));
                self.0.len() - 1
            }
        };
        Ok(&self.0[place].1)
    }
}

/// Answers requests.
fn serve(args: &Tokenize, spec: &Spec, machine: &Machine) -> Result<ExitCode, Failure> {
    let mut engine = engine(spec, machine, args.interpret);
    let out = terminal::writer(true);
    match Protocol::of(machine).serve(&mut engine, io::stdin().lock(), out) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ServeError::Read(error)) => Err(Failure::input(error)),
        Err(ServeError::Write(error)) => Err(Failure::output(error)),
    }
}

/// Prints what a document becomes. Returns why it was not read to its end, if it was not.
fn document(
    args: &Tokenize,
    spec: &Spec,
    machine: &Machine,
    chunks: &mut Chunks,
    file: Option<String>,
) -> Result<Option<Failure>, Failure> {
    if let Some(content) = &args.content
        && !machine.contents().any(|(_, name)| name == content)
    {
        return Err(Failure::unknown_content(content, machine));
    }
    let request = Request {
        content: args.content.as_deref(),
        last_start_tag: args.last_start_tag.as_deref(),
        feedback: args.pages.feedback(),
        skip_bom: !args.pages.keep_bom,
        ..Request::default()
    };
    #[cfg(feature = "encoding")]
    let watch = sniff(args.encoding, machine, chunks)?;
    #[cfg(not(feature = "encoding"))]
    let watch = |_: &[Emitted]| {};
    let mut runs = engine_of(args, spec, machine)?;
    let out = terminal::writer(args.format != TokenFormat::Human);
    let mut printer = Printer::new(out, machine, args.format, file);
    printer.colour = terminal::has_colours(&io::stdout());
    #[cfg(feature = "tokenizers")]
    {
        printer.has_limits = args.limits.are_given();
    }
    #[cfg(feature = "encoding")]
    if args.parts {
        printer.parts = Some(Parts::new(engine(spec, machine, args.interpret), machine)?);
    }
    stream(machine, &mut runs, &request, chunks, printer, watch)
}

/// What tokenizes, with the limits that are asked for.
fn engine_of<'m>(
    args: &Tokenize,
    spec: &Spec,
    machine: &'m Machine,
) -> Result<Box<dyn Engine + 'm>, Failure> {
    #[cfg(feature = "tokenizers")]
    if args.limits.are_given() {
        let generated = match spec {
            Spec::Shipped(table) => limited(table.name, args.limits.limits()?),
            Spec::File(_) => None,
        };
        return generated.map(|it| it as Box<dyn Engine>).ok_or_else(|| {
            Failure::Other(
                "only generated tokenizers have limits, and a table that is given by its path runs in the interpreter: \
                 leave out --token-bytes, --attributes and --excess"
                    .to_owned(),
            )
        });
    }
    Ok(engine(spec, machine, args.interpret))
}

/// Prints, for people, what the input of a request becomes, which comes from a reader.
pub(crate) fn print(
    spec: &str,
    request: &Request<'_>,
    input: impl Read + 'static,
    out: impl Write,
) -> Result<(), Failure> {
    let spec = Spec::parse(spec)?;
    let loaded = spec.load()?;
    let machine = &loaded.machine;
    let mut engine = engine(&spec, machine, false);
    let printer = Printer::new(out, machine, TokenFormat::Human, None);
    let mut chunks = Chunks::of(input);
    let stopped = stream(machine, &mut engine, request, &mut chunks, printer, |_| {})?;
    stopped.map_or(Ok(()), Err)
}

/// Prints what is certain after each chunk, so that a reader gets it before the document has ended. `watch` sees what each chunk
/// becomes. Returns why the document was not read to its end, if it was not: what has been printed says so, too.
fn stream(
    machine: &Machine,
    engine: &mut dyn Engine,
    request: &Request<'_>,
    chunks: &mut Chunks,
    mut printer: Printer<'_, impl Write>,
    mut watch: impl FnMut(&[Emitted]),
) -> Result<Option<Failure>, Failure> {
    let mut session = engine.start(request).map_err(Failure::Other)?;
    let mut order = DocumentOrder::new(StreamErrors::of(machine));
    let name = chunks.name();
    let stopped = loop {
        let (fed, chunk) = match chunks.next_chunk() {
            Ok(Some(chunk)) => (session.feed(chunk), Some(chunk)),
            Ok(None) => (session.end(), None),
            Err(failure) => break Some(failure),
        };
        let output = session.take_output();
        watch(&output.tokens);
        order.push(output, session.take_exceeded());
        if fed.is_err() || chunk.is_none() {
            // Nothing more comes.
            order.end();
        }
        printer
            .write(&mut order, chunk.unwrap_or_default())
            .map_err(Failure::output)?;
        match fed {
            Err(stopped) => break Some(Failure::Other(format!("{name}: {stopped}"))),
            Ok(()) if chunk.is_none() => break None,
            Ok(()) => {}
        }
    };
    printer.end(stopped.as_ref()).map_err(Failure::output)?;
    Ok(stopped)
}
