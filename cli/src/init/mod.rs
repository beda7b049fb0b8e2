//! `init`: a small table of one's own, and a test of it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use speclex_codegen::escape;

use crate::args::Init;
use crate::{Failure, terminal};

const FILES: &[(&str, &str)] = &[
    ("tables/settings.yaml", include_str!("settings.yaml")),
    ("tests/settings.rs", include_str!("settings-test.txt")),
];

/// With `--tree`: a table of tree construction, its tokenizer, and a document.
const TREE_FILES: &[(&str, &str)] = &[
    (
        "tables/outline-tree.yaml",
        include_str!("outline-tree.yaml"),
    ),
    ("tables/outline.yaml", include_str!("outline.yaml")),
    ("outline.txt", include_str!("outline.txt")),
];

/// Writes what is not there yet.
pub(crate) fn run(args: &Init) -> Result<ExitCode, Failure> {
    let folder = &args.folder;
    let files = [FILES, TREE_FILES][usize::from(args.tree)];
    for (file, _) in files {
        let path = folder.join(file);
        if path.exists() {
            return Err(exists(&path));
        }
    }
    for (file, text) in files {
        let path = folder.join(file);
        create(&path, text)?;
        terminal::line(format_args!("wrote {}", shown(&path)))?;
    }
    let place = shown(folder);
    let (of_folder, in_folder) = match place.is_empty() {
        true => (String::new(), String::new()),
        false => (
            format!(" {}", escape::shell_word(&place)),
            format!(", in {place}"),
        ),
    };
    if args.tree {
        let table = TREE_FILES[0].0;
        terminal::print(format_args!(
            "\nRun these commands{in_folder}:\n\n\
             speclex check {table}\n\
             speclex tree --spec {table} {}\n\n\
             Change the table, and follow what it does: speclex trace --spec {table} {}\n\
             Make a parser of it: speclex gen {table} --out src\n",
            TREE_FILES[2].0, TREE_FILES[2].0,
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    let crate_first = match folder.join("Cargo.toml").exists() {
        true => String::new(),
        false => {
            format!("There is no Cargo.toml yet: `cargo init --lib{of_folder}` makes a crate.\n")
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    terminal::print(format_args!(
        "\n{crate_first}Run these commands{in_folder}:\n\n\
         cargo add speclex --path PATH_OF_YOUR_CLONE/runtime\n\
         cargo test\n\n\
         Once it is published, the first is `cargo add speclex@{version}`.\n\
         Change the table, and see what it makes of a text: speclex tokenize --spec {} FILE\n",
        FILES[0].0,
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn create(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Failure::io("cannot write", folder))?;
    }
    let file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    let mut file = file.map_err(Failure::io("cannot write", path))?;
    file.write_all(text.as_bytes())
        .map_err(Failure::io("cannot write", path))
}

fn exists(path: &Path) -> Failure {
    Failure::Other(format!(
        "{} is there already: nothing is written",
        shown(path)
    ))
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    escape::line(&path.display().to_string())
}
