//! The `speclex` command.

fn main() -> std::process::ExitCode {
    speclex_cli::run()
}
