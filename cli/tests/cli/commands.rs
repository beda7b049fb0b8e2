//! The commands as a shell runs them: pipes that close, disks that are full, colours, streams.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use speclex_analysis::document_order::{DocumentOrder, Item};
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::{Output as Tokens, StreamErrors};

fn speclex(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("a program")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A table without sections, one with a fault, and a document.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let good = include_str!("../src/init/settings.yaml");
    let save = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("a file");
    save("good.yaml", good);
    save(
        "other.yaml",
        &good.replace("U+0020, U+000A: ignore", "U+000A: ignore"),
    );
    save(
        "faulty.yaml",
        &good.replace("before value\n", "before vlaue\n"),
    );
    save("site.settings", "# where\nhost = example.org\nverbose\n");
    save("page.html", "<p id=a>b&c;</p\n><!-- d\0 -->");
    folder
}

/// Every command with something to print.
const COMMANDS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["help", "diff"],
    &["gen", "good.yaml", "--out", "generated"],
    &["gen", "good.yaml", "--out", "fresh", "--check"],
    &["check", "good.yaml"],
    &["check", "good.yaml", "--format", "json", "faulty.yaml"],
    &["schema"],
    &["schema", "--out", "new/schema.json"],
    &["analyze", "--spec", "good.yaml"],
    &["profile", "--spec", "good.yaml", "site.settings"],
    &["tokenize", "--spec", "html-living", "page.html"],
    &[
        "tokenize",
        "--spec",
        "good.yaml",
        "--format",
        "json",
        "site.settings",
    ],
    &[
        "tokenize",
        "--spec",
        "good.yaml",
        "--format",
        "json-lines",
        "site.settings",
    ],
    &["tree", "--spec", "xml5", "page.html"],
    &["cover", "--spec", "good.yaml"],
    &["audit", "--spec", "good.yaml", "--text", "site.settings"],
    &["diff", "good.yaml", "other.yaml"],
    &["diff", "good.yaml", "other.yaml", "--format", "html"],
    &[
        "diff",
        "good.yaml",
        "other.yaml",
        "--input",
        "site.settings",
    ],
    &["graph", "--spec", "good.yaml"],
    &["trace", "--spec", "good.yaml", "site.settings"],
    &[
        "trace",
        "--spec",
        "good.yaml",
        "--vs",
        "other.yaml",
        "site.settings",
    ],
    &["init", "started"],
    &["explain"],
    &["explain", "unknown-state"],
    &["completions", "bash"],
    &["man"],
];

#[test]
fn a_closed_pipe_is_the_end_of_the_work() {
    for arguments in COMMANDS {
        let folder = folder();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = speclex(arguments);
        let output = run(command.current_dir(&folder).stdout(writer));
        if arguments[0] == "audit" {
            // A text without states is refused before anything is printed.
            continue;
        }
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}\n{}",
            stderr(&output)
        );
        assert!(
            !stderr(&output).contains("error"),
            "{arguments:?}\n{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_full_disk_is_told() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let open = || {
        fs::OpenOptions::new()
            .write(true)
            .open(full)
            .expect("a device")
    };
    for arguments in COMMANDS {
        let folder = folder();
        let output = run(speclex(arguments).current_dir(&folder).stdout(open()));
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}\n{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("error: "), "{arguments:?}");
        // Messages that nobody can read stop nothing.
        let output = run(speclex(arguments).current_dir(&folder).stderr(open()));
        assert!(
            output.status.code() < Some(3),
            "{arguments:?}: {:?}",
            output.status
        );
    }
}

#[test]
fn colours_are_as_the_environment_says() {
    let folder = folder();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = speclex(&["check", "faulty.yaml"]);
        let output = run(command.current_dir(&folder).envs(variables.iter().copied()));
        let checked = stderr(&output).contains('\x1b');
        let mut command = speclex(&["tokenize", "--spec", "good.yaml", "site.settings"]);
        let output = run(command.current_dir(&folder).envs(variables.iter().copied()));
        assert_eq!(stdout(&output).contains('\x1b'), checked, "{variables:?}");
        checked
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[("CLICOLOR", "1")]));
}

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
    for format in ["human", "html"] {
        let arguments = ["diff", "good.yaml", "other.yaml", "--format", format];
        let output = run(speclex(&arguments).current_dir(&folder));
        let text = stdout(&output);
        assert!(text.contains("line start"), "{text}");
        assert!(!text.contains("( → )") && !text.contains("()"), "{text}");
    }
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
        let tables = !matches!(name, "schema" | "init" | "explain" | "completions" | "man");
        assert_eq!(help.contains("Shipped tables:\n"), tables, "{help}");
    }
}

#[test]
fn tokens_come_before_the_document_ends() {
    for (spec, interpret) in [("html-living", false), ("html-living", true)] {
        for format in ["human", "json-lines"] {
            let mut command = speclex(&["tokenize", "--spec", spec, "--format", format, "-"]);
            if interpret {
                command.arg("--interpret");
            }
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("a program");
            let mut stdin = child.stdin.take().expect("a pipe");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
            stdin.write_all(b"<p>a").expect("a reader");
            let first = lines.next().expect("a line").expect("UTF-8");
            assert!(first.contains("\"p\""), "{first}");
            stdin.write_all(b"b<br>").expect("a reader");
            let second = lines.next().expect("a line").expect("UTF-8");
            assert!(second.contains("\"ab\""), "{second}");
            drop(stdin);
            assert_eq!(lines.count(), 2);
            assert!(child.wait().expect("an end").success());
        }
    }
}

#[test]
fn json_lines_are_what_json_says() {
    let folder = folder();
    let printed = |format: &str| {
        let arguments = [
            "tokenize",
            "--spec",
            "html-living",
            "--format",
            format,
            "page.html",
        ];
        stdout(&run(speclex(&arguments).current_dir(&folder)))
    };
    let whole: serde_json::Value = serde_json::from_str(&printed("json")).expect("JSON");
    let lines: Vec<serde_json::Value> = printed("json-lines")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let tokens: Vec<_> = lines
        .iter()
        .filter(|line| line.get("token").is_some())
        .collect();
    assert_eq!(
        tokens,
        whole["tokens"]
            .as_array()
            .expect("tokens")
            .iter()
            .collect::<Vec<_>>()
    );
    let errors: Vec<_> = lines
        .iter()
        .filter(|line| line.get("error").is_some())
        .collect();
    let wanted = whole["errors"].as_array().expect("errors");
    assert!(!wanted.is_empty());
    assert_eq!(errors.len(), wanted.len());
    for (error, wanted) in errors.iter().zip(wanted) {
        assert_eq!(error["error"], wanted["code"]);
        assert_eq!(error["at"]["line"], wanted["line"]);
        assert_eq!(error["at"]["col"], wanted["col"]);
    }
    let end = lines.last().expect("a line");
    assert_eq!(end["end"]["offset"], 29, "{end}");
    assert_eq!(lines.len(), tokens.len() + errors.len() + 1);
}

#[test]
fn bytes_that_are_no_utf_8_are_told_once() {
    let folder = folder();
    fs::write(folder.path().join("latin.html"), b"<p>caf\xE9 \xFF").expect("a file");
    let output =
        run(speclex(&["tokenize", "--spec", "html-living", "latin.html"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(
        told.starts_with("warning: latin.html is not UTF-8, first at byte 6: "),
        "{told}"
    );
    assert!(
        stdout(&output).contains("caf\u{FFFD} \u{FFFD}"),
        "{}",
        stdout(&output)
    );
}

/// What comes out in the order of the document when the input comes in pieces of these lengths, in turn.
fn in_order(
    engine: &mut dyn Engine,
    request: &Request<'_>,
    stream: &StreamErrors,
    lengths: &[usize],
) -> Vec<Item> {
    let mut session = engine.start(request).expect("a session");
    let mut order = DocumentOrder::new(stream.clone());
    let mut items = Vec::new();
    let mut rest = request.input.as_bytes();
    for length in lengths.iter().cycle() {
        let (piece, after) = rest.split_at((*length).min(rest.len()));
        session.feed_bytes(piece).expect("no fault");
        order.push(session.take_output());
        items.extend(std::iter::from_fn(|| order.next_item()));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    session.end().expect("no fault");
    order.push(session.take_output());
    order.end();
    items.extend(std::iter::from_fn(|| order.next_item()));
    items
}

/// What was printed when the whole output was there at once.
fn sorted(output: Tokens, stream: &StreamErrors) -> Vec<Item> {
    let output = output.coalesced().with_sorted_errors(stream);
    let mut errors = output.errors.into_iter().peekable();
    let mut items = Vec::new();
    for emitted in output.tokens {
        while let Some(error) = errors.next_if(|error| error.offset < emitted.span.end) {
            items.push(Item::Error(error));
        }
        items.push(Item::Token(emitted));
    }
    items.extend(errors.map(Item::Error));
    items
}

#[test]
fn a_stream_is_in_the_order_of_the_whole() {
    let documents = [
        "<p a=b a=c>x\0y&amp;z&notit;<!--a--!>\r\n\r<![CDATA[x]]>\u{1}</p x/><br/><?pi a?><",
        "<script><!--<script>\0</script>--></script>&#0;&#x80;&#xD800;\u{FDD0}<a\u{FFFE}b='\u{1}'\0>\r",
        "<!DOCTYPE html PUBLIC 'a\0\u{FDD0}'\r\n>&am&ampx&nosuch;\u{1F600}<textarea>\r\n</textareA\u{2}>\u{3}",
        "\u{FEFF}<a><b x=y'z\"=`<>t\u{4}</a b>&#99999999;&x;]]><!-><!-->\0<!DOCTYPE><!x\u{5}>&#x;<\u{6}",
    ];
    for table in speclex_tables::all() {
        let machine =
            speclex_cli::machine(table.name).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let stream = StreamErrors::of(&machine);
        let generated = speclex_cli::generated(table.name).expect("a generated tokenizer");
        let mut engines: [Box<dyn Engine>; 2] =
            [generated, Box::new(InterpreterEngine::new(&machine))];
        for engine in &mut engines {
            for input in documents {
                let request = Request {
                    input,
                    feedback: speclex_codegen::machine::Feedback::Scripting,
                    ..Request::default()
                };
                let wanted = sorted(engine.tokenize(&request).expect("no fault"), &stream);
                for lengths in [&[1][..], &[2], &[3], &[5, 1], &[7, 2, 11], &[64]] {
                    let found = in_order(&mut **engine, &request, &stream, lengths);
                    assert_eq!(found, wanted, "{} {lengths:?} {input:?}", table.name);
                }
            }
        }
    }
}

#[test]
fn a_long_line_with_many_errors_has_its_places() {
    // The text that is kept is let go of in stretches of 64 KiB.
    let line = "<a b=\"\u{1F600}\" b=c>&#0;\0".repeat(8_000);
    let mut child = speclex(&["tokenize", "--spec", "html-living", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(line.as_bytes()));
    let mut text = String::new();
    let mut out = child.stdout.take().expect("a pipe");
    out.read_to_string(&mut text).expect("UTF-8");
    writer.join().expect("no panic").expect("a reader");
    // 21 code units in each, of which the first of the tag is the first.
    let tags = text.lines().filter(|line| line.contains("start tag"));
    let mut count = 0;
    for (index, tag) in tags.enumerate() {
        let place = tag.split(' ').next().expect("a place");
        assert_eq!(place, format!("1:{}", 1 + index * 20), "{tag}");
        count += 1;
    }
    assert_eq!(count, 8_000);
}

#[test]
fn init_writes_what_works_and_overwrites_nothing() {
    let page = include_str!("../../docs/your-first-table.md");
    assert!(
        page.contains(include_str!("../src/init/settings.yaml")),
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
    assert!(text.contains("[dependencies]\nspeclex = "), "{text}");
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
fn the_test_of_init_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let manifest = format!(
        "[package]\nname = \"mine\"\nedition = \"2024\"\n[dependencies]\nspeclex = {{ path = {runtime:?} }}\n[workspace]\n"
    );
    fs::write(folder.path().join("Cargo.toml"), manifest).expect("a file");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    fs::write(folder.path().join("src/lib.rs"), "").expect("a file");
    run(speclex(&["init"]).current_dir(&folder));
    let output = run(Command::new(env!("CARGO"))
        .args(["test", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_NET_OFFLINE", "true")
        // With what other downstream crates of the tests have built.
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream"),
        )
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0"));
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    assert!(stdout(&output).contains("1 passed"), "{}", stdout(&output));
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
