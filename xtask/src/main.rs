//! `cargo xtask`: the commands of `speclex` with this repository's defaults, and those that are for this repository only.
//!
//! This program needs no other crate, so that it says something at once. It builds the program that has a command,
//! with as little as that command needs, and runs it.

mod build;
mod program;
mod test;
#[cfg(test)]
mod test_report;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use program::Program;

/// What stands below the help of `speclex`.
const OWN_COMMANDS: &str = "
Commands of this repository, as `cargo xtask COMMAND`, beside those above:
  test      Run all tests, with a line for each suite
  bench     Measure speed, memory and instructions, beside other parsers
  fuzz      Try random tables and documents
  prove     Plant every small change in the shipped tables, and check what `diff` says of it
  revision  Make the table of a new revision, and all that this repository has for one
";

/// The environment variable by which `speclex` knows where the repository is.
const REPOSITORY: &str = "SPECLEX_REPOSITORY";

fn main() -> ExitCode {
    let root = root();
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = arguments
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    if let ["test", rest @ ..] = &words[..] {
        return test::run(&root, rest);
    }
    let program = Program::of(&words);
    let manifest = root.join("Cargo.toml");
    let cargo = |subcommand: &str| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([subcommand, "--package", program.package]);
        cargo.args(["--bin", program.binary]);
        cargo.args(["--no-default-features", "--features", program.features]);
        cargo.args(["--profile", program.profile, "--manifest-path"]);
        cargo.arg(&manifest);
        cargo
    };
    let built = build::build(cargo("build"), program.why);
    let status = match built {
        Ok(status) if status.success() => cargo("run")
            .args(["--quiet", "--"])
            .args(arguments.iter().skip(program.own_words))
            .env(REPOSITORY, &root)
            .status(),
        other => other,
    };
    if let ["--help" | "-h" | "help"] = words[..] {
        print!("{OWN_COMMANDS}");
    }
    match status {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)),
        Err(e) => {
            eprintln!("error: cannot run cargo: {e}");
            ExitCode::from(2)
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
