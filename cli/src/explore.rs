//! `explore`: the page on which tables are compared, traced, read and changed.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use speclex_codegen::{Either, Source, escape, files};
use speclex_explore::server::Server;
use speclex_explore::worker;
use speclex_explore::{Library, Own};

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
    let own = own(home, args)?;
    if let Some(folder) = &args.export {
        return export(folder, own);
    }
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

/// The user's own tables, and the examples of this repository.
fn own(home: &Home, args: &Explore) -> Result<Own, Failure> {
    let mut own = Own::default();
    for path in &args.tables {
        let name = add(&mut own, path)?;
        own.offered.push(name);
    }
    let folder = home.repository.as_ref().map(|it| it.join("examples"));
    let examples = folder.and_then(|folder| fs::read_dir(folder).ok());
    let folders = examples.into_iter().flatten().flatten();
    let tables = folders.filter_map(|folder| fs::read_dir(folder.path().join("tables")).ok());
    let mut tables: Vec<PathBuf> = tables.flatten().flatten().map(|it| it.path()).collect();
    tables.sort();
    for path in tables
        .iter()
        .filter(|it| it.extension().is_some_and(|it| it == "yaml"))
    {
        let name = add(&mut own, path)?;
        if !own.offered.contains(&name) {
            own.examples.push(name);
        }
    }
    Ok(own)
}

/// Adds a table with all that it names, and gives its name. A table with faults is shown with them.
fn add(own: &mut Own, path: &Path) -> Result<String, Failure> {
    let source = tree_source::read(path)?;
    let offered = name(&source.name);
    let found = Either::find(
        files::Place::File(path.to_owned()),
        Path::new(""),
        &readable(),
    );
    let (sources, data) = match &found {
        Ok(Either::States(found)) => (found.loaded.sources.clone(), &found.files[..]),
        Ok(Either::Tree(found)) => {
            let sources = [&found.tree.sources[..], &found.tokenizer.sources].concat();
            (sources, &found.files[..])
        }
        Err(files::Failure::Faults(report)) => (report.sources.clone(), &[][..]),
        Err(_) => (Vec::new(), &[][..]),
    };
    let data = data
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "json"));
    let data = data
        .map(|path| tree_source::read(path))
        .collect::<Result<Vec<Source>, Failure>>()?;
    for Source { name: path, text } in [source].into_iter().chain(sources).chain(data) {
        let name = name(&path);
        if own.files.iter().all(|(known, _)| *known != name) {
            own.files.push((name, text));
        }
    }
    Ok(offered)
}

/// Writes a page that needs no server of ours.
fn export(folder: &Path, own: Own) -> Result<ExitCode, Failure> {
    let files = speclex_explore::files(&Library::new(own));
    for (name, bytes) in &files {
        let path = folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Failure::io("cannot create", folder))?;
        }
        fs::write(&path, bytes).map_err(Failure::io("cannot write", &path))?;
    }
    terminal::line(format_args!(
        "{} in {}, for any web server",
        terminal::count(files.len(), "file"),
        escape::line(&folder.display().to_string())
    ))?;
    Ok(ExitCode::SUCCESS)
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
