//! `cargo xtask test`: `cargo test`, with a line for each suite instead of a line for each test.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
Runs all tests and prints a line for each suite; failures in full.

Usage: cargo xtask test [--verbose]

      --verbose  Print all that `cargo test` prints

Exit codes are those of `cargo test`.
";

/// Runs the tests of a workspace.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let verbose = match arguments {
        [] => false,
        ["--verbose"] => true,
        ["--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!(
                "error: unknown arguments: {}\n\n{HELP}",
                arguments.join(" ")
            );
            return ExitCode::from(2);
        }
    };
    match cargo_test(root, verbose) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(2)),
        Err(e) => {
            eprintln!("error: cannot run cargo test: {e}");
            ExitCode::from(2)
        }
    }
}

fn cargo_test(root: &Path, verbose: bool) -> std::io::Result<i32> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--no-fail-fast"]).current_dir(root);
    println!("cargo test: builds all tests first, on a fresh machine for some minutes");
    if verbose {
        return Ok(cargo.status()?.code().unwrap_or(2));
    }
    // One pipe for both streams: cargo names a suite on one and the suite reports on the other.
    let (reader, writer) = std::io::pipe()?;
    let mut child = cargo.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // It holds the pipe's other end, which would never close.
    drop(cargo);
    let stdout = std::io::stdout();
    let is_terminal = stdout.is_terminal();
    let mut report = Report::new(stdout, is_terminal);
    for line in BufReader::new(reader).split(b'\n') {
        report.line(&String::from_utf8_lossy(&line?))?;
    }
    report.end()?;
    Ok(child.wait()?.code().unwrap_or(2))
}

/// What `cargo test` prints, shortened as it comes.
pub(crate) struct Report<W> {
    out: W,
    /// Whether a line can be written over.
    is_terminal: bool,
    start: Instant,
    suite: Option<Suite>,
    passed: u64,
    failed: u64,
    ignored: u64,
    cases: u64,
}

/// A suite that runs.
struct Suite {
    name: String,
    start: Instant,
    /// Tests that have ended, as far as their lines were seen.
    seen: u64,
    /// Passed, failed and ignored tests, from its last lines.
    result: Option<[u64; 3]>,
    /// Cases, if it has many in a test.
    cases: Option<u64>,
    has_failed: bool,
    /// All it printed but tests that passed: shown if it fails.
    kept: Vec<String>,
}

impl<W: Write> Report<W> {
    /// A report that nothing was printed in.
    pub(crate) fn new(out: W, is_terminal: bool) -> Self {
        Self {
            out,
            is_terminal,
            start: Instant::now(),
            suite: None,
            passed: 0,
            failed: 0,
            ignored: 0,
            cases: 0,
        }
    }

    /// Takes a line that cargo or a suite printed.
    pub(crate) fn line(&mut self, line: &str) -> std::io::Result<()> {
        let line = line.trim_end_matches('\r');
        if let Some(name) = suite_name(line) {
            self.end_suite()?;
            self.suite = Some(Suite {
                name,
                start: Instant::now(),
                seen: 0,
                result: None,
                cases: None,
                has_failed: false,
                kept: Vec::new(),
            });
            return self.show_running();
        }
        let Some(suite) = &mut self.suite else {
            return self.built(line);
        };
        if line.starts_with("error: test failed") || line.starts_with("error: doctest failed") {
            suite.has_failed = true;
            suite.kept.push(line.to_owned());
            return self.end_suite();
        }
        if let Some(result) = line.strip_prefix("test result: ") {
            let counts = ["passed", "failed", "ignored"].map(|what| count_before(result, what));
            let sums = suite.result.get_or_insert([0; 3]);
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            suite.has_failed |= counts[1] > 0;
        } else if let Some(cases) = cases(line) {
            *suite.cases.get_or_insert(0) += cases;
        } else if line.starts_with("test ") && is_over(line) {
            suite.seen += 1;
            if line.ends_with("FAILED") {
                suite.kept.push(line.to_owned());
            }
            if self.is_terminal {
                return self.show_running();
            }
        } else if !line.starts_with("running ") {
            suite.kept.push(line.to_owned());
        }
        Ok(())
    }

    /// Ends the report.
    pub(crate) fn end(&mut self) -> std::io::Result<()> {
        self.end_suite()?;
        let mut text = format!(
            "{} passed, {} failed",
            grouped(self.passed),
            grouped(self.failed)
        );
        // Writing to a string cannot fail.
        if self.ignored > 0 {
            let _ = write!(text, ", {} ignored", grouped(self.ignored));
        }
        let seconds = self.start.elapsed().as_secs();
        let _ = write!(text, "; {} cases", grouped(self.cases));
        writeln!(
            self.out,
            "\n{text}; {} min {} s",
            seconds / 60,
            seconds % 60
        )
    }

    /// A line between suites: of crates that are compiled, only those of this workspace are shown, which have a path.
    fn built(&mut self, line: &str) -> std::io::Result<()> {
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_news = match word {
            "Compiling" => line.ends_with(')') && !line.contains("(proc-macro"),
            "Downloaded" | "Locking" | "Adding" | "" => false,
            _ => true,
        };
        if is_news {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    fn show_running(&mut self) -> std::io::Result<()> {
        let Some(suite) = &self.suite else {
            return Ok(());
        };
        match self.is_terminal {
            true => write!(self.out, "\r{:32} {:>7}", suite.name, grouped(suite.seen))?,
            false => write!(self.out, "{:32} ", suite.name)?,
        }
        self.out.flush()
    }

    fn end_suite(&mut self) -> std::io::Result<()> {
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        // A suite without a harness is one test.
        let mut result = suite.result.unwrap_or(match suite.has_failed {
            true => [0, 1, 0],
            false => [1, 0, 0],
        });
        if suite.has_failed && result[1] == 0 {
            // It was killed, or it says so by its exit code only.
            result[1] = 1;
        }
        let [passed, failed, ignored] = result;
        self.passed += passed;
        self.failed += failed;
        self.ignored += ignored;
        self.cases += suite.cases.unwrap_or(passed + failed);
        let mut text = format!("{:>7} passed", grouped(passed));
        if failed > 0 {
            let _ = write!(text, ", {} FAILED", grouped(failed));
        }
        if ignored > 0 {
            let _ = write!(text, ", {} ignored", grouped(ignored));
        }
        if let Some(cases) = suite.cases {
            let _ = write!(text, ", {} cases", grouped(cases));
        }
        if self.is_terminal {
            write!(self.out, "\r{:32} ", suite.name)?;
        }
        let seconds = suite.start.elapsed().as_secs_f64();
        writeln!(self.out, "{text}, {seconds:.1} s")?;
        if suite.has_failed {
            for line in &suite.kept {
                writeln!(self.out, "{line}")?;
            }
        }
        self.out.flush()
    }
}

/// The name of a suite that starts: `Running tests/cover.rs (target/debug/deps/cover-0123456789abcdef)` is `cover`.
fn suite_name(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("examples of {name}"));
    }
    let (source, program) = line.strip_prefix("Running ")?.rsplit_once(" (")?;
    let file = program.trim_end_matches(')').rsplit(['/', '\\']).next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
    Some(match source.starts_with("unittests ") {
        true => format!("{name}, unit tests"),
        false => name.to_owned(),
    })
}

/// The number in `conformance: 72743 cases`.
fn cases(line: &str) -> Option<u64> {
    let (_, count) = line.strip_suffix(" cases")?.rsplit_once(": ")?;
    count.parse().ok()
}

/// The number before a word, in `ok. 3 passed; 0 failed; 1 ignored`.
fn count_before(text: &str, word: &str) -> u64 {
    let mut words = text.split([' ', ';']).filter(|word| !word.is_empty());
    let mut before = "";
    let found = words.any(|each| {
        each == word || {
            before = each;
            false
        }
    });
    if found {
        before.parse().unwrap_or(0)
    } else {
        0
    }
}

fn is_over(line: &str) -> bool {
    [" ok", " FAILED", " ignored"]
        .iter()
        .any(|end| line.ends_with(end))
        || line.contains(" ... ignored, ")
}

/// `72743` as `72,743`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
