//! Documents as lines of JSON, whole and in shards.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use speclex_tests::{files, shared};

use crate::{Checked, check, diff, folder, run, same, write};

/// A survey without what depends on how the documents were packed.
pub(crate) fn totals(survey: &Value) -> Value {
    let mut totals = survey.clone();
    let list = totals["differences"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    const KEPT: [&str; 7] = [
        "line", "column", "before", "after", "outputs", "differs", "arms",
    ];
    let mut list: Vec<String> = list
        .iter()
        .map(|row| KEPT.map(|key| row[key].to_string()).join(" "))
        .collect();
    list.sort();
    for row in totals["causes"].as_array_mut().into_iter().flatten() {
        row["example"] = Value::Null;
    }
    totals["differences"] = list.into();
    totals
}

/// A line of JSON for each document.
fn lines(documents: &[PathBuf]) -> String {
    let lines = documents.iter().map(|path| {
        let bytes = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        format!(
            "{}\n",
            json!({"name": path.to_string_lossy(), "document": text})
        )
    });
    lines.collect()
}

pub(crate) fn json_lines() -> Checked {
    let Some(corpora) = shared("corpora/html/docs") else {
        return Ok(());
    };
    let documents = files(&corpora, &["html"]);
    let folder = folder();
    let pair = ["html-2009", "html-living"];
    const OPTIONS: [&str; 6] = ["--input", "-", "--name", "crawl", "--records", "json"];
    let survey = |documents: &[PathBuf]| diff(pair, &OPTIONS, lines(documents).as_bytes());
    let corpora = corpora.to_string_lossy();
    let from_files = diff(pair, &["--input", &corpora], b"").json()?;
    let whole = survey(&documents).json()?;
    let count = documents.len();
    same(
        from_files["documents"].as_u64(),
        Some(count as u64),
        "documents",
    )?;
    check(
        from_files["differences"]
            .as_array()
            .is_some_and(|all| all.len() > 20),
        || "too few documents differ".to_owned(),
    )?;
    same(totals(&whole), totals(&from_files), "JSON")?;
    // Three shards under one name add up to the whole, in any order, two at a time or at once.
    let shards: Vec<String> = documents
        .chunks(count.div_ceil(3))
        .enumerate()
        .map(|(number, documents)| {
            let path = folder.path().join(format!("{number}.json"));
            write(path, survey(documents).out.as_bytes())
        })
        .collect();
    let [a, b, c] = [0, 1, 2].map(|number| shards[number].as_str());
    let merge = |shards: &[&str]| {
        run(
            &[&["diff", "--format", "json", "--merge"], shards].concat(),
            b"",
        )
    };
    same(&merge(&[a, b, c]).json()?, &whole, "in order")?;
    let two = write(
        folder.path().join("two.json"),
        merge(&[c, a]).out.as_bytes(),
    );
    same(&merge(&[&two, b]).json()?, &whole, "two at a time")?;
    let surveys = [a, b, c]
        .map(|shard| fs::read_to_string(shard).expect("a survey"))
        .concat();
    let piped = run(
        &["diff", "--merge", "-", "--format", "json"],
        surveys.as_bytes(),
    );
    same(piped.code, Some(1), "exit status")?;
    same(&piped.json()?, &whole, "all on standard input")?;
    // For people the same numbers are printed.
    let human = run(&["diff", "--merge", a, b, c], b"");
    let direct = run(
        &[&["diff", pair[0], pair[1]], OPTIONS.as_slice()].concat(),
        lines(&documents).as_bytes(),
    );
    let compared = format!("{count} documents compared");
    check(human.out.contains(&compared), || human.out.clone())?;
    same(human.out, direct.out, "for people")
}
