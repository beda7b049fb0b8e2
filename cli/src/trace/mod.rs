//! `trace`: what a table does with a document, step by step; or two tables, side by side. With a tree table, token by token.

mod json;
mod text;
mod tree;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use speclex_analysis::diff::Setup;
use speclex_analysis::interpreter::Fault;
use speclex_analysis::position::Position;
use speclex_analysis::trace::{Beside, Block, Step, Tracer};
use speclex_codegen::Either;
use speclex_codegen::machine::Machine;

use crate::args::{Format, Trace};
use crate::document::Chunks;
use crate::source::Spec;
use crate::tree_source::{self, TreeSpec};
use crate::{Failure, terminal};
use json::JsonPrinter;
use text::TextPrinter;

/// Prints what is traced.
trait Printer {
    /// A step of one table.
    fn step(&mut self, out: &mut dyn Write, step: &Step) -> io::Result<()>;
    /// What two tables do at one place.
    fn block(&mut self, out: &mut dyn Write, block: &Block) -> io::Result<()>;
    /// After the last one; of two tables, how they compare.
    fn end(&mut self, out: &mut dyn Write, compared: Option<Compared>) -> io::Result<()>;
}

/// How two tables compare.
#[derive(Clone, Copy)]
struct Compared {
    /// Their outputs have parted.
    differ: bool,
    /// They were followed to the end of the document.
    whole: bool,
}

/// Traces; exits with 1 when two tables differ.
pub(crate) fn run(args: &Trace) -> Result<ExitCode, Failure> {
    let stdout = io::stdout();
    let colour = terminal::has_colours(&stdout);
    let columns = columns(stdout.is_terminal());
    let mut out = terminal::writer(args.format == Format::Json);
    let open = || Chunks::open(args.file.as_deref());
    let differ = trace(args, open, &mut out, columns, colour)?;
    Ok(ExitCode::from(u8::from(differ)))
}

/// What is printed for a text, where it is no terminal.
pub(crate) fn printed(args: &Trace, text: &str) -> Result<String, Failure> {
    let mut out = Vec::new();
    let bytes = io::Cursor::new(text.as_bytes().to_vec());
    let columns = columns(false);
    trace(args, || Ok(Chunks::of(bytes)), &mut out, columns, false)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Prints; whether two tables differ.
fn trace(
    args: &Trace,
    document: impl FnOnce() -> Result<Chunks, Failure>,
    out: &mut dyn Write,
    columns: usize,
    colour: bool,
) -> Result<bool, Failure> {
    if let (Some(from), Some(until)) = (args.from, args.until)
        && from > until
    {
        return Err(Failure::Other("--until is before --from".to_owned()));
    }
    let width = args.width.map_or(columns, usize::from);
    let machine = match tree_source::load(&args.spec)? {
        Either::States(found) => found.loaded.machine,
        Either::Tree(table) => {
            let mut tables = vec![*table];
            if let Some(other) = &args.vs {
                tables.push(TreeSpec::parse(other)?.load()?);
            }
            let printer = TextPrinter::new(args, &[], width, colour);
            let mut run = Run {
                args,
                out,
                printed: 0,
            };
            let differ = tree::trace(&tables, &mut run, &printer, document)?;
            run.out.flush().map_err(Failure::output)?;
            return Ok(differ && args.vs.is_some());
        }
    };
    let other = match &args.vs {
        Some(other) => Some(Spec::parse(other)?.load()?.machine),
        None => None,
    };
    let machines: Vec<&Machine> = std::iter::once(&machine).chain(&other).collect();
    let mut printer: Box<dyn Printer + '_> = match args.format {
        Format::Human => Box::new(TextPrinter::new(args, &machines, width, colour)),
        Format::Json => Box::new(JsonPrinter::new(&machines)),
    };
    let mut run = Run {
        args,
        out: &mut *out,
        printed: 0,
    };
    let differ = match &other {
        None => {
            run.one(&mut *printer, &machine, document)?;
            false
        }
        Some(other) => run.both(&mut *printer, [&machine, other], document)?,
    };
    out.flush().map_err(Failure::output)?;
    Ok(differ)
}

/// How many columns there are.
fn columns(terminal: bool) -> usize {
    const OTHERWISE: usize = 120;
    let asked = terminal.then(terminal_size::terminal_size).flatten();
    asked.map_or(OTHERWISE, |(width, _)| usize::from(width.0).max(40))
}

/// A run over a document.
struct Run<'a> {
    args: &'a Trace,
    out: &'a mut dyn Write,
    printed: u64,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Go {
    On,
    Stop,
}

impl Run<'_> {
    fn setup(&self) -> Setup {
        self.args.start.clone().unwrap_or_else(|| Setup {
            content: self.args.content.clone(),
            last_start_tag: self.args.last_start_tag.clone(),
            ..Setup::default()
        })
    }

    fn one(
        &mut self,
        printer: &mut dyn Printer,
        machine: &Machine,
        document: impl FnOnce() -> Result<Chunks, Failure>,
    ) -> Result<(), Failure> {
        let mut tracer = Tracer::new(machine, &self.setup())
            .map_err(|fault| unknown_content(&fault, &[machine]))?;
        let pages = self.args.pages;
        tracer.read_page(pages.feedback(), !pages.keep_bom);
        let mut document = document()?;
        'all: loop {
            let ended = match document.next_chunk()? {
                Some(text) => {
                    tracer.push(text);
                    false
                }
                None => {
                    tracer.end();
                    true
                }
            };
            while let Some(step) = tracer.step().map_err(failed)? {
                let print = self.is_wanted(step.at);
                if print {
                    printer.step(self.out, &step).map_err(Failure::output)?;
                }
                if self.after(step.at, print) == Go::Stop {
                    break 'all;
                }
            }
            if ended {
                break;
            }
        }
        printer.end(self.out, None).map_err(Failure::output)
    }

    /// Whether the two differ.
    fn both(
        &mut self,
        printer: &mut dyn Printer,
        machines: [&Machine; 2],
        document: impl FnOnce() -> Result<Chunks, Failure>,
    ) -> Result<bool, Failure> {
        let mut beside = Beside::new(machines, &self.setup())
            .map_err(|fault| unknown_content(&fault, &machines))?;
        let pages = self.args.pages;
        beside.read_page(pages.feedback(), !pages.keep_bom);
        let mut document = document()?;
        let mut compared = Compared {
            differ: false,
            whole: true,
        };
        'all: loop {
            let ended = match document.next_chunk()? {
                Some(text) => {
                    beside.push(text);
                    false
                }
                None => {
                    beside.end();
                    true
                }
            };
            while let Some(block) = beside.block().map_err(failed)? {
                compared.differ |= !block.divergences.is_empty();
                let plain = block.same() && block.divergences.is_empty() && !block.together;
                let print = self.is_wanted(block.at) && !(self.args.only_differences && plain);
                if print {
                    printer.block(self.out, &block).map_err(Failure::output)?;
                }
                if self.after(block.at, print) == Go::Stop {
                    compared.whole = false;
                    break 'all;
                }
            }
            if ended {
                break;
            }
        }
        let ended = printer.end(self.out, Some(compared));
        ended.map_err(Failure::output)?;
        Ok(compared.differ)
    }

    fn is_wanted(&self, at: Position) -> bool {
        let place = (at.line, at.column);
        self.args.from.is_none_or(|from| place >= from)
            && self.args.until.is_none_or(|until| place <= until)
    }

    /// Counts, and says whether to go on.
    fn after(&mut self, at: Position, printed: bool) -> Go {
        self.printed += u64::from(printed);
        let enough = self.args.max_steps.is_some_and(|most| self.printed >= most);
        let until = self.args.until;
        let behind = until.is_some_and(|until| (at.line, at.column) > until);
        if enough || behind { Go::Stop } else { Go::On }
    }
}

fn failed(fault: Fault) -> Failure {
    Failure::Other(fault.to_string())
}

/// A content that one of the tables does not have.
fn unknown_content(fault: &Fault, machines: &[&Machine]) -> Failure {
    let Fault::NoEntry(wanted) = fault else {
        return failed(fault.clone());
    };
    let lacking = machines
        .iter()
        .find(|machine| !machine.contents().any(|(_, content)| content == wanted));
    match lacking {
        Some(machine) => Failure::unknown_content(wanted, machine),
        None => failed(fault.clone()),
    }
}
