//! `cargo xtask`: the commands of `speclex` with this repository's defaults.
//!
//! What makes and checks generated code runs here, in a build without any of it. The other commands
//! run in `speclex`, which is built with the generated tokenizers, and `bench` and `fuzz` in programs of their own.

mod build;
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
    let mut options = Vec::new();
    // The first argument is the program's own name.
    let (what, skipped) = if has_own_program {
        let arguments: Vec<_> = std::env::args().collect();
        let (what, package, features) = match first.as_str() {
            "fuzz" => ("the fuzzers", "speclex-tests", fuzz_features(&arguments)),
            _ => (
                "the benchmarks",
                "speclex-bench",
                bench_features(&arguments),
            ),
        };
        options.extend(["--package", package, "--no-default-features"]);
        options.extend(["--features", features]);
        (what, 2)
    } else {
        // The audit's code is built only for those who audit.
        let features = match first.as_str() {
            "audit" => "audit,simd,tokenizers",
            _ => "simd,tokenizers",
        };
        options.extend(["--package", "speclex-cli", "--no-default-features"]);
        options.extend(["--features", features]);
        ("the command `speclex` with the generated tokenizers", 1)
    };
    options.extend(["--profile", profile]);
    let manifest = root.join("Cargo.toml");
    let cargo = |subcommand: &str| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.arg(subcommand).args(&options);
        cargo.arg("--manifest-path").arg(&manifest);
        cargo
    };
    let time = match profile {
        "generate" => "the first time takes about a minute",
        _ => "optimised, so the first time takes minutes",
    };
    let built = build::build(cargo("build"), &format!("building {what}: {time}"));
    let status = match built {
        Ok(status) if status.success() => cargo("run")
            .args(["--quiet", "--"])
            .args(std::env::args_os().skip(skipped))
            .env(speclex_cli::REPOSITORY, &root)
            .status(),
        other => other,
    };
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
    let with_peers =
        |argument: &String| matches!(argument.as_str(), "--peers" | "--agreement" | "--trees");
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
