//! `tokenize`: a document's tokens and errors, or the batch protocol.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::html5lib::Form;
use speclex_analysis::jsonl::Protocol;
use speclex_analysis::position::{Lines, Position};
use speclex_analysis::token::{Output, StreamErrors, Token, Value};
use speclex_codegen::{escape, machine::Machine};

use crate::args::{Format, Tokenize};
use crate::engine::engine;
use crate::source::Spec;
use crate::{Failure, document, terminal};

/// Tokenizes.
pub(crate) fn run(args: &Tokenize) -> Result<ExitCode, Failure> {
    let spec = Spec::parse(&args.spec)?;
    let loaded = spec.load()?;
    let machine = &loaded.machine;
    let mut engine = engine(&spec, machine, args.interpret);
    let stdout = io::stdout();
    if args.jsonl {
        let served = Protocol::of(machine).serve(&mut engine, io::stdin().lock(), stdout.lock());
        return served.map(|()| ExitCode::SUCCESS).map_err(Failure::output);
    }
    let input = document::read(args.file.as_deref())?;
    let request = Request {
        input: &input,
        content: args.content.as_deref(),
        last_start_tag: args.last_start_tag.as_deref(),
        feedback: args.pages.feedback(),
        skip_bom: !args.pages.keep_bom,
        ..Request::default()
    };
    let output = engine.tokenize(&request).map_err(Failure::Other)?;
    let output = output
        .coalesced()
        .with_sorted_errors(&StreamErrors::of(machine));
    let colour = terminal::has_colours(&stdout);
    let out = BufWriter::new(stdout.lock());
    let written = match args.format {
        Format::Human => human(out, machine, &input, &output, colour),
        Format::Json => json(out, machine, &input, &output),
    };
    written.map(|()| ExitCode::SUCCESS).map_err(Failure::output)
}

/// What is printed for people.
pub(crate) fn printed(spec: &str, request: &Request<'_>) -> Result<String, Failure> {
    let spec = Spec::parse(spec)?;
    let loaded = spec.load()?;
    let machine = &loaded.machine;
    let output = engine(&spec, machine, false)
        .tokenize(request)
        .map_err(Failure::Other)?;
    let output = output
        .coalesced()
        .with_sorted_errors(&StreamErrors::of(machine));
    let mut text = Vec::new();
    human(&mut text, machine, request.input, &output, false).map_err(Failure::output)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A line for each token and error, in the order of the document.
fn human(
    mut out: impl Write,
    machine: &Machine,
    input: &str,
    output: &Output,
    colour: bool,
) -> io::Result<()> {
    let lines = Lines::new(input);
    let mut errors = output.errors.iter().peekable();
    let (red, plain) = if colour {
        ("\x1b[31m", "\x1b[0m")
    } else {
        ("", "")
    };
    let place = |p: Position| format!("{}:{}", p.line, p.column);
    let mut error_line = |out: &mut dyn Write, before: Option<u64>| -> io::Result<()> {
        while let Some(error) = errors.next_if(|e| before.is_none_or(|before| e.offset < before)) {
            let at = place(lines.position(error.offset));
            writeln!(out, "{at:<12} {red}error{plain} {}", error.code)?;
        }
        Ok(())
    };
    for emitted in &output.tokens {
        error_line(&mut out, Some(emitted.span.end))?;
        let at = place(lines.position(emitted.span.start));
        writeln!(out, "{at:<12} {}", describe(machine, &emitted.token))?;
    }
    error_line(&mut out, None)?;
    writeln!(
        out,
        "{:<12} end of file",
        place(lines.position(input.len() as u64))
    )?;
    out.flush()
}

/// A token in one line.
pub(crate) fn describe(machine: &Machine, token: &Token) -> String {
    match token {
        Token::Characters(text) => format!("characters {text:?}"),
        Token::Declared { kind, fields } => {
            let declared = machine
                .vocabulary
                .tokens
                .iter()
                .find(|token| token.kinds.iter().any(|k| k.name == *kind));
            let mut line = kind.clone();
            for (field, value) in declared.iter().flat_map(|t| &t.fields).zip(fields) {
                match value {
                    // The first text of most tokens needs no label.
                    Value::Text(text) if field.name == "name" || field.name == "data" => {
                        line += &format!(" {text:?}");
                    }
                    Value::Text(text) => line += &format!(" {}={text:?}", field.name),
                    Value::Missing | Value::Flag(false) => {}
                    Value::Flag(true) => line += &format!(" [{}]", field.name),
                    Value::Attributes(attributes) => {
                        for (name, value) in attributes {
                            line += &format!(" {}={value:?}", escape::line(name));
                        }
                    }
                }
            }
            line
        }
    }
}

/// One object: tokens in the form of html5lib-tests with their places, and errors.
fn json(mut out: impl Write, machine: &Machine, input: &str, output: &Output) -> io::Result<()> {
    let form = Form::of(machine);
    let lines = Lines::new(input);
    let place = |offset: u64| {
        let p = lines.position(offset);
        serde_json::json!({"offset": offset, "line": p.line, "col": p.column})
    };
    write!(out, "{{\"tokens\": [")?;
    for (index, emitted) in output.tokens.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let token = serde_json::json!({
            "token": form.to_json(&emitted.token),
            "start": place(emitted.span.start),
            "end": place(emitted.span.end),
        });
        write!(out, "{comma}\n  {token}")?;
    }
    write!(out, "],\n \"errors\": [")?;
    for (index, error) in output.errors.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let p = lines.position(error.offset);
        let error = serde_json::json!({"code": error.code, "line": p.line, "col": p.column});
        write!(out, "{comma}\n  {error}")?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}
