//! `diff --input`: both tokenizers over documents, on all cores.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use speclex_analysis::engine::Request;
use speclex_analysis::survey::{Name, Survey, Surveyor, Tables, Text};
use speclex_codegen::Loaded;

use super::inputs::{self, Job, Source};
use super::progress::Progress;
use crate::args::{DiffFormat, Documents};
use crate::document::{decode, is_standard_input};
use crate::engine::engine;
use crate::source::Spec;
use crate::{Failure, terminal};

/// Compares, and prints what came of it.
pub(super) fn run(
    tables: [&str; 2],
    args: &Documents,
    format: DiffFormat,
) -> Result<ExitCode, Failure> {
    check(args, format)?;
    let [one, other] = tables;
    let specs = [Spec::parse(one)?, Spec::parse(other)?];
    let loaded = [specs[0].load()?, specs[1].load()?];
    let compared = Tables {
        names: tables.map(str::to_owned),
        ..Tables::of(loaded.each_ref().map(|loaded| &loaded.machine))
    };
    let survey = survey(Survey::new(compared, !args.totals), &specs, &loaded, args)?;
    print(&survey, format)
}

/// Refuses a form in which documents are not reported.
pub(super) fn check_format(format: DiffFormat) -> Result<(), Failure> {
    match format {
        DiffFormat::Human | DiffFormat::Json => Ok(()),
        DiffFormat::Markdown => Err(Failure::Other(
            "there is no page for documents: use --format human or --format json".to_owned(),
        )),
    }
}

fn check(args: &Documents, format: DiffFormat) -> Result<(), Failure> {
    check_format(format)?;
    terminal::read_once(args.inputs.iter().chain(&args.files_from))?;
    if args.records.is_some() && !args.inputs.iter().any(|path| is_standard_input(path)) {
        return Err(Failure::Other(
            "--records applies to the standard input only: add --input -".to_owned(),
        ));
    }
    Ok(())
}

/// Prints a survey. Exits with 2 if something could not be read, else with 1 if documents differ.
pub(super) fn print(survey: &Survey, format: DiffFormat) -> Result<ExitCode, Failure> {
    let mut out = terminal::writer(format == DiffFormat::Json);
    let colour = terminal::has_colours(&io::stdout());
    match format {
        // On one line: what joins the output of many tasks keeps lines whole.
        DiffFormat::Json => {
            let json = serde_json::to_string(survey).map_err(|e| Failure::Other(e.to_string()))?;
            writeln!(out, "{json}").map_err(Failure::output)?;
        }
        _ => write!(out, "{}", Text { survey, colour }).map_err(Failure::output)?,
    }
    out.flush().map_err(Failure::output)?;
    if survey.documents == 0 && survey.unread_count == 0 {
        terminal::note(format_args!("warning: there is no document to compare"));
    }
    if survey.unread_count > 0 {
        terminal::note(format_args!(
            "error: not all documents could be read, see the report: {}",
            survey.unread_count
        ));
    }
    let differ = u8::from(survey.differing.all() > 0);
    Ok(ExitCode::from(if survey.unread_count > 0 {
        2
    } else {
        differ
    }))
}

/// Adds all documents to a survey of none.
fn survey(
    mut whole: Survey,
    specs: &[Spec; 2],
    loaded: &[Loaded; 2],
    args: &Documents,
) -> Result<Survey, Failure> {
    let progress = Progress::new(args);
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, |threads| threads.get()),
    };
    let (sender, receiver) = sync_channel(2 * threads);
    let receiver = Arc::new(Mutex::new(receiver));
    let blame = OnceLock::new();
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (receiver, empty) = (Arc::clone(&receiver), whole.clone());
                let (progress, blame) = (&progress, &blame);
                scope.spawn(move || {
                    let machines = loaded.each_ref().map(|loaded| &loaded.machine);
                    let engines = [0, 1].map(|table| engine(&specs[table], machines[table], false));
                    let surveyor = Surveyor::new(machines, engines, reading(args), blame);
                    work(&receiver, surveyor, args, progress, empty)
                })
            })
            .collect();
        // When all workers are gone, nothing waits for jobs.
        drop(receiver);
        let source = Source {
            args,
            progress: &progress,
            send: &|job| drop(sender.send(job)),
        };
        source.all();
        drop(sender);
        workers
            .into_iter()
            .map(|worker| worker.join())
            .collect::<Vec<_>>()
    });
    progress.finish();
    for part in parts {
        let part = part.map_err(|_| Failure::Other("a thread failed".to_owned()))?;
        whole
            .merge(part)
            .map_err(|e| Failure::Other(e.to_string()))?;
    }
    Ok(whole)
}

/// How documents are read.
fn reading(args: &Documents) -> Request<'static> {
    Request {
        feedback: args.pages.feedback(),
        skip_bom: !args.pages.keep_bom,
        ..Request::default()
    }
}

/// Does jobs until there are no more.
fn work(
    receiver: &Mutex<Receiver<Job>>,
    mut surveyor: Surveyor<'_>,
    args: &Documents,
    progress: &Progress,
    mut survey: Survey,
) -> Survey {
    let next = || {
        let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv().ok()
    };
    let mut buffer = Vec::new();
    while let Some(job) = next() {
        let (name, read) = match job {
            Job::LeftOut(reason, times) => {
                survey.left_out(reason, times);
                continue;
            }
            Job::NotRead(name, reason) => (name, Err(reason)),
            Job::Document(name, bytes) => {
                buffer = bytes;
                (name, Ok(buffer.len()))
            }
            Job::File(name, input) => {
                let read = inputs::read(input, args.longest(), &mut buffer);
                (name, read)
            }
        };
        match read {
            Ok(length) => {
                let differs = document(&mut surveyor, &mut survey, name, &buffer[..length]);
                progress.compared(differs);
            }
            Err(reason) => survey.not_read(name, reason),
        }
    }
    survey
}

/// Compares a document; whether it differs.
fn document(surveyor: &mut Surveyor<'_>, survey: &mut Survey, name: Name, bytes: &[u8]) -> bool {
    let length = bytes.len() as u64;
    let (text, valid) = decode(bytes);
    match surveyor.compare(&name, &text) {
        Ok(difference) => {
            let differs = difference.is_some();
            survey.compared(length, valid, difference);
            differs
        }
        Err(reason) => {
            survey.not_read(name, format!("a tokenizer cannot run on it: {reason}"));
            false
        }
    }
}
