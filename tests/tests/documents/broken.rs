//! What is hostile, broken or asked for in vain.

use std::fs;

use speclex_tests::workspace;

use crate::{Checked, JUNE, check, diff, folder, run, same, write};

/// Documents that make careless programs stop, hang or lie.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let long = |before: &str, middle: &str, after: &str| {
        [before, &middle.repeat((1 << 16) / middle.len()), after]
            .concat()
            .into_bytes()
    };
    vec![
        ("empty", Vec::new()),
        ("nul", b"\0<\0a\0=\0>\0&\0;\0".to_vec()),
        ("cr at the end", b"<p>\r".to_vec()),
        ("two marks", "\u{FEFF}\u{FEFF}<p>".as_bytes().to_vec()),
        (
            "cr and marks",
            "\u{FEFF}\r\n\r\u{FEFF}<?a\r?>".as_bytes().to_vec(),
        ),
        ("no utf-8", b"\xFF\xFE<\xC3?a\xF0\x9F?>\xE2\x82".to_vec()),
        ("a long attribute", long("<a b='", "x", "&a=\0'>\0<?a?>")),
        ("a long comment", long("<!--", "-x", "--!><?a?>")),
        ("a long text", long("", "x\r\n", "\0<?a?>")),
        (
            "a long script",
            long("<script>", "<!--<script>", "</script>\0<?a?>"),
        ),
        ("many attributes", long("<a", " b", "\0><?a?>")),
        ("references", long("", "&amp", "&#xD;<?a?>")),
        ("an open tag", long("<a ", "b=c ", "")),
        ("plain text", b"<plaintext></plaintext>\0<?a?>".to_vec()),
    ]
}

pub(crate) fn hostile_documents() -> Checked {
    let folder = folder();
    let documents = hostile();
    for (name, bytes) in &documents {
        write(folder.path().join(name), bytes);
    }
    let root = folder.path().to_string_lossy();
    let pairs = [
        ["html-2009", "html-2012"],
        ["html-2012", "html-2014"],
        ["html-2014", "html-living"],
        ["xml5-2016", "xml5"],
        ["html-2009", "xml5"],
    ];
    for pair in pairs {
        let ran = diff(pair, &["--input", &root], b"");
        let found = ran.json()?;
        let what = pair.join(" and ");
        same(
            found["documents"].as_u64(),
            Some(documents.len() as u64),
            &what,
        )?;
        same(found["notUtf8"].as_u64(), Some(1), &what)?;
        same(found["unreadCount"].as_u64(), Some(0), &what)?;
        let differ = found["causes"]
            .as_array()
            .is_some_and(|causes| !causes.is_empty());
        same(ran.code, Some(i32::from(differ)), &what)?;
        same(differ, !what.starts_with("xml5"), &what)?;
        // What comes out for people has nothing that would steer their terminal.
        let human = run(&["diff", "--merge", "-"], ran.out.as_bytes()).out;
        let steers = |c: char| c.is_control() && c != '\n';
        check(!human.contains(steers), || format!("{what}: {human:?}"))?;
    }
    Ok(())
}

pub(crate) fn broken() -> Checked {
    let folder = folder();
    write(folder.path().join("fine.html"), b"<?a?>");
    write(folder.path().join("crawl.warc"), b"WARC/1.0\r\n<?a?>");
    let compressed = [b"\x1F\x8B\x08".as_slice(), &[0; (1 << 20) + 1]].concat();
    write(folder.path().join("crawl.warc.gz"), &compressed);
    write(folder.path().join("long.html"), &vec![b'x'; (1 << 20) + 1]);
    let root = folder.path().to_string_lossy();
    let missing = format!("{root}/missing");
    let ran = diff(
        JUNE,
        &["--input", &missing, "--input", &root, "--max-size", "1"],
        b"",
    );
    let found = ran.json()?;
    let unread: Vec<String> = (found["unread"].as_array().into_iter().flatten())
        .map(|row| {
            let file = row["file"].as_str().unwrap_or_default().rsplit('/').next();
            format!(
                "{} {}",
                file.unwrap_or_default(),
                row["why"].as_str().unwrap_or_default()
            )
        })
        .collect();
    let wanted = [
        ("missing", "cannot read it"),
        ("crawl.warc", "docs/surveying-a-crawl.md"),
        ("crawl.warc.gz", "docs/surveying-a-crawl.md"),
        ("long.html", "it is longer than 1 MiB"),
    ];
    same(unread.len(), wanted.len(), &format!("{unread:#?}"))?;
    for (file, reason) in wanted {
        let listed = |row: &String| row.starts_with(&format!("{file} ")) && row.contains(reason);
        check(unread.iter().any(listed), || {
            format!("{file}: {reason} in {unread:#?}")
        })?;
    }
    same(found["documents"].as_u64(), Some(1), "what can be read")?;
    same(ran.code, Some(2), "exit status")
}

pub(crate) fn refused() -> Checked {
    let page = workspace().join("tests/pages/welcome.html");
    let page = page.to_string_lossy();
    let folder = folder();
    let survey = |tables, name: &str| {
        write(
            folder.path().join(name),
            diff(tables, &["--input", &page], b"").out.as_bytes(),
        )
    };
    let one = survey(JUNE, "one.json");
    let other = survey(["html-2012", "html-living"], "other.json");
    // Another table at the same path.
    let text = fs::read_to_string(workspace().join("tests/tables/html-living-85.yaml"));
    let text = text.expect("a table");
    let path = write(folder.path().join("my.yaml"), text.as_bytes());
    let before = survey(["html-2026-06", &path], "before.json");
    let text = text.replacen("html-living-85", "html-living", 1);
    write(folder.path().join("my.yaml"), text.as_bytes());
    let changed = survey(["html-2026-06", &path], "changed.json");
    let same_name = format!("different tables of the name {path}");
    let version =
        fs::read_to_string(&one)
            .expect("a survey")
            .replacen(env!("CARGO_PKG_VERSION"), "0.0.1", 1);
    let version = write(folder.path().join("version.json"), version.as_bytes());
    let page = page.as_ref();
    let cases: [(&[&str], &str); 10] = [
        (
            &["diff", "--merge", &one, &other],
            "one survey compares html-2026-06 with html-living",
        ),
        (
            &["diff", "--merge", &one, &changed],
            "one survey compares html-2026-06 with html-living, another html-2026-06 with ",
        ),
        (&["diff", "--merge", &before, &changed], &same_name),
        (&["diff", "--merge", &one, &version], "made by speclex"),
        (&["diff", "--merge", page], "this is not what"),
        (
            &["diff", "--merge", "missing.json"],
            "cannot read missing.json",
        ),
        (&["diff", "a", "b", "--merge", &one], "cannot be used with"),
        (
            &[
                "diff", "xml5", "xml5", "--input", page, "--format", "markdown",
            ],
            "no page for documents",
        ),
        (
            &["diff", "xml5", "xml5", "--input", "-", "--input", "-"],
            "only once",
        ),
        (
            &["diff", "xml5", "xml5", "--input", page, "--records", "nul"],
            "--input -",
        ),
    ];
    for (arguments, reason) in cases {
        let ran = run(arguments, b"");
        same(ran.code, Some(2), &arguments.join(" "))?;
        check(ran.err.contains(reason), || {
            format!("{}: {}", arguments.join(" "), ran.err)
        })?;
        same(ran.out.as_str(), "", &arguments.join(" "))?;
    }
    let same_table = run(&["diff", "xml5", "xml5", "--input", page], b"");
    same(same_table.code, Some(0), &same_table.err)?;
    check(same_table.out.contains("No document differs"), || {
        same_table.out.clone()
    })
}
