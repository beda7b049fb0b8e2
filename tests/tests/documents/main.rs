//! Comparisons on documents: what is found in them, in whatever form they come, and what is said of those that
//! cannot be read.
//!
//! The command is run as its users run it: this program is `speclex` when its first argument says so.

mod broken;
mod causes;
mod forms;
mod generated;
mod shards;
mod warc_script;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

/// The first argument with which this program is the command.
const COMMAND: &str = "as-speclex";

type Checked = Result<(), Failed>;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|first| first == COMMAND) {
        let arguments = std::iter::once("speclex".into()).chain(arguments);
        return speclex_cli::run_from(&speclex_cli::Home::default(), arguments);
    }
    let trials = vec![
        Trial::test("known_documents", causes::known_documents),
        Trial::test(
            "errors_elsewhere_have_their_places",
            causes::errors_elsewhere,
        ),
        Trial::test("excerpts_have_the_cause_of_the_whole", causes::excerpts),
        Trial::test(
            "small_documents_take_little",
            causes::small_documents_take_little,
        ),
        Trial::test(
            "generated_code_on_random_documents",
            generated::random_documents,
        ),
        Trial::test(
            "generated_code_on_real_documents",
            generated::real_documents,
        ),
        Trial::test("surveys_add_up_in_any_order", causes::add_up),
        Trial::test("tables_by_path", forms::tables_by_path),
        Trial::test("json_lines_and_shards", shards::json_lines),
        Trial::test("standard_input", forms::standard_input),
        Trial::test("lists_of_files", forms::lists_of_files),
        Trial::test("folders", forms::folders),
        Trial::test("pages_of_a_warc_file", warc_script::pages),
        Trial::test(
            "special_records_of_a_warc_file",
            warc_script::special_records,
        ),
        Trial::test("hostile_documents", broken::hostile_documents),
        Trial::test("what_is_broken_is_told", broken::broken),
        Trial::test("what_is_refused", broken::refused),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// What the command printed, and its exit status.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Result<Value, Failed> {
        let parsed = serde_json::from_str(&self.out);
        parsed.map_err(|e| format!("{e}: {:?} {:?}", self.out, self.err).into())
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(COMMAND).args(arguments);
    command
}

fn run(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // It may stop reading before the end.
        let _ = std::io::Write::write_all(&mut stdin, &input);
    });
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("a thread");
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn diff(tables: [&str; 2], arguments: &[&str], input: &[u8]) -> Ran {
    let all = [
        &["diff", tables[0], tables[1], "--format", "json"],
        arguments,
    ]
    .concat();
    run(&all, input)
}

const JUNE: [&str; 2] = ["html-2026-06", "html-living"];

fn check(condition: bool, what: impl FnOnce() -> String) -> Checked {
    if condition {
        Ok(())
    } else {
        Err(what().into())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(one: T, other: T, what: &str) -> Checked {
    check(one == other, || {
        format!("{what}: {one:#?} is not {other:#?}")
    })
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn write(path: PathBuf, bytes: &[u8]) -> String {
    fs::write(&path, bytes).expect("a file");
    path.to_string_lossy().into_owned()
}
