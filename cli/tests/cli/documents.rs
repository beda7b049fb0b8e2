//! `tokenize` without a table, and with several documents.

use std::fs;
use std::process::{Output, Stdio};

use crate::program::{folder, run, speclex, stderr, stdout};

#[test]
fn a_document_without_a_table_gets_one_by_its_name_or_its_first_word() {
    let folder = folder();
    let xml = "\u{FEFF}\n <?xml version='1.0'?><a/>";
    for (name, text, table, why) in [
        ("a.html", xml, "html-living", "its name ends in .html"),
        ("b.XML", "<a>", "xml5", "its name ends in .xml"),
        ("c.svg", "<svg/>", "xml5", "its name ends in .svg"),
        ("d", xml, "xml5", "it begins with <?xml"),
        (
            "e.txt",
            "<?xm",
            "html-living",
            "it does not begin with <?xml",
        ),
        ("f", "", "html-living", "it does not begin with <?xml"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
        let output = run(speclex(&["tokenize", name]).current_dir(&folder));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let of_table =
            format!("{name}: read with {table}, because {why}; --spec chooses another table\n");
        let (of_encoding, other) = match text.strip_prefix('\u{FEFF}') {
            Some(_) => ("it begins with a byte order mark", ""),
            None => (
                "it declares no other encoding",
                "; --encoding chooses another",
            ),
        };
        let of_encoding = format!("{name}: decoded as UTF-8, because {of_encoding}{other}\n");
        assert_eq!(stderr(&output), of_table + &of_encoding);
        let named = run(speclex(&["tokenize", "--spec", table, name]).current_dir(&folder));
        assert_eq!(
            (stderr(&named), stdout(&named)),
            (of_encoding, stdout(&output))
        );
    }
    let piped = fs::File::open(folder.path().join("d")).expect("a file");
    let output = run(speclex(&["tokenize"]).stdin(Stdio::from(piped)));
    assert!(stderr(&output).starts_with("the standard input: read with xml5, "));
    // Far whitespace does not keep the command waiting.
    let far = " ".repeat(1 << 20) + "<?xml?>";
    fs::write(folder.path().join("far"), far).expect("a file");
    let output = run(speclex(&["tokenize", "far"]).current_dir(&folder));
    assert!(
        stderr(&output).contains("html-living"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).ends_with("end of file\n"));
}

#[test]
fn several_documents_are_told_apart() {
    let folder = folder();
    fs::write(folder.path().join("a.html"), "a").expect("a file");
    fs::write(folder.path().join("b.xml"), "<b/>").expect("a file");
    let tokenized = |more: &[&str]| -> Output {
        let arguments = [&["tokenize", "a.html", "missing.html", ".", "b.xml"], more].concat();
        let output = run(speclex(&arguments).current_dir(&folder));
        assert_eq!(output.status.code(), Some(2));
        for unread in ["missing.html", "."] {
            let told = format!("error: cannot read {unread}: ");
            assert!(stderr(&output).contains(&told), "{}", stderr(&output));
        }
        output
    };
    let text = stdout(&tokenized(&[]));
    assert!(
        text.starts_with("==> a.html <==\n1:1          characters \"a\"\n"),
        "{text}"
    );
    assert!(
        text.contains("end of file\n\n==> b.xml <==\n1:1 "),
        "{text}"
    );
    for format in ["json", "json-lines"] {
        let text = stdout(&tokenized(&["--format", format]));
        let values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
        let mut files: Vec<_> = values
            .map(|value| value.expect("JSON")["file"].clone())
            .collect();
        files.dedup();
        assert_eq!(files, ["a.html", "b.xml"], "{text}");
    }
    let output = run(speclex(&["tokenize", "-", "-"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
}
