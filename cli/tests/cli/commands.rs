//! Help, and the commands that help to begin.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::program::{cargo, folder, run, speclex, stderr, stdout};

#[test]
fn check_reads_the_standard_input_and_refuses_folders() {
    let folder = folder();
    let mut command = speclex(&["check", "-"]);
    let faulty = fs::File::open(folder.path().join("faulty.yaml")).expect("a file");
    let output = run(command.current_dir(&folder).stdin(faulty));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("--> <standard input>:"),
        "{}",
        stderr(&output)
    );
    let output = run(speclex(&["check", "."]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    let told =
        "error: `.` is a folder; name the tables in it: ./faulty.yaml ./good.yaml ./other.yaml\n";
    assert_eq!(stderr(&output), told);
}

#[test]
fn a_table_without_its_option_is_told_how() {
    for (typed, meant) in [
        (
            "tokenize html-living page.html",
            "tokenize --spec html-living page.html",
        ),
        (
            "tokenize page.html ./my.yaml",
            "tokenize page.html --spec ./my.yaml",
        ),
        ("tokenize --table xml5 a.xml", "tokenize --spec xml5 a.xml"),
        (
            "trace html-living page.html",
            "trace --spec html-living page.html",
        ),
        (
            "profile html-living a.html b.html",
            "profile --spec html-living a.html b.html",
        ),
        ("graph html-living", "graph --spec html-living"),
        ("analyze xml5", "analyze --spec xml5"),
    ] {
        let arguments: Vec<&str> = typed.split(' ').collect();
        let output = run(&mut speclex(&arguments));
        assert_eq!(output.status.code(), Some(2));
        let told = stderr(&output);
        let tip = format!("\n  tip: `--spec` names the table: speclex {meant}\n");
        assert!(told.contains(&tip), "{typed}: {told}");
    }
    for typed in [
        "tokenize page.html",
        "tokenize --spec xml5 a.xml b.xml",
        "check --spec xml5",
    ] {
        let arguments: Vec<&str> = typed.split(' ').collect();
        let told = stderr(&run(&mut speclex(&arguments)));
        assert!(!told.contains("names the table"), "{typed}: {told}");
    }
}

#[test]
fn a_table_that_never_ends_is_refused() {
    let device = Path::new("/dev/zero");
    if !device.exists() {
        return;
    }
    let zero = fs::File::open(device).expect("a device");
    for output in [
        run(&mut speclex(&["check", "/dev/zero"])),
        run(speclex(&["check", "-"]).stdin(zero)),
    ] {
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        assert!(told.contains("this has more than 64 MiB"), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_table_comes_through_a_pipe() {
    for (table, told) in [
        ("xml5", "xml5: "),
        ("xml5-tree", "xml5-tree: 4 phases, "),
        // "Foreign content" is none.
        (
            "html-tree-2026-06",
            "html-tree-2026-06: 21 insertion modes, ",
        ),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec-tables");
        let table = fs::File::open(path.join(table).with_extension("yaml")).expect("a table");
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let writing = std::thread::spawn(move || std::io::copy(&mut { table }, &mut writer));
        let output = run(speclex(&["check", "/dev/stdin"]).stdin(reader));
        writing.join().expect("no panic").expect("a reader");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).starts_with(told), "{}", stdout(&output));
    }
}

#[test]
fn the_standard_input_is_told_where_it_is_not_utf_8() {
    let folder = folder();
    let latin = folder.path().join("latin.yaml");
    fs::write(&latin, b"table: x\ntitle: caf\xE9\n").expect("a file");
    let stdin = fs::File::open(&latin).expect("a file");
    let output = run(speclex(&["check", "-"]).stdin(stdin));
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("--> <standard input>:2:11"), "{told}");
}

#[test]
fn a_table_that_is_named_twice_is_one_file() {
    let folder = folder();
    let gen_all = |arguments: &[&str]| {
        let mut command = speclex(&["gen", "--out", "out"]);
        run(command.args(arguments).current_dir(&folder))
    };
    let output = gen_all(&["good.yaml", "./good.yaml", "--spec", "good.yaml"]);
    let text = format!(
        "wrote {}\n1 file written, 0 up to date\n",
        Path::new("out").join("good.rs").display()
    );
    assert_eq!(stdout(&output), text, "{}", stderr(&output));
    fs::create_dir(folder.path().join("more")).expect("a folder");
    fs::copy(
        folder.path().join("other.yaml"),
        folder.path().join("more/good.yaml"),
    )
    .expect("a file");
    let output = gen_all(&["good.yaml", "more/good.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(
        told.starts_with("error: two tables would be written to "),
        "{told}"
    );
}

#[test]
fn what_would_be_ignored_or_lost_is_refused() {
    let folder = folder();
    let jsonl = ["tokenize", "--spec", "good.yaml", "--jsonl"];
    let with = |more: &[&'static str]| [&jsonl[..], more].concat();
    let cases = [
        (
            vec!["check", "-", "-"],
            "the standard input (-) can be read only once",
        ),
        (
            vec!["diff", "--merge", "-", "-"],
            "the standard input (-) can be read only once",
        ),
        (
            vec!["diff", "--merge", "-", "--format", "markdown"],
            "there is no page for documents",
        ),
        (
            vec!["diff", "a", "b", "--input", "-", "--format", "markdown"],
            "there is no page for documents",
        ),
        (
            vec!["graph", "--spec", "good.yaml", "--out", "./good.yaml"],
            "the diagram would replace the table",
        ),
        (
            vec![
                "trace",
                "--spec",
                "good.yaml",
                "--from",
                "3",
                "--until",
                "2:9",
                "site.settings",
            ],
            "--until is before --from",
        ),
        (
            vec![
                "trace",
                "--spec",
                "good.yaml",
                "--max-steps",
                "0",
                "site.settings",
            ],
            "invalid value '0'",
        ),
        (with(&["--content", "data"]), "cannot be used with"),
        (with(&["--last-start-tag", "a"]), "cannot be used with"),
        (with(&["--no-feedback"]), "cannot be used with"),
        (with(&["--no-scripting"]), "cannot be used with"),
        (with(&["--keep-bom"]), "cannot be used with"),
    ];
    let table = fs::read(folder.path().join("good.yaml")).expect("a table");
    for (arguments, told) in cases {
        let output = run(speclex(&arguments).current_dir(&folder));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let after = fs::read(folder.path().join("good.yaml")).expect("a table");
    assert_eq!(table, after);
    let arguments = ["profile", "--spec", "good.yaml", "site.settings"];
    let text = stdout(&run(speclex(&arguments).current_dir(&folder)));
    assert!(text.starts_with("# settings: 1 document, "), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_or_written_is_told_by_its_name() {
    let folder = fs::File::open(".").expect("a folder");
    let mut command = speclex(&["tokenize", "--spec", "xml5", "--jsonl"]);
    let told = stderr(&run(command.stdin(folder)));
    assert!(
        told.starts_with("error: cannot read the standard input: "),
        "{told}"
    );
    let told = stderr(&run(&mut speclex(&[
        "schema",
        "--out",
        "/proc/schema.json",
    ])));
    assert!(
        told.starts_with("error: cannot write /proc/schema.json: ") && !told.contains(".tmp"),
        "{told}"
    );
}

#[test]
fn cover_refuses_before_it_works() {
    let folder = folder();
    let output = run(speclex(&["cover", "--check", "--spec", "good.yaml"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: which file is to be checked? Name it with --out\n"
    );
}

#[test]
fn a_table_without_sections_has_no_empty_ones() {
    let folder = folder();
    for format in ["human", "markdown"] {
        let arguments = ["diff", "good.yaml", "other.yaml", "--format", format];
        let output = run(speclex(&arguments).current_dir(&folder));
        let text = stdout(&output);
        assert!(text.contains("line start"), "{text}");
        assert!(!text.contains("( → )") && !text.contains("()"), "{text}");
    }
}

#[test]
fn a_text_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [
        "diff",
        "html-2012",
        "html-2014",
        "--structure",
        "--texts",
        "none",
    ];
    let output = run(speclex(&arguments).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    let text = Path::new("none").join("html-2012.txt");
    assert!(
        told.contains(&format!("cannot read {}", text.display())),
        "{told}"
    );
    assert_eq!(stdout(&output), "");
    // No text of these may be quoted, so that none is read.
    let arguments = arguments.map(|it| {
        it.replace("html-2012", "html-2026-06")
            .replace("html-2014", "html-living")
    });
    let output = run(speclex(&arguments.each_ref().map(String::as_str)).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("none is not a folder"));
}

#[test]
fn every_help_has_examples_tables_and_exit_codes() {
    let whole = stdout(&run(&mut speclex(&["--help"])));
    let commands = whole
        .split("Commands:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next());
    let lines = commands.expect("commands").lines();
    let names: Vec<&str> = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 16, "{names:?}");
    for name in names {
        let help = stdout(&run(&mut speclex(&[name, "--help"])));
        for part in ["Usage:", "Examples:\n", "Exit codes:\n  0  "] {
            assert!(help.contains(part), "{name}: {part}\n{help}");
        }
        assert_eq!(
            help.matches(&format!("\n  speclex {name}")).count(),
            2,
            "{help}"
        );
        // What few need does not stand in front of what the command is for.
        let place = |option: &str| help.find(&format!("{option} ")).expect("an option");
        let first = help.find("-h, --help").expect("an option");
        let tables = !matches!(name, "schema" | "init" | "completions" | "man");
        assert_eq!(help.contains("Shipped tables:\n"), tables, "{help}");
        assert_eq!(help.contains("--allow-read"), tables, "{help}");
        assert!(!tables || first < place("--allow-read"), "{help}");
    }
}

#[test]
fn init_writes_what_works_and_overwrites_nothing() {
    let page = include_str!("../../../docs/your-first-table.md");
    assert!(
        page.contains(include_str!("../../src/init/settings.yaml")),
        "the page's table and this one are one"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(speclex(&["init", "mine"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.starts_with("wrote mine/tables/settings.yaml\nwrote mine/tests/settings.rs\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "There is no Cargo.toml yet: `cargo init --lib mine` makes a crate.\n\
             Run these commands, in mine:\n\n\
             cargo add speclex --path PATH_OF_YOUR_CLONE/runtime\ncargo test\n"
        ),
        "{text}"
    );
    let here = tempfile::tempdir().expect("a folder");
    let text = stdout(&run(speclex(&["init"]).current_dir(&here)));
    assert!(
        text.contains("`cargo init --lib` makes a crate.\nRun these commands:\n\n"),
        "{text}"
    );
    let text = stdout(&run(speclex(&["init", "two words"]).current_dir(&folder)));
    for command in [
        "`cargo init --lib 'two words'`",
        "Run these commands, in two words:",
    ] {
        assert!(cfg!(windows) || text.contains(command), "{text}");
    }
    let test = folder.path().join("mine/tests/settings.rs");
    fs::write(&test, "mine").expect("a file");
    fs::remove_file(folder.path().join("mine/tables/settings.yaml")).expect("a file");
    let output = run(speclex(&["init", "mine"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: mine/tests/settings.rs is there already: nothing is written\n"
    );
    assert_eq!(fs::read_to_string(&test).expect("a file"), "mine");
    assert!(!folder.path().join("mine/tables/settings.yaml").exists());
}

#[test]
#[ignore = "compiles a crate, as first_table does; .ci/run runs it"]
fn the_test_of_init_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let manifest = format!(
        "[package]\nname = \"mine\"\nedition = \"2024\"\n[dependencies]\nspeclex = {{ path = {runtime:?} }}\n[workspace]\n"
    );
    fs::write(folder.path().join("Cargo.toml"), manifest).expect("a file");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    fs::write(folder.path().join("src/lib.rs"), "").expect("a file");
    let output = run(speclex(&["init"]).current_dir(&folder));
    let text = stdout(&output);
    assert!(text.contains("\n\nRun these commands:\n\n"), "{text}");
    let output = run(&mut cargo(folder.path(), &["test", "--quiet"]));
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    assert!(stdout(&output).contains("1 passed"), "{}", stdout(&output));
}

#[test]
fn a_content_that_the_table_lacks_is_answered_with_those_that_it_has() {
    for (command, content, help) in [
        ("tokenize", "rcdata", "did you mean `RCDATA`?"),
        ("trace", "rcdata", "did you mean `RCDATA`?"),
        ("tokenize", "script", "did you mean `script data`?"),
        ("tokenize", "style", "it has data, RCDATA, "),
    ] {
        let output = run(&mut speclex(&[
            command,
            "--spec",
            "html-living",
            "--content",
            content,
        ]));
        assert_eq!(output.status.code(), Some(2));
        let expected = format!("error: table `html-living` has no content `{content}`; {help}");
        let said = stderr(&output);
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn explain_has_each_kind_of_word() {
    let explained = |words: &[&str]| {
        let output = run(speclex(&["explain"]).args(words));
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (code, text) = explained(&["unknown-state"]);
    assert_eq!((code, text.lines().count()), (Some(0), 2), "{text}");
    let (_, text) = explained(&["switch", "to", "before", "value"]);
    assert!(text.starts_with("switch to STATE (phrase)\n"), "{text}");
    let (code, text) = explained(&["unknown-sate"]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("did you mean `unknown-state`?\n"), "{text}");
    let (_, all) = explained(&[]);
    let headings: Vec<_> = all.lines().filter(|line| line.ends_with(':')).collect();
    let different: HashSet<_> = headings.iter().collect();
    assert_eq!(headings.len(), different.len(), "{headings:?}");
    assert!(different.contains(&"class:") && different.contains(&"guard:"));
}

#[test]
fn explain_has_the_insertion_modes_of_tree_tables() {
    let explained = |words: &[&str]| {
        let output = run(speclex(&["explain"]).args(words));
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let place = "  Section 13.2.6.4.7\n  https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody\n";
    for words in [&["in body"][..], &["\"in body\"", "insertion", "mode"]] {
        let (code, text) = explained(words);
        assert_eq!(code, Some(0), "{text}");
        let head = format!("in body (insertion mode of html-tree-living)\n{place}");
        assert!(text.starts_with(&head), "{text}");
        // One arm is of the table of August, the others are of the table of June.
        for part in [
            "  processing instruction token:\n    insert a processing instruction\n",
            "  start tag \"li\":\n    set the frameset-ok flag to not ok\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let (_, text) = explained(&["start tag \"li\""]);
    let head =
        format!("start tag \"li\" in \"in body\" (arm of html-tree-living)\n{place}  set the");
    assert!(text.starts_with(&head), "{text}");
    let (_, text) = explained(&["start tag \"li\" in \"in table\""]);
    assert!(
        text.starts_with("anything else in \"in table\" (arm of"),
        "{text}"
    );
    let (_, text) = explained(&["close a p element"]);
    assert!(
        text.starts_with("close a p element (procedure of"),
        "{text}"
    );
    let (_, text) = explained(&["insert an HTML element for the token"]);
    assert!(
        text.starts_with("insert an HTML element for TOKEN (procedure of"),
        "{text}"
    );
    let (_, text) = explained(&["in select", "--spec", "html-tree-2022-10"]);
    let head =
        "in select (insertion mode of html-tree-2022-10)\n  Section 13.2.6.4.16\n  character";
    assert!(text.starts_with(head), "{text}");
    let (_, text) = explained(&["main", "--spec", "xml5-tree"]);
    let head = "main (phase of xml5-tree)\n  Section 1.5\n  character:\n    append";
    assert!(text.starts_with(head), "{text}");
    let (_, text) = explained(&["in foreign content"]);
    assert!(text.contains("did you mean `foreign content`?"), "{text}");
    for (words, help) in [
        ("in tabel", "did you mean `in table`?"),
        (
            "in select",
            "`speclex explain 'in select' --spec html-tree-2022-10` explains that of another table",
        ),
    ] {
        let (code, text) = explained(&[words]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.ends_with(&format!("; {help}\n")), "{text}");
    }
}

#[test]
fn shells_and_man_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(&mut speclex(&["completions", shell])));
        assert!(
            script.contains("tokenize") && script.contains("explain"),
            "{shell}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(speclex(&["man", "--out", "pages"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = fs::read_to_string(folder.path().join("pages/speclex-check.1")).expect("a page");
    assert!(
        page.contains("EXTRA") || page.contains("Exit codes"),
        "{page}"
    );
    assert!(folder.path().join("pages/speclex.1").exists());
}

#[test]
fn explain_has_the_errors_and_states_of_tables() {
    let explained = |words: &[&str]| {
        let output = run(speclex(&["explain"]).args(words));
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let error = "eof-in-tag (parse error of html-living)\n  The document ends inside a tag, which is lost.\n  https://";
    for words in [&["eof-in-tag"][..], &["EOF-in-tag"]] {
        let (code, text) = explained(words);
        assert_eq!(code, Some(0));
        assert!(text.starts_with(error), "{text}");
        assert!(text.ends_with("#parse-error-eof-in-tag\n"), "{text}");
    }
    // A line of `tokenize` begins with the word.
    let (_, text) = explained(&["error", "eof-in-tag"]);
    assert!(text.contains(error), "{text}");
    // One arm is of html-living, the others are of the table that it extends.
    for words in [&["tag open"][..], &["Tag", "open", "state"]] {
        let (code, text) = explained(words);
        assert_eq!(code, Some(0));
        assert!(
            text.starts_with("tag open (state of html-living)\n  Section 13.2.5.6\n"),
            "{text}"
        );
        for part in [
            "processing instruction open",
            "tag name",
            "markup declaration open",
            "EOF: ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let (_, text) = explained(&["tag open", "--spec", "html-2026-06"]);
    assert!(
        text.starts_with("tag open (state of html-2026-06)\n"),
        "{text}"
    );
    assert!(!text.contains("processing instruction open"), "{text}");
    for (words, help) in [
        (&["eof-in-tagg"][..], "did you mean `eof-in-tag`?"),
        (
            &["before atribute name"],
            "did you mean `before attribute name`?",
        ),
        (
            &["pi target"],
            "`speclex explain 'pi target' --spec xml5` explains that of another table",
        ),
    ] {
        let (code, text) = explained(words);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.ends_with(&format!("; {help}\n")), "{text}");
    }
    let (code, text) = explained(&["data", "--spec", "htm-living"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean `html-living`?"), "{text}");
}
