//! `tokenize`: a document's tokens and errors, or the batch protocol.

mod printer;
mod token_text;

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use speclex_analysis::document_order::DocumentOrder;
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::jsonl::{Protocol, ServeError};
use speclex_analysis::token::StreamErrors;
use speclex_codegen::machine::Machine;

use crate::args::{TokenFormat, Tokenize};
use crate::document::Chunks;
use crate::engine::engine;
use crate::source::Spec;
use crate::{Failure, terminal};
use printer::Printer;
pub(crate) use token_text::Described;

/// Tokenizes.
pub(crate) fn run(args: &Tokenize) -> Result<ExitCode, Failure> {
    let spec = Spec::parse(&args.spec)?;
    let loaded = spec.load()?;
    let machine = &loaded.machine;
    let mut engine = engine(&spec, machine, args.interpret);
    let stdout = io::stdout();
    if args.jsonl {
        let served = Protocol::of(machine).serve(&mut engine, io::stdin().lock(), stdout.lock());
        return match served {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(ServeError::Read(error)) => Err(Failure::input(error)),
            Err(ServeError::Write(error)) => Err(Failure::output(error)),
        };
    }
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
    let mut chunks = Chunks::open(args.file.as_deref())?;
    let colour = terminal::has_colours(&stdout);
    let out = BufWriter::new(stdout.lock());
    let printer = Printer::new(out, machine, args.format, colour);
    stream(machine, &mut engine, &request, &mut chunks, printer)?;
    Ok(ExitCode::SUCCESS)
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
    let printer = Printer::new(out, machine, TokenFormat::Human, false);
    stream(
        machine,
        &mut engine,
        request,
        &mut Chunks::of(input),
        printer,
    )
}

/// Prints what is certain after each chunk, so that a reader gets it before the document has ended.
fn stream(
    machine: &Machine,
    engine: &mut dyn Engine,
    request: &Request<'_>,
    chunks: &mut Chunks,
    mut printer: Printer<'_, impl Write>,
) -> Result<(), Failure> {
    let mut session = engine.start(request).map_err(Failure::Other)?;
    let mut order = DocumentOrder::new(StreamErrors::of(machine));
    let mut write = |order: &mut DocumentOrder, chunk: Option<&str>| {
        let written = printer.write(order, chunk);
        written.map_err(Failure::output)
    };
    while let Some(chunk) = chunks.next_chunk()? {
        let fed = session.feed(chunk);
        order.push(session.take_output());
        write(&mut order, Some(chunk))?;
        fed.map_err(Failure::Other)?;
    }
    session.end().map_err(Failure::Other)?;
    order.push(session.take_output());
    order.end();
    write(&mut order, None)
}
