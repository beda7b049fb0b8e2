//! What builds beside this one need: of other programs, for the heap, for size and compile time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder that this program was built in.
///
/// # Errors
/// When the program does not know where it is.
pub fn target() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.parent().and_then(Path::parent);
    Ok(target.unwrap_or(&program).to_owned())
}

/// Cargo, in a folder, building into another.
pub fn cargo(folder: &Path, target: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        // Whatever the caller's build was told is not for these.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo
}

/// What a command printed, when it succeeded.
///
/// # Errors
/// When it cannot be started or fails: with what it said.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let said = command.output()?;
    if said.status.success() {
        return Ok(said);
    }
    Err(io::Error::other(format!(
        "{command:?}: {}\n{}",
        said.status,
        String::from_utf8_lossy(&said.stderr)
    )))
}
