//! A crate with the tokenizers of many tables, compiled and running: cases go in, what they record comes out.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::Machine;

use crate::fuzz::build;
use crate::fuzz::case::Case;
use crate::workspace;

/// What is recorded of a case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed {
    /// The tokens, as they print.
    pub(super) tokens: String,
    /// The errors, sorted by offset.
    pub(super) errors: Vec<(u64, String)>,
}

/// A program with the tokenizers of some tables.
#[derive(Debug)]
pub(crate) struct Batch {
    folder: PathBuf,
    /// It ends when it panics.
    running: Option<Running>,
}

/// The running program.
#[derive(Debug)]
struct Running {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends with its input; nothing is lost if it ends earlier.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

const MAIN: &str = "\
fn main() {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    while let Some((table, case)) = fuzz::request(&mut input) {
        let drive = TABLES[table];
        for chunks in [&[], &case.chunks[..]] {
            fuzz::respond(&mut output, drive(&case, chunks, None));
        }
    }
}
";

const SERVE: &str = "\
use std::io::{BufRead, Write};
pub fn request(input: &mut impl BufRead) -> Option<(usize, case::Case)> {
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    Some((line.trim_end().parse().ok()?, case::Case::read(input).ok()?))
}
pub fn respond(output: &mut impl Write, recording: drive::Recording) {
    let _ = writeln!(output, \"{:?}\", recording.tokens);
    for (code, offset) in recording.errors {
        let _ = write!(output, \"{offset} {code},\");
    }
    let _ = writeln!(output);
    let _ = output.flush();
}
";

impl Batch {
    /// Compiles the tokenizers of these machines.
    ///
    /// # Errors
    /// When they do not compile: what the compiler says.
    pub(crate) fn start(machines: &[Machine]) -> Result<Self, String> {
        let folder = workspace().join("target/fuzz/tables");
        let package = write(&folder, machines).map_err(|error| error.to_string())?;
        build(&package, &folder)?;
        Ok(Self {
            folder,
            running: None,
        })
    }

    /// Runs a case with a table's tokenizer, whole and in chunks.
    ///
    /// # Errors
    /// When the tokenizer panics: what it says.
    pub(super) fn record(&mut self, table: usize, case: &Case) -> Result<[Printed; 2], String> {
        let said = self.folder.join("panic.txt");
        let running = match &mut self.running {
            Some(running) => running,
            none => {
                let started = Running::start(&self.folder, &said);
                none.insert(started.map_err(|error| error.to_string())?)
            }
        };
        running.record(table, case).map_err(|error| {
            self.running = None;
            let said = fs::read_to_string(said).unwrap_or_default();
            format!("the tokenizer panics ({error}): {}", said.trim())
        })
    }
}

impl Running {
    fn start(folder: &Path, said: &Path) -> std::io::Result<Self> {
        let mut program = Command::new(folder.join("target/debug/fuzz-tables"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(said)?)
            .spawn()?;
        match (program.stdin.take(), program.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self {
                program,
                input,
                output: BufReader::new(output),
            }),
            _ => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn record(&mut self, table: usize, case: &Case) -> std::io::Result<[Printed; 2]> {
        let mut request = format!("{table}\n").into_bytes();
        case.write(&mut request)?;
        std::io::Write::write_all(&mut self.input, &request)?;
        Ok([self.printed()?, self.printed()?])
    }

    fn printed(&mut self) -> Result<Printed, std::io::Error> {
        let [tokens, errors] = [self.line()?, self.line()?];
        let errors = errors.split(',').filter_map(|error| {
            let (offset, code) = error.split_once(' ')?;
            Some((offset.parse().ok()?, code.to_owned()))
        });
        Ok(Printed {
            tokens,
            errors: errors.collect(),
        })
    }

    fn line(&mut self) -> Result<String, std::io::Error> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        match line.pop() {
            Some(_) => Ok(line),
            None => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Writes the package.
fn write(folder: &Path, machines: &[Machine]) -> std::io::Result<PathBuf> {
    let package = folder.join("package");
    let source = package.join("src");
    fs::create_dir_all(source.join("fuzz"))?;
    let runtime = workspace().join("runtime");
    fs::write(
        package.join("Cargo.toml"),
        format!(
            "[package]\nname = \"fuzz-tables\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nspeclex = {{ path = {:?}, default-features = false, features = [\"simd\", \"std\"] }}\n\n\
             [profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\n\n[workspace]\n",
            runtime.display().to_string()
        ),
    )?;
    fs::write(source.join("fuzz/case.rs"), include_str!("../case.rs"))?;
    fs::write(source.join("fuzz/drive.rs"), include_str!("../drive.rs"))?;
    fs::write(
        source.join("fuzz/mod.rs"),
        format!("pub mod case;\npub mod drive;\n{SERVE}"),
    )?;
    let mut main = "#![allow(dead_code, unused)]\nmod fuzz;\n".to_owned();
    let mut tables = String::new();
    for (index, machine) in machines.iter().enumerate() {
        let items = emit::module(machine, &Paths::default());
        fs::write(source.join(format!("t{index}.rs")), items.to_string())?;
        let _ = writeln!(main, "mod t{index};");
        let _ = writeln!(
            tables,
            "    fuzz::drive::drive::<t{index}::Machine<fuzz::drive::Recorder>>,"
        );
    }
    let drive =
        "fn(&fuzz::case::Case, &[usize], Option<speclex::Limits>) -> fuzz::drive::Recording";
    let _ = write!(main, "const TABLES: &[{drive}] = &[\n{tables}];\n{MAIN}");
    fs::write(source.join("main.rs"), main)?;
    Ok(package)
}
