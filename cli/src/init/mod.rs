//! `init`: a small table of one's own, and a test of it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use speclex_codegen::escape;

use crate::args::Init;
use crate::{Failure, terminal};

const FILES: [(&str, &str); 2] = [
    ("tables/settings.yaml", include_str!("settings.yaml")),
    ("tests/settings.rs", include_str!("settings-test.txt")),
];

/// Writes what is not there yet.
pub(crate) fn run(args: &Init) -> Result<ExitCode, Failure> {
    let folder = &args.folder;
    for (file, _) in FILES {
        let path = folder.join(file);
        if path.exists() {
            return Err(exists(&path));
        }
    }
    for (file, text) in FILES {
        let path = folder.join(file);
        create(&path, text)?;
        terminal::line(format_args!("wrote {}", shown(&path)))?;
    }
    let crate_is_there = folder.join("Cargo.toml").exists();
    let crate_first = match crate_is_there {
        true => String::new(),
        false => format!(
            "There is no Cargo.toml yet: `cargo init --lib {}` makes a crate.\n",
            shown(folder)
        ),
    };
    let version = env!("CARGO_PKG_VERSION");
    terminal::print(format_args!(
        "\n{crate_first}Add this to Cargo.toml, then run `cargo test`:\n\n\
         [dependencies]\n\
         speclex = {{ path = \"PATH OF YOUR CLONE/runtime\" }}\n\n\
         Once it is published: speclex = \"{version}\"\n\
         Change the table, and see what it makes of a text: speclex tokenize --spec {} FILE\n",
        shown(&folder.join(FILES[0].0)),
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
