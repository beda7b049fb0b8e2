//! WARC files, whole and in shards, and what servers send.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use speclex_tests::warc::{Packing, Warc, gzip};
use speclex_tests::{files, shared};

use crate::{Checked, JUNE, check, diff, folder, run, same, write};

/// A survey without what depends on how the documents were packed.
fn totals(survey: &Value) -> Value {
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
    totals["skipped"] = Value::Null;
    totals
}

pub(crate) fn warc_files() -> Checked {
    let Some(corpora) = shared("corpora/html/docs") else {
        return Ok(());
    };
    let documents = files(&corpora, &["html"]);
    let folder = folder();
    let fields = "content-type: Text/HTML; charset=utf-8\r\n";
    let pack = |packing, documents: &[PathBuf], name: &str| {
        let mut warc = Warc::new(packing);
        for path in documents {
            let uri = format!("https://example.org/{}", path.display());
            warc.response(&uri, fields, &fs::read(path).unwrap_or_default());
        }
        write(folder.path().join(name), &warc.finish())
    };
    let plain = pack(Packing::Plain, &documents, "crawl.warc");
    let packed = pack(Packing::Gzip, &documents, "crawl.warc.gz");
    let pair = ["html-2009", "html-living"];
    let corpora = corpora.to_string_lossy();
    let from_files = diff(pair, &["--input", &corpora], b"").json()?;
    let from_plain = diff(pair, &["--input", &plain], b"").json()?;
    let from_packed = diff(pair, &["--input", &packed], b"").json()?;
    same(
        from_files["documents"].as_u64(),
        Some(documents.len() as u64),
        "documents",
    )?;
    check(
        from_files["differences"]
            .as_array()
            .is_some_and(|all| all.len() > 20),
        || "too few documents differ".to_owned(),
    )?;
    same(totals(&from_plain), totals(&from_files), "plain")?;
    same(totals(&from_packed), totals(&from_files), "gzip")?;
    // The standard input is looked at too.
    let bytes = fs::read(&packed).expect("the file");
    let piped = diff(pair, &["--input", "-", "--name", &packed], &bytes).json()?;
    same(&piped, &from_packed, "standard input")?;
    // Three shards under one name add up to the whole, in any order, two at a time or at once.
    let shards: Vec<String> = documents
        .chunks(documents.len().div_ceil(3))
        .enumerate()
        .map(|(number, documents)| {
            let shard = pack(Packing::Gzip, documents, &format!("shard-{number}.warc.gz"));
            let bytes = fs::read(&shard).expect("the shard");
            let survey = diff(pair, &["--input", "-", "--name", &packed], &bytes);
            write(
                folder.path().join(format!("{number}.json")),
                survey.out.as_bytes(),
            )
        })
        .collect();
    let mut whole = from_packed.clone();
    // Each shard has a record about itself.
    whole["skipped"]["WARC records that are no responses"] = (documents.len() + 3).into();
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
    let lines = [a, b, c]
        .map(|shard| fs::read_to_string(shard).expect("a survey"))
        .concat();
    let piped = run(
        &["diff", "--merge", "-", "--format", "json"],
        lines.as_bytes(),
    );
    same(piped.code, Some(1), "exit status")?;
    same(&piped.json()?, &whole, "all on standard input")?;
    // For people the same numbers are printed.
    let human = run(&["diff", "--merge", a, b, c], b"");
    let direct = run(&["diff", pair[0], pair[1], "--input", &packed], b"");
    let documents = format!("{} documents compared", documents.len());
    check(human.out.contains(&documents), || human.out.clone())?;
    let causes = |text: &str| -> Vec<String> {
        let from = text.lines().skip_while(|line| *line != "## Causes");
        from.map(str::to_owned).collect()
    };
    same(causes(&human.out), causes(&direct.out), "for people")
}

pub(crate) fn http_bodies() -> Checked {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    let page = b"<p><?a?>".as_slice();
    let chunked = b"3;name=value\r\n<p>\r\n5\r\n<?a?>\r\n0\r\n\r\n".as_slice();
    let written = "memory";
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    std::io::Write::write_all(&mut zlib, page).expect(written);
    let zlib = zlib.finish().expect(written);
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    std::io::Write::write_all(&mut raw, page).expect(written);
    let raw = raw.finish().expect(written);
    let packed = gzip(page);
    let packed_chunks = [
        format!("{:x}\r\n", packed.len()).as_bytes(),
        &packed,
        b"\r\n0\r\n\r\n",
    ]
    .concat();
    let html = "Content-Type: text/html\r\n";
    let coded = |coding: &str| format!("{html}Content-Encoding: {coding}\r\n");
    let in_chunks = format!("{html}Transfer-Encoding: chunked\r\n");
    let mut warc = Warc::new(Packing::Gzip);
    for (fields, body) in [
        (html.to_owned(), page),
        ("Content-Type: application/xhtml+xml\r\n".to_owned(), page),
        (in_chunks.clone(), chunked),
        // Some crawlers take codings off and leave the fields.
        (in_chunks.clone(), page),
        (coded("gzip"), page),
        (coded("gzip"), &packed),
        (coded("deflate"), &zlib),
        (coded("deflate"), &raw),
        (
            format!("{}Transfer-Encoding: chunked\r\n", coded("x-gzip")),
            &packed_chunks,
        ),
    ] {
        warc.response("https://example.org/", &fields, body);
    }
    warc.response("https://example.org/", &coded("br"), page);
    warc.response("https://example.org/", "Content-Type: image/png\r\n", page);
    warc.response("https://example.org/", "", page);
    warc.response(
        "https://example.org/broken",
        &coded("gzip"),
        &packed[..packed.len() - 9],
    );
    warc.response("https://example.org/broken", &in_chunks, &chunked[..20]);
    warc.record("response", Some("dns:example.org"), b"20260101 example.org");
    let folder = folder();
    let file = write(folder.path().join("a.warc.gz"), &warc.finish());
    let ran = diff(JUNE, &["--input", &file], b"");
    let found = ran.json()?;
    same(found["documents"].as_u64(), Some(9), &found.to_string())?;
    same(found["differing"]["tokens"].as_u64(), Some(9), "all differ")?;
    same(
        found["bytes"].as_u64(),
        Some(9 * page.len() as u64),
        "bytes",
    )?;
    let skipped = |reason: &str| found["skipped"][reason].as_u64();
    same(
        skipped("responses of another content type"),
        Some(2),
        "types",
    )?;
    same(
        skipped("responses compressed by other means than gzip and deflate"),
        Some(1),
        "br",
    )?;
    same(
        found["unreadCount"].as_u64(),
        Some(3),
        &found["unread"].to_string(),
    )?;
    same(ran.code, Some(2), "exit status")?;
    let images = diff(
        JUNE,
        &["--input", &file, "--content-type", "image/png"],
        b"",
    )
    .json()?;
    same(
        images["documents"].as_u64(),
        Some(1),
        "another content type",
    )
}
