//! The script of `docs/surveying-a-crawl.md` that makes lines of JSON of WARC files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use speclex_tests::{files, shared, workspace};

use crate::shards::totals;
use crate::{Checked, JUNE, check, diff, folder, same};

/// A Python that has `warcio`: the one that `.ci/run` installs, or the system's. `None`, loudly, when there is none.
///
/// # Panics
/// When there is none and the environment variable `CI` is set.
fn python() -> Option<PathBuf> {
    let installed = workspace().join("target/python/bin/python3");
    let has_warcio = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", "import warcio"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = [installed, "python3".into()].into_iter().find(has_warcio);
    if found.is_none() {
        let missing = "no Python with warcio: .ci/spark install";
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        eprintln!("SKIPPED: {missing}");
    }
    found
}

fn output(python: &Path, arguments: &[&str]) -> Result<Output, String> {
    let output = Command::new(python).args(arguments).output();
    let output = output.map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(output),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The script.
fn script() -> String {
    let path = workspace().join("examples/spark/warc_to_json.py");
    path.to_string_lossy().into_owned()
}

/// What makes WARC files.
fn maker() -> String {
    let path = workspace().join("tests/tests/documents/warc.py");
    path.to_string_lossy().into_owned()
}

pub(crate) fn pages() -> Checked {
    let (Some(python), Some(corpora)) = (python(), shared("corpora/html/docs")) else {
        return Ok(());
    };
    let folder = folder();
    let crawl = folder.path().join("crawl.warc.gz");
    let crawl = crawl.to_string_lossy();
    let documents = files(&corpora, &["html"]);
    let mut arguments = vec![maker(), "pages".to_owned(), crawl.to_string()];
    arguments.extend(documents.iter().map(|path| path.to_string_lossy().into()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    output(&python, &arguments)?;
    let lines = output(&python, &[&script(), &crawl])?.stdout;
    let pair = ["html-2009", "html-living"];
    let from_warc = diff(pair, &["--input", "-", "--records", "json"], &lines).json()?;
    let from_files = diff(pair, &["--input", &corpora.to_string_lossy()], b"").json()?;
    same(totals(&from_warc), totals(&from_files), "the same pages")
}

pub(crate) fn special_records() -> Checked {
    let Some(python) = python() else {
        return Ok(());
    };
    let folder = folder();
    let crawl = folder.path().join("crawl.warc.gz");
    let crawl = crawl.to_string_lossy();
    output(&python, &[&maker(), "special", &crawl])?;
    let other = workspace().join("Cargo.toml");
    let other = other.to_string_lossy();
    let converted = output(&python, &[&script(), &crawl, "missing.warc", &other])?;
    let ran = diff(
        JUNE,
        &["--input", "-", "--records", "json"],
        &converted.stdout,
    );
    let found = ran.json()?;
    same(found["documents"].as_u64(), Some(10), &found.to_string())?;
    same(
        found["differing"]["tokens"].as_u64(),
        Some(10),
        "all differ",
    )?;
    same(found["unreadCount"].as_u64(), Some(6), &found.to_string())?;
    same(ran.code, Some(2), "exit status")?;
    let rows = found["differences"].as_array().into_iter().flatten();
    let names: Vec<_> = rows.filter_map(|row| row["record"].as_str()).collect();
    check(names.contains(&"https://example.org/not-utf-8"), || {
        format!("{names:?}")
    })?;
    let counts = String::from_utf8_lossy(&converted.stderr);
    for counted in [
        "9 × page\n",
        "1 × page that is not UTF-8",
        "2 × left out: another content type",
        "17 × left out: no HTTP response",
        "1 × not read: another content coding",
        "1 × not read: the compressed body breaks off",
        "1 × not read: longer than 16 MiB",
        "1 × not read: the file ends in the record",
        "missing.warc",
        "Unknown archive format",
    ] {
        check(counts.contains(counted), || format!("{counted}: {counts}"))?;
    }
    Ok(())
}
