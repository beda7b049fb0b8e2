//! `tokenize`: the tokens and errors of documents, or the batch protocol.

mod choice;
#[cfg(feature = "encoding")]
mod parts;
mod printer;
mod token_text;

use std::io::{self, BufWriter, Read, Write};
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
use crate::{Failure, terminal};
#[cfg(feature = "encoding")]
use parts::Parts;
use printer::Printer;
pub(crate) use token_text::Described;

/// Tokenizes. A document that cannot be opened does not keep the others from it.
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
    for (index, path) in files.iter().enumerate() {
        let mut chunks = match Chunks::open(Some(path)) {
            Err(failure) if files.len() > 1 => {
                terminal::tell(failure.render(terminal::has_colours(&io::stderr())));
                code = ExitCode::from(2);
                continue;
            }
            opened => opened?,
        };
        let spec = match &named {
            Some(spec) => spec,
            None => &Spec::parse(choice::table(path, &mut chunks)?)?,
        };
        let machine = &tables.get(spec)?.machine;
        if files.len() > 1 && args.format == TokenFormat::Human {
            let gap = if index == 0 { "" } else { "\n" };
            let name = escape::line(&path.display().to_string());
            terminal::line(format_args!("{gap}==> {name} <=="))?;
        }
        let file = (files.len() > 1).then(|| path.display().to_string());
        document(args, spec, machine, &mut chunks, file)?;
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
    let stdout = io::stdout();
    match Protocol::of(machine).serve(&mut engine, io::stdin().lock(), stdout.lock()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ServeError::Read(error)) => Err(Failure::input(error)),
        Err(ServeError::Write(error)) => Err(Failure::output(error)),
    }
}

/// Prints what a document becomes.
fn document(
    args: &Tokenize,
    spec: &Spec,
    machine: &Machine,
    chunks: &mut Chunks,
    file: Option<String>,
) -> Result<(), Failure> {
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
    let stdout = io::stdout();
    let out = BufWriter::new(stdout.lock());
    let mut printer = Printer::new(out, machine, args.format, file);
    printer.colour = terminal::has_colours(&stdout);
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
            Spec::Shipped(table) => limited(table.name, args.limits.limits()),
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
    stream(
        machine,
        &mut engine,
        request,
        &mut Chunks::of(input),
        printer,
        |_| {},
    )
}

/// Prints what is certain after each chunk, so that a reader gets it before the document has ended. `watch` sees what each chunk
/// becomes.
fn stream(
    machine: &Machine,
    engine: &mut dyn Engine,
    request: &Request<'_>,
    chunks: &mut Chunks,
    mut printer: Printer<'_, impl Write>,
    mut watch: impl FnMut(&[Emitted]),
) -> Result<(), Failure> {
    let mut session = engine.start(request).map_err(Failure::Other)?;
    let mut order = DocumentOrder::new(StreamErrors::of(machine));
    let mut write = |order: &mut DocumentOrder, chunk: Option<&str>| {
        let written = printer.write(order, chunk);
        written.map_err(Failure::output)
    };
    while let Some(chunk) = chunks.next_chunk()? {
        let fed = session.feed(chunk);
        let output = session.take_output();
        watch(&output.tokens);
        order.push(output, session.take_exceeded());
        if fed.is_err() {
            // Nothing more comes.
            order.end();
        }
        write(&mut order, Some(chunk))?;
        fed.map_err(Failure::Other)?;
    }
    session.end().map_err(Failure::Other)?;
    order.push(session.take_output(), session.take_exceeded());
    order.end();
    write(&mut order, None)
}
