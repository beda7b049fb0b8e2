//! `cargo xtask revision`.

fn main() -> std::process::ExitCode {
    let home = speclex_cli::Home {
        repository: std::env::var_os(speclex_cli::REPOSITORY).map(Into::into),
    };
    speclex_cli::new_revision(&home, std::env::args_os())
}
