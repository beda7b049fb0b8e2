//! A table and a document are input that anyone may have written: what they hold does not act on a terminal,
//! in a comment or in a page, they name no file outside the project, and no work of people is overwritten.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use speclex_analysis::diff::{self, Report};
use speclex_analysis::graph::{self, Form};
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::RegisterType;
use speclex_codegen::{Builder, Loaded, Source, escape, load, statistics};

/// A table with a string of every kind, each of which can be made hostile.
const TABLE: &str = r#"
table: hostile
title: "TITLE"
section: "SECTION"
text: {file: "FILE", link: "https://LINK", licence: "LICENCE", licence link: "https://LINK", quoted from: "FROM"}
vocabulary:
  tokens: {"TOKEN": {"FIELD": text}, other: {kinds: ["KIND", "kind b"], value: text}}
  contents: [data, "CONTENT"]
  questions: ["QUESTION"]
error codes: ["ERRORCODE", "UNREPORTED"]
registers: {"REGISTER": ["WORD", other]}
conditions: {"CONDITION": "the REGISTER is WORD"}
entry states: {data: "STATE", "CONTENT": "STATE"}
errata: {table: {says: "SAYS", does: "DOES", why: "WHY"}}
remarks: {"REMARK": "REASON"}
states:
  "STATE":
    section: "STATESECTION"
    errata: {EOF: {says: "SAYS2", does: "DOES2", why: "WHY2"}}
    consume:
      "U+0061": ["create a TOKEN token", "append the current input character to the FIELD of the TOKEN", "emit the TOKEN token", "error ERRORCODE", "set the REGISTER to WORD"]
      "U+0062": {"if CONDITION": "parse error", "otherwise if QUESTION": "stay", "otherwise": "switch to STATE"}
      "U+0063": ["create a KIND token", "emit the other token"]
      EOF: emit EOF
      anything else: emit the current input character
"#;

const PLACES: &[&str] = &[
    "TITLE",
    "SECTION",
    "FILE",
    "LICENCE",
    "FROM",
    "https://LINK",
    "TOKEN",
    "FIELD",
    "KIND",
    "CONTENT",
    "QUESTION",
    "ERRORCODE",
    "UNREPORTED",
    "REGISTER",
    "WORD",
    "CONDITION",
    "STATE",
    "STATESECTION",
    "SAYS",
    "DOES",
    "WHY",
    "REMARK",
    "REASON",
    "SAYS2",
    "DOES2",
    "WHY2",
];

/// What is put into them: all controls, and what ends comments, strings, scripts and sections.
fn hostile() -> Vec<String> {
    let controls = (0..=0x2069).filter_map(char::from_u32);
    let controls = controls.filter(|&c| escape::is_control(c));
    let mut all: Vec<String> = controls.map(|c| format!("a{c}b")).collect();
    let ends = [
        "*/",
        "\"#",
        "]]>",
        "</script><script>",
        "-->",
        "\\",
        "`",
        "</title><pwned>",
        "${x}",
        "#{x}",
        "x)\npub const PWNED: &str = env!(\"PATH\"); //",
        "\x1b]0;title\x07",
        "![x](javascript:1)",
    ];
    all.extend(ends.iter().map(|end| format!("a {end} b")));
    all
}

fn yaml(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if escape::is_control(c) => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    escaped
}

/// Nothing of a text acts where it is shown.
fn assert_shown(what: &str, text: &str) {
    let acting = text.chars().find(|&c| c != '\n' && escape::is_control(c));
    assert!(acting.is_none(), "{what} holds {acting:?}: {text:?}");
}

fn assert_no_markup(what: &str, text: &str) {
    assert_shown(what, text);
    for end in ["<script", "</script", "]]>", "<pwned", "--> b"] {
        assert!(!text.contains(end), "{what} holds {end}: {text}");
    }
}

fn outputs(loaded: &Loaded, header: &[String]) {
    let machine = &loaded.machine;
    let items = emit::module(machine, &Paths::default());
    let code = emit::file(items, header).expect("Rust");
    assert_shown("gen", &code);
    let comments = code.lines().take_while(|line| !line.is_empty());
    assert!(
        comments.clone().all(|line| line.starts_with("//")),
        "{code}"
    );
    assert!(
        !code.lines().any(|line| line.starts_with("pub const PWNED")),
        "{code}"
    );
    let docs = code
        .lines()
        .filter(|line| line.trim_start().starts_with("///"));
    for doc in docs {
        let is_markup = doc.contains("](") || doc.contains("<script") && !doc.contains("\\<script");
        assert!(!is_markup, "{doc}");
    }
    assert_no_markup("svg", &graph::diagram(machine, Form::Svg));
    assert_no_markup(
        "mermaid",
        &graph::diagram(machine, Form::Mermaid).replace("\n---\n", ""),
    );
    assert_shown("dot", &graph::diagram(machine, Form::Dot));
    let other = plain().machine;
    let mut report = Report::new(&diff::compare(machine, &other, false));
    report.terms = [loaded.terms.clone(), None];
    for row in &mut report.arms {
        row.row.quotes[0] = Some(machine.title.clone());
    }
    assert_shown("diff", &diff::text(&report, false));
    assert_shown(
        "diff as Markdown",
        &diff::markdown(&report, &|_, _, _| None),
    );
}

fn plain() -> Loaded {
    loaded(TABLE).unwrap_or_else(|report| panic!("{report}"))
}

fn loaded(text: &str) -> Result<Loaded, speclex_codegen::Report> {
    let source = Source {
        name: "hostile.yaml".to_owned(),
        text: text.to_owned(),
    };
    load(source, &|_| None, &|_| None)
}

/// `check` refuses what acts, and says so without acting; what it lets through acts nowhere.
#[test]
fn a_table_acts_nowhere() {
    let mut accepted = 0;
    for hostile in hostile() {
        for place in PLACES {
            let needle = format!("\"{place}\"");
            let text = TABLE.replacen(&needle, &format!("\"{}\"", yaml(&hostile)), 1);
            match loaded(&text) {
                Ok(loaded) => {
                    accepted += 1;
                    assert_shown("warnings", &loaded.warnings.to_string());
                    outputs(&loaded, &statistics::header(&loaded, "speclex gen"));
                }
                Err(report) => assert_shown("check", &report.to_string()),
            }
        }
    }
    assert!(accepted > 50, "{accepted}");
}

/// The emitters do not rely on `check`.
#[test]
fn a_machine_acts_nowhere() {
    for hostile in hostile() {
        let mut loaded = plain();
        let machine = &mut loaded.machine;
        let mut all = vec![&mut machine.title];
        let vocabulary = &mut machine.vocabulary;
        for token in &mut vocabulary.tokens {
            all.push(&mut token.name);
            all.extend(token.fields.iter_mut().map(|field| &mut field.name));
            all.extend(token.kinds.iter_mut().map(|kind| &mut kind.name));
        }
        all.extend(&mut vocabulary.contents);
        all.extend(&mut vocabulary.questions);
        all.extend(&mut machine.errors);
        for register in &mut machine.registers {
            all.push(&mut register.name);
            if let RegisterType::Finite(words) = &mut register.ty {
                all.extend(words);
            }
        }
        for state in &mut machine.states {
            all.extend([&mut state.name, &mut state.origin, &mut state.section]);
        }
        for (number, text) in all.into_iter().enumerate() {
            *text = format!("n{number} {hostile}");
        }
        let header = statistics::header(&loaded, &format!("speclex gen {hostile}"));
        outputs(&loaded, &header);
    }
}

fn speclex(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
    command.current_dir(folder).args(arguments);
    command.output().expect("the command")
}

fn text(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    text
}

/// What documents, names of files and faulty tables hold does not steer a terminal.
#[test]
fn a_terminal_is_not_steered() {
    let folder = tempfile::tempdir().expect("a folder");
    let document = "<a \x1b]0;t\x07=1 b\u{202E}='\x1b'>\u{9b}31m<!--\x1b--></a\x1b>&\x07;";
    fs::write(folder.path().join("document"), document).expect("a file");
    fs::write(
        folder.path().join("bad.yaml"),
        "table: \"\\e]0;t\\a\"\nstates: \u{202E}x\n",
    )
    .expect("a file");
    for arguments in [
        &["tokenize", "--spec", "html-living", "document"][..],
        &["tokenize", "--spec", "xml5", "document"],
        &["trace", "--spec", "html-living", "document"],
        &[
            "trace",
            "--spec",
            "html-living",
            "--vs",
            "html-2012",
            "document",
        ],
        &["diff", "html-2009", "html-living", "--input", "document"],
        &["check", "bad.yaml"],
        &["check", "none\x1b]0;t\x07.yaml"],
        &["check", "none\x1b]0;t\x07"],
        &["tokenize", "--spec", "html-living", "none\x1b]0;t\x07"],
        &[
            "analyze",
            "--spec",
            "html-living",
            "--state",
            "x\x1b]0;t\x07",
        ],
    ] {
        let output = speclex(folder.path(), arguments);
        let text = text(&output);
        assert!(!text.is_empty(), "{arguments:?}");
        assert_shown(&format!("{arguments:?}"), &text);
    }
    let output = speclex(
        folder.path(),
        &["tokenize", "--spec", "html-living", "document"],
    );
    assert!(
        text(&output).contains(r#"\u{1b}]0;t\u{7}="1""#),
        "{}",
        text(&output)
    );
}

/// `gen` and `Builder` keep what they did not write; when one file is refused none is written.
#[test]
fn what_was_not_generated_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let table = |name: &str| {
        fs::write(
            path.join(format!("{name}.yaml")),
            TABLE.replace("table: hostile", &format!("table: {name}")),
        )
        .expect("a file");
    };
    table("first");
    table("settings");
    let (first, own) = (path.join("src/first.rs"), path.join("src/settings.rs"));
    fs::create_dir(path.join("src")).expect("a folder");
    for work in [
        "// my hand-written file\n",
        "",
        "//! @generated by `speclex gen`\n",
        "// @generated by `bindgen`\n",
    ] {
        fs::write(&own, work).expect("a file");
        let generate = ["gen", "--out", "src", "first.yaml", "settings.yaml"];
        let output = speclex(path, &generate);
        assert_eq!(output.status.code(), Some(1), "{work:?}: {}", text(&output));
        assert!(text(&output).contains("settings.rs"), "{}", text(&output));
        assert_eq!(fs::read_to_string(&own).expect("a file"), work);
        assert!(!first.exists(), "nothing is written when one is refused");
        let builder = Builder::new().out_dir(path.join("src"));
        let builder = builder
            .table(path.join("first.yaml"))
            .table(path.join("settings.yaml"));
        let error = builder.generate().expect_err("a refusal").to_string();
        assert!(error.contains("settings.rs"), "{error}");
        assert_eq!(fs::read_to_string(&own).expect("a file"), work);
        assert!(!first.exists(), "nothing is written when one is refused");
    }
    let output = speclex(
        path,
        &[
            "gen",
            "--force",
            "--out",
            "src",
            "first.yaml",
            "settings.yaml",
        ],
    );
    assert!(output.status.success(), "{}", text(&output));
    let generated = fs::read_to_string(&own).expect("a file");
    assert!(emit::is_generated(&generated));
    // What was generated from another table is generated anew.
    fs::write(&own, generated.replace("STATE", "other")).expect("a file");
    let output = speclex(path, &["gen", "--out", "src", "settings.yaml"]);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(
        fs::read_dir(path.join("src")).expect("a folder").count(),
        2,
        "no parts are left"
    );
}

/// So do `schema` and `cover`, whose files are JSON, which has no room for a mark.
#[test]
fn what_schema_and_cover_did_not_write_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("table.yaml"), TABLE).expect("a file");
    let out = path.join("out.json");
    let commands: [&[&str]; 2] = [
        &["schema", "--out", "out.json"],
        &["cover", "--spec", "table.yaml", "--out", "out.json"],
    ];
    let mut written = Vec::new();
    for command in commands {
        let output = speclex(path, command);
        assert!(output.status.success(), "{}", text(&output));
        let ours = fs::read_to_string(&out).expect("a file");
        let others = [
            "",
            "my own work\n",
            "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Mine\"\n}\n",
            "{\"tests\": [\n\n{\"description\":\"of html5lib-tests\",\n\"input\":\"\",\n\"output\":[]}\n\n]}\n",
        ];
        for work in others.into_iter().chain(written.iter().map(String::as_str)) {
            fs::write(&out, work).expect("a file");
            let output = speclex(path, command);
            assert_eq!(output.status.code(), Some(1), "{work:?}: {}", text(&output));
            assert!(
                text(&output).contains("out.json was not written by"),
                "{}",
                text(&output)
            );
            assert!(text(&output).contains("--force"), "{}", text(&output));
            assert_eq!(fs::read_to_string(&out).expect("a file"), work);
            let output = speclex(path, &[command, &["--check"]].concat());
            assert_eq!(output.status.code(), Some(1), "{work:?}: {}", text(&output));
        }
        let output = speclex(path, &[command, &["--force"]].concat());
        assert!(output.status.success(), "{}", text(&output));
        assert_eq!(fs::read_to_string(&out).expect("a file"), ours);
        // What was written from another table, or by another version, is written anew.
        let old = match command[0] {
            "schema" => ours.replace("A tokenizer table.", "An old table."),
            _ => ours.replacen("\"input\": \"\"", "\"input\": \"old\"", 1),
        };
        assert_ne!(old, ours);
        fs::write(&out, old).expect("a file");
        let output = speclex(path, command);
        assert!(output.status.success(), "{}", text(&output));
        assert_eq!(fs::read_to_string(&out).expect("a file"), ours);
        fs::remove_file(&out).expect("a file");
        written.push(ours);
    }
}

/// A table reads in its project, after links, and where it is allowed to.
#[test]
fn a_table_reads_in_its_project() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(
        outside.path().join("secret.yaml"),
        "secret: of somebody else\n",
    )
    .expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let save = |file: &str, text: &str| {
        let file = path.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    };
    save("Cargo.toml", "[workspace]\nmembers = [\"member\"]\n");
    save("shared/base.yaml", TABLE);
    save("member/Cargo.toml", "[package]\nname = \"member\"\n");
    save(
        "member/inside.yaml",
        "table: inside\nextends: ../shared/base.yaml\n",
    );
    let member = path.join("member");
    let output = speclex(&member, &["check", "inside.yaml"]);
    assert!(output.status.success(), "{}", text(&output));
    let up = "../".repeat(12);
    let secret = outside.path().join("secret.yaml");
    let relative = format!(
        "{up}{}",
        secret.display().to_string().trim_start_matches('/')
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, member.join("link.yaml")).expect("a link");
    for base in [
        relative.as_str(),
        &secret.display().to_string(),
        "link.yaml",
    ] {
        save(
            "member/outside.yaml",
            &format!("table: outside\nextends: {base}\n"),
        );
        let output = speclex(&member, &["check", "outside.yaml"]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("somebody else"), "{said}");
        assert!(said.contains("--allow-read"), "{said}");
        let references = TABLE.replace(
            "remarks:",
            &format!("named character references: {base}\nremarks:"),
        );
        save("member/references.yaml", &references);
        let said = text(&speclex(&member, &["check", "references.yaml"]));
        assert!(said.contains("--allow-read"), "{said}");
        let allowed = [
            "check",
            "outside.yaml",
            "--allow-read",
            &outside.path().display().to_string(),
        ];
        let said = text(&speclex(&member, &allowed));
        assert!(said.contains("somebody else"), "{said}");
    }
}

#[test]
fn a_terminal_is_not_steered_by_a_tree() {
    let input = "<a b='\x1b]0;t\x07'>\u{202E}\u{9B}\n</a>";
    let printed = |is_terminal| {
        let printed = speclex_cli::printed_tree("xml5", input, is_terminal);
        printed.unwrap_or_else(|failure| panic!("{}", failure.render(false)))
    };
    let terminal = printed(true);
    assert!(
        !terminal.contains(|c| c != '\n' && escape::is_control(c)),
        "{terminal:?}"
    );
    assert!(terminal.contains(r#"b="\u{1b}]0;t\u{7}""#), "{terminal:?}");
    assert!(printed(false).contains("\x1b]0;t\x07"));
}

/// JSON lets these characters stand in strings as they are.
#[test]
fn a_terminal_is_not_steered_by_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let hostile: String = ('\u{7F}'..='\u{2069}')
        .filter(|&c| escape::is_control(c))
        .collect();
    let document = format!("<a b='{hostile}'>{hostile}<!--{hostile}--></a>&\u{9B};");
    fs::write(folder.path().join("document"), &document).expect("a file");
    let table = TABLE.replace("ERRORCODE", "\\u009B\\u202Ecode");
    fs::write(
        folder.path().join("faulty.yaml"),
        table.replace("stay", "sta\\u009By"),
    )
    .expect("a file");
    let request = serde_json::json!({"input": document}).to_string();
    let html = ["--spec", "html-living", "document"];
    for arguments in [
        &["tokenize", "--format", "json"][..],
        &["tokenize", "--format", "json-lines"],
        &["tokenize", "--format", "json", "--parts"],
        &["tree", "--format", "json"],
        &["trace", "--format", "json"],
        &["profile", "--format", "json"],
    ] {
        let output = speclex(folder.path(), &[arguments, &html].concat());
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(printed.len() > 100, "{arguments:?}");
        assert_shown(&format!("{arguments:?}"), &printed);
        let values = serde_json::Deserializer::from_str(&printed).into_iter::<serde_json::Value>();
        let values: Vec<_> = values.map(|value| value.expect("JSON")).collect();
        if arguments == ["tree", "--format", "json"] {
            assert!(values[0].to_string().contains(&hostile), "{printed}");
        }
    }
    for arguments in [
        &["check", "faulty.yaml", "--format", "json"][..],
        &[
            "diff",
            "html-2009",
            "html-living",
            "--input",
            "document",
            "--format",
            "json",
        ],
    ] {
        let printed = text(&speclex(folder.path(), arguments));
        assert!(printed.contains('{'), "{printed}");
        assert_shown(&format!("{arguments:?}"), &printed);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
    command.args(["tokenize", "--spec", "html-living", "--jsonl"]);
    command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the command");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, request.as_bytes()).expect("a reader");
    drop(stdin);
    let printed = child.wait_with_output().expect("its end");
    let printed = String::from_utf8(printed.stdout).expect("UTF-8");
    assert!(printed.contains("\\u202e"), "{printed}");
    assert_shown("--jsonl", &printed);
}
