//! Builds of this package's programs, and other commands.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// The target folder that this program was built in.
///
/// # Errors
/// When the program does not know where it is.
pub fn target() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.parent().and_then(Path::parent);
    Ok(target.unwrap_or(&program).to_owned())
}

/// Builds a program of this package, optimised as this one. Returns its path.
///
/// # Errors
/// When it cannot be built.
pub fn build(program: &str, features: &[&str], target: &Path) -> io::Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(root())
        .env("CARGO_TARGET_DIR", target)
        .args(["build", "--quiet", "--profile", "xtask"])
        .args(["--package", "speclex-bench", "--bin", program])
        .arg("--no-default-features")
        .args(["--features", &features.join(",")]);
    output(&mut cargo)?;
    Ok(target.join("xtask").join(program))
}

/// Runs a command that has to succeed.
///
/// # Errors
/// When it cannot be started or fails: with what it printed.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output);
    }
    Err(io::Error::other(format!(
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )))
}
