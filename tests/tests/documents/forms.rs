//! The forms in which documents come.

use std::fs;

use serde_json::json;
use speclex_tests::{shared, workspace};

use crate::{Checked, JUNE, check, diff, folder, same, write};

pub(crate) fn tables_by_path() -> Checked {
    let page = workspace().join("tests/pages");
    let page = page.to_string_lossy();
    let paths = ["html-2014", "html-living"]
        .map(|name| workspace().join(format!("spec-tables/{name}.yaml")))
        .map(|path| path.to_string_lossy().into_owned());
    let corpora = shared("corpora/html/intl").map(|path| path.to_string_lossy().into_owned());
    let mut input = vec!["--input", &page];
    if let Some(corpora) = &corpora {
        input.extend(["--input", corpora]);
    }
    let shipped = diff(["html-2014", "html-living"], &input, b"");
    let by_path = diff([&paths[0], &paths[1]], &input, b"");
    let one_each = diff(["html-2014", &paths[1]], &input, b"");
    same(shipped.code, Some(1), &shipped.err)?;
    let called = |out: &str, names: [&str; 2]| {
        let own = json!(["html-2014", "html-living"]).to_string();
        out.replacen(&own, &json!(names).to_string(), 1)
    };
    same(
        &by_path.out,
        &called(&shipped.out, [&paths[0], &paths[1]]),
        "both by path",
    )?;
    same(
        &one_each.out,
        &called(&shipped.out, ["html-2014", &paths[1]]),
        "one by path",
    )
}

pub(crate) fn standard_input() -> Checked {
    let one = diff(JUNE, &["--input", "-"], b"a\nb<?a?>");
    same(one.code, Some(1), &one.err)?;
    let one = one.json()?;
    same(one["documents"].as_u64(), Some(1), "one document")?;
    same(one["differences"][0]["line"].as_u64(), Some(2), "line")?;
    same(one["differences"][0]["file"].as_str(), Some("-"), "name")?;
    for (records, input) in [
        ("newline", b"a\n<?a?>\n\nb".as_slice()),
        ("nul", b"a\0<?a?>\0\0b\0"),
    ] {
        let input = [input, b""].concat();
        let many = diff(JUNE, &["--input", "-", "--records", records], &input).json()?;
        same(many["documents"].as_u64(), Some(4), records)?;
        same(many["bytes"].as_u64(), Some(7), records)?;
        same(
            many["differences"][0]["record"].as_str(),
            Some("2"),
            records,
        )?;
    }
    let lines = "\"a\\n<?a?>\\u0000\"\n{\"document\":\"<?a?>\",\"name\":\"b\"}\n[]\n\n\"\\ud800\"\n{\"name\":1}\n\
                 {\"name\":\"c\",\"error\":\"lost\"}\n{\"name\":\"d\"}";
    let json = diff(
        JUNE,
        &["--input", "-", "--records", "json"],
        lines.as_bytes(),
    );
    same(json.code, Some(2), &json.err)?;
    let json = json.json()?;
    same(json["documents"].as_u64(), Some(2), "JSON")?;
    same(json["differences"][0]["record"].as_str(), Some("1"), "JSON")?;
    same(json["differences"][0]["line"].as_u64(), Some(2), "JSON")?;
    same(json["differences"][1]["record"].as_str(), Some("b"), "JSON")?;
    same(json["unreadCount"].as_u64(), Some(6), "JSON")?;
    let unread = |record: &str, why: &str| json!({"file": "-", "record": record, "why": why});
    let lost = &[
        unread("c", "lost"),
        unread("d", "the object has no texts `name` and `document`"),
    ];
    let rows = json["unread"].as_array().map(Vec::as_slice);
    let named = rows.and_then(|rows| rows.get(4..));
    same(named, Some(lost.as_slice()), "names of what is not read")?;
    // What is too long has its name, too.
    let long = format!(
        r#"{{"name":"e","document":"{}"}}"#,
        "x".repeat((1 << 20) + 1)
    );
    let options = ["--input", "-", "--records", "json", "--max-size", "1"];
    let long = diff(JUNE, &options, long.as_bytes()).json()?;
    let why = "it is longer than 1 MiB (--max-size)";
    same(&long["unread"], &json!([unread("e", why)]), "too long")?;
    // A task may get no record at all.
    let none = diff(JUNE, &["--input", "-", "--records", "nul"], b"");
    same(none.code, Some(0), &none.err)?;
    same(none.json()?["documents"].as_u64(), Some(0), "no document")
}

pub(crate) fn lists_of_files() -> Checked {
    let folder = folder();
    let inside = folder.path().join("with\nnewline");
    fs::create_dir(&inside).expect("a folder");
    let a = write(folder.path().join("a"), b"<?a?>");
    let b = write(inside.join("b"), b"<?a?>");
    let newlines = diff(JUNE, &["--files-from", "-"], format!("{a}\n\n").as_bytes());
    same(
        newlines.json()?["documents"].as_u64(),
        Some(1),
        &newlines.err,
    )?;
    let list = format!("{a}\0{b}\0{}", inside.display());
    let nuls = diff(JUNE, &["--files-from", "-", "-0"], list.as_bytes());
    same(nuls.code, Some(1), &nuls.err)?;
    same(
        nuls.json()?["documents"].as_u64(),
        Some(3),
        "names that end with NUL",
    )?;
    let list = write(folder.path().join("list"), list.as_bytes());
    let from_file = diff(JUNE, &["--files-from", &list, "--null"], b"");
    same(from_file.out, nuls.out, "a list in a file")
}

pub(crate) fn folders() -> Checked {
    let folder = folder();
    let deep = folder.path().join("b/c");
    fs::create_dir_all(&deep).expect("folders");
    for (path, text) in [
        ("b/z", "<?a?>"),
        ("b/c/y", "<?a?>"),
        ("a", "<?a?>"),
        ("c", "fine"),
    ] {
        write(folder.path().join(path), text.as_bytes());
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), deep.join("loop")).expect("a link");
    let root = folder.path().to_string_lossy();
    let found = diff(JUNE, &["--input", &root], b"").json()?;
    let rows = found["differences"].as_array().into_iter().flatten();
    let names: Vec<_> = rows.filter_map(|row| row["file"].as_str()).collect();
    let wanted = ["a", "b/c/y", "b/z"].map(|name| format!("{root}/{name}"));
    same(
        names,
        wanted.iter().map(String::as_str).collect(),
        "in order of names",
    )?;
    #[cfg(unix)]
    same(
        found["skipped"]["links to folders"].as_u64(),
        Some(1),
        "the loop",
    )?;
    let only = diff(JUNE, &["--input", &root, "--totals"], b"").json()?;
    check(only.get("differences").is_none(), || only.to_string())?;
    same(&only["causes"], &found["causes"], "causes")
}
