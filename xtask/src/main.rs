//! `cargo xtask`: the commands of `speclex` with this repository's defaults.
//!
//! What makes and checks generated code runs here, in a build without any of it. The other commands
//! run in `speclex`, which is built with the generated tokenizers, and `bench` and `fuzz` in programs of their own.

mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use speclex_cli::Home;

fn main() -> ExitCode {
    let root = root();
    let first = std::env::args().nth(1).unwrap_or_default();
    if first == "test" {
        return test::run(&root, &std::env::args().skip(2).collect::<Vec<_>>());
    }
    if !speclex_cli::needs_tokenizers(&first) {
        let home = Home {
            repository: Some(root),
        };
        return speclex_cli::run_from(&home, std::env::args_os());
    }
    let has_own_program = matches!(first.as_str(), "bench" | "fuzz");
    let profile = match has_own_program || speclex_cli::takes_long(&first) {
        true => "xtask",
        false => "generate",
    };
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["run", "--quiet", "--profile", profile, "--manifest-path"])
        .arg(root.join("Cargo.toml"));
    // The first argument is the program's own name.
    let skipped = if has_own_program {
        let arguments: Vec<_> = std::env::args().collect();
        let (package, features) = match first.as_str() {
            "fuzz" => ("speclex-tests", fuzz_features(&arguments)),
            _ => ("speclex-bench", bench_features(&arguments)),
        };
        cargo.args(["--package", package, "--no-default-features"]);
        cargo.args(["--features", features]);
        2
    } else {
        // Nobody waits for the audit who does not audit.
        let features = match first.as_str() {
            "audit" => "audit,simd,tokenizers",
            _ => "simd,tokenizers",
        };
        cargo.args(["--package", "speclex-cli", "--no-default-features"]);
        cargo.args(["--features", features]);
        1
    };
    let status = cargo
        .arg("--")
        .args(std::env::args_os().skip(skipped))
        .env(speclex_cli::REPOSITORY, &root)
        .status();
    match status {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)),
        Err(e) => {
            eprintln!("error: cannot run cargo: {e}");
            ExitCode::from(2)
        }
    }
}

/// The features of the benchmarks: tokenizers by others take long to build.
fn bench_features(arguments: &[String]) -> &'static str {
    let with_peers = |argument: &String| argument == "--peers" || argument == "--agreement";
    match arguments.iter().any(with_peers) {
        true => "simd,peers",
        false => "simd",
    }
}

/// The features of the fuzzers: without `simd` all code is safe.
fn fuzz_features(arguments: &[String]) -> &'static str {
    match arguments.iter().any(|argument| argument == "--safe") {
        true => "fuzz",
        false => "fuzz,simd",
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
