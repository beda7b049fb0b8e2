//! `explore`: the page on which tables are compared, traced, read and changed.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use speclex_codegen::{Either, Source, files};
use speclex_explore::Own;
use speclex_explore::server::Server;
use speclex_explore::worker;

use crate::args::Explore;
use crate::source::readable;
use crate::{Failure, Home, terminal, tree_source};

/// Serves until the process is stopped.
pub(crate) fn run(home: &Home, args: &Explore) -> Result<ExitCode, Failure> {
    if args.worker {
        let answered = worker::run(io::stdin().lock(), io::stdout().lock());
        return match answered {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(error) => Err(Failure::output(error)),
        };
    }
    let own = own(args)?;
    let program = env::current_exe().map_err(Failure::io("cannot find", Path::new("speclex")))?;
    let start = move || {
        let mut command = Command::new(&program);
        command.args(["explore", "--worker"]);
        command
    };
    let server = Server::listen(args.port, own, Box::new(start)).map_err(|error| {
        let port = args
            .port
            .map_or(String::new(), |port| format!(" on port {port}"));
        Failure::Other(format!("cannot serve the page{port}: {error}"))
    })?;
    let address = server.address();
    terminal::line(format_args!("The explorer is at {address}"))?;
    let command = home.command();
    terminal::note(format_args!(
        "Only this machine can open it. Ctrl+C stops it; `{command} explore --help` lists its options."
    ));
    if args.open {
        open(&address);
    }
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// The user's own tables with all that they name. A table with faults is shown with them.
fn own(args: &Explore) -> Result<Own, Failure> {
    let mut own = Own::default();
    for path in &args.tables {
        let source = tree_source::read(path)?;
        own.offered.push(name(&source.name));
        let found = Either::find(files::Place::File(path.clone()), Path::new(""), &readable());
        let (sources, data) = match &found {
            Ok(Either::States(found)) => (found.loaded.sources.clone(), &found.files[..]),
            Ok(Either::Tree(found)) => {
                let tokenizer = &found.tokenizer.sources;
                let sources = [&found.tree.sources[..], tokenizer].concat();
                (sources, &found.files[..])
            }
            Err(files::Failure::Faults(report)) => (report.sources.clone(), &[][..]),
            Err(_) => (Vec::new(), &[][..]),
        };
        let is_data = |path: &&std::path::PathBuf| path.extension().is_some_and(|it| it == "json");
        let data = data
            .iter()
            .filter(is_data)
            .map(|path| tree_source::read(path));
        let data = data.collect::<Result<Vec<Source>, Failure>>()?;
        for Source { name: path, text } in [source].into_iter().chain(sources).chain(data) {
            let name = name(&path);
            if own.files.iter().all(|(known, _)| *known != name) {
                own.files.push((name, text));
            }
        }
    }
    Ok(own)
}

/// The name of a file, without its folder.
fn name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Opens the browser; who has none opens the address that is printed.
fn open(address: &str) {
    let (program, before) = match env::consts::OS {
        "macos" => ("open", &[][..]),
        "windows" => ("cmd", &["/c", "start"][..]),
        _ => ("xdg-open", &[][..]),
    };
    let mut command = Command::new(program);
    let command = command.args(before).arg(address).stdin(Stdio::null());
    if command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_err()
    {
        terminal::note(format_args!(
            "note: `{program}` cannot be started: open the address yourself"
        ));
    }
}
