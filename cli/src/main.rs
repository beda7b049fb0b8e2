//! The `speclex` command.

fn main() -> std::process::ExitCode {
    speclex_cli::run(&speclex_cli::Home::from_environment())
}
