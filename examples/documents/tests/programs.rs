//! Each program prints what it should of a page, and has at most 20 lines without comments.
//! `UPDATE_EXPECT=1 cargo test` writes what they print to tests/*.txt.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// What a program prints of an input, or what it says on the standard error.
fn run(program: &str, arguments: &[&str], mut input: impl Read + Send) -> Result<String, String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    let output = thread::scope(|scope| {
        scope.spawn(move || io::copy(&mut input, &mut stdin).expect("it reads its input"));
        child.wait_with_output().expect("it ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(text(output.stderr)),
    }
}

#[track_caller]
fn check(name: &str, program: &str, arguments: &[&str], page: &str) {
    let page = File::open(folder().join(page)).expect("the page");
    let printed = run(program, arguments, page).expect("no error");
    let file = folder().join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &printed).expect("a file");
    }
    assert_eq!(printed, fs::read_to_string(file).unwrap_or_default());
}

macro_rules! programs {
    ($($name:ident $arguments:expr, $page:literal;)+) => {
        $(#[test]
        fn $name() {
            let program = env!(concat!("CARGO_BIN_EXE_", stringify!($name)));
            check(stringify!($name), program, &$arguments, $page);
        })+
    };
}

programs! {
    links ["https://example.org/index.html"], "page.html";
    lines ["img"], "page.html";
    text [], "page.html";
    sanitize [], "comment.html";
    select ["tr > td:first-child, li:not(:has(a))"], "page.html";
    cells [], "page.html";
    fragment [], "cells.html";
    remove_scripts [], "page.html";
    rewrite_attributes ["https://example.org"], "page.html";
}

#[test]
fn stream() {
    let mut page = Vec::new();
    writeln!(page, "<p>{}<a href='x'>y</a>", "text ".repeat(1000)).expect("a buffer");
    let pages = 100_000_000 / page.len() as u64;
    let input = Repeated {
        page,
        left: pages,
        at: 0,
    };
    let printed = run(env!("CARGO_BIN_EXE_stream"), &[], input);
    assert_eq!(printed, Ok(format!("{}\n", 2 * pages)));
}

/// A page again and again.
struct Repeated {
    page: Vec<u8>,
    left: u64,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.page.len() {
            (self.left, self.at) = (self.left - 1, 0);
        }
        let length = match self.left {
            0 => 0,
            _ => (&self.page[self.at..]).read(buffer)?,
        };
        self.at += length;
        Ok(length)
    }
}

/// What is left would be a script.
#[test]
fn a_script_that_comes_of_a_removed_one() {
    let page = "<<script></script>script>alert(1)</script>";
    let error = run(env!("CARGO_BIN_EXE_remove_scripts"), &[], page.as_bytes()).unwrap_err();
    assert!(error.contains("the text would be another tree"), "{error}");
}

#[test]
fn programs_are_short() {
    let mut programs = 0;
    for file in fs::read_dir(folder().join("../src/bin")).expect("the folder") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//"));
        let count = lines.count();
        assert!(count <= 20, "{}: {count} lines", path.display());
        programs += 1;
    }
    assert_eq!(programs, 10);
}
