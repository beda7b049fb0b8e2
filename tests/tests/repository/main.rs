//! What is checked in: pages, the code map and generated code are as they should be. One program, which is linked once.

use std::path::Path;
use std::process::Command;

mod architecture;
mod every_name;
mod generate;
mod new_revision;
mod packaged;
mod readme;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `cargo` in the folder of a package. It builds where other tests build downstream crates, without what only debuggers need.
fn cargo(package: &Path, arguments: &[&str]) -> Command {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests/trybuild");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(arguments)
        .args(["--quiet", "--offline"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0");
    command
}
