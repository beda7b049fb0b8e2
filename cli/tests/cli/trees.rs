//! `tree`, and tables of tree construction where a command takes them or does not: what is wrong is said as for tokenizers.

use std::fs;
use std::process::Output;

use crate::program::{folder, run, speclex, stderr, stdout};

/// Runs a command beside a file of this text: `my.yaml`.
fn with(text: &str, arguments: &[&str]) -> Output {
    let folder = folder();
    fs::write(folder.path().join("my.yaml"), text).expect("a file");
    run(speclex(arguments).current_dir(&folder))
}

const LOOPS: &str = "\
tree: loops
extends: html-tree-living
tokenizer: html-living
insertion modes:
  in body:
    start tag \"p\":
      - while the current node is a body element: [parse error]
";

#[test]
fn a_table_that_loops_is_at_fault_with_its_place() {
    let output = with(LOOPS, &["tree", "--tree", "my.yaml", "page.html"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    for part in [
        "error[endless-loop]: these steps run for ever with the token at 1:1 of the document",
        "--> my.yaml:7:",
        "- while the current node is a body element: [parse error]",
    ] {
        assert!(told.contains(part), "{told}");
    }
    assert!(!told.contains("internal error"), "{told}");
}

#[test]
fn a_document_chooses_its_table() {
    let folder = folder();
    fs::write(folder.path().join("page.svg"), "<svg/>").expect("a file");
    for (file, table, wanted) in [
        ("page.html", "html-living", "|     <p>"),
        ("page.svg", "xml5", "| <svg>"),
    ] {
        let output = run(speclex(&["tree", file]).current_dir(&folder));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(wanted), "{}", stdout(&output));
        let told = stderr(&output);
        assert!(
            told.contains(&format!("{file}: read with {table}, because")),
            "{told}"
        );
    }
}

#[test]
fn either_name_of_a_tree_will_do() {
    let trees = ["html-living", "html-tree-living"].map(|table| {
        let output = with("", &["tree", "--spec", table, "page.html"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    });
    assert_eq!(trees[0], trees[1]);
}

/// Every command that takes tables of tokenizers alone.
#[test]
fn commands_without_trees_say_so() {
    let with_spec = [
        &["audit", "--text", "page.html"][..],
        &["profile", "page.html"],
        &["tokenize", "page.html"],
        &["gen"],
    ];
    let named = with_spec.map(|words| [words, &["--spec"]].concat());
    let others = [
        vec!["diff", "html-living"],
        vec!["trace", "page.html", "--spec", "html-living", "--vs"],
    ];
    for words in named.into_iter().chain(others) {
        for (table, name) in [
            ("html-tree-living", "html-living"),
            ("my.yaml", "html-living"),
        ] {
            let output = with(LOOPS, &[&words[..], &[table]].concat());
            assert_eq!(output.status.code(), Some(2), "{words:?} {table}");
            let told = stderr(&output);
            let why = format!(
                "error: `{table}` is a table of tree construction, and this needs one of a tokenizer, such as its own, `{name}`"
            );
            assert!(told.starts_with(&why), "{words:?}: {told}");
        }
    }
    // And the other way around.
    for table in ["html-living", "good.yaml"] {
        let output = with("", &["tree", "--tree", table, "page.html"]);
        let told = stderr(&output);
        assert!(
            told.starts_with(&format!("error: `{table}` is a table of a tokenizer")),
            "{told}"
        );
    }
}

/// One slip is one error, with its place, and what is meant.
#[test]
fn slips_in_trees_get_help() {
    let head = "tree: mine\nextends: html-tree-living\ntokenizer: html-living\ninsertion modes:\n";
    let arm = |arm: &str| format!("{head}  in body:\n    {arm}\n");
    let with_head = |extends: &str, tokenizer: &str| {
        let head = head.replace("extends: html-tree-living", extends);
        let head = head.replace("tokenizer: html-living\n", tokenizer);
        format!("{head}  in body:\n    start tag \"icon\": [parse error]\n")
    };
    let base = "extends: html-tree-living";
    for (text, place, help) in [
        (
            arm("start tag \"icon\": [process the token using the rules for \"in bdy\"]"),
            "my.yaml:6:",
            "did you mean `in body`?",
        ),
        (
            format!("{head}  in bdy:\n    start tag \"icon\": [parse error]\n"),
            "my.yaml:5:3",
            "did you mean `in body`?",
        ),
        (
            arm("start tag icon: [parse error]"),
            "my.yaml:6:5",
            "names have quotes: `start tag \"icon\"`",
        ),
        (
            arm("start tag icon, image: [parse error]"),
            "my.yaml:6:5",
            "names have quotes: `start tag \"icon\", \"image\"`",
        ),
        (
            arm("start tg \"icon\": [parse error]"),
            "my.yaml:6:5",
            "did you mean `start tag`?",
        ),
        (
            arm("start tag \"icon\": [process the token using the rules for \"qqq\"]"),
            "my.yaml:6:",
            "or one of 10 others",
        ),
        (
            with_head("extends: html-tree-lving", "tokenizer: html-living\n"),
            "my.yaml:2:10",
            "did you mean `html-tree-living`?",
        ),
        (
            with_head("extends: html-living", "tokenizer: html-living\n"),
            "my.yaml:2:10",
            "`html-living` is a table of a tokenizer",
        ),
        (
            with_head(base, ""),
            "my.yaml:1:1",
            "that of a base is not taken over: `tokenizer: html-living`, say",
        ),
        (
            with_head(base, "tokenizer: html-lving\n"),
            "my.yaml:3:12",
            "did you mean `html-living`?",
        ),
        (
            with_head(base, "tokenizer: goood\n"),
            "my.yaml:3:12",
            "did you mean `good`?",
        ),
        (
            with_head(base, "tokenizer: html-tree-living\n"),
            "my.yaml:3:12",
            "`html-tree-living` is a table of tree construction",
        ),
    ] {
        let output = with(&text, &["check", "my.yaml"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let told = stderr(&output);
        assert!(told.contains(place) && told.contains(help), "{told}");
        assert_eq!(told.matches("error[").count(), 1, "{told}");
    }
}

#[test]
fn contexts_of_fragments_are_elements() {
    for (context, code, told) in [
        ("td", 0, ""),
        ("TD", 0, ""),
        ("svg foreignObject", 0, ""),
        (
            "bogus",
            0,
            "warning: the table has no rule for `bogus`: it is a context like any other element\n",
        ),
        (
            "tabel",
            0,
            "like any other element; did you mean `table`?\n",
        ),
        (
            "svg2 path",
            2,
            "error: `svg2 path` is no context of a fragment",
        ),
        (
            "svg path x",
            2,
            "error: `svg path x` is no context of a fragment",
        ),
        ("", 2, "error: `` is no context of a fragment"),
    ] {
        let arguments = [
            "tree",
            "--spec",
            "html-living",
            "--encoding",
            "utf-8",
            "--fragment",
            context,
            "page.html",
        ];
        let output = with("", &arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{context}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains(told),
            "{context}: {}",
            stderr(&output)
        );
        assert_eq!(
            told.is_empty(),
            stderr(&output).is_empty(),
            "{context}: {}",
            stderr(&output)
        );
    }
    let trees = ["td", "TD"].map(|context| {
        let folder = folder();
        fs::write(folder.path().join("page.html"), "<td>a").expect("a file");
        let arguments = [
            "tree",
            "--spec",
            "html-living",
            "--fragment",
            context,
            "page.html",
        ];
        stdout(&run(speclex(&arguments).current_dir(&folder)))
    });
    assert_eq!(trees[0], trees[1]);
}

#[test]
fn a_trace_says_which_content_follows() {
    let folder = folder();
    fs::write(folder.path().join("page.html"), "<script>a</script>").expect("a file");
    let trace = |format: &str| {
        let arguments = [
            "trace",
            "--spec",
            "html-living",
            "page.html",
            "--format",
            format,
        ];
        stdout(&run(speclex(&arguments).current_dir(&folder)))
    };
    let line = "by the table's list, script data follows this tag: switch to script data";
    assert_eq!(
        trace("human").matches(line).count(),
        1,
        "{}",
        trace("human")
    );
    let lines = trace("json");
    let follows = "\"follows\":{\"content\":\"script data\",\"state\":\"script data\"}";
    assert_eq!(lines.matches(follows).count(), 1, "{lines}");
}

/// What a user types after `--spec` and `--state`, in bash itself.
#[cfg(unix)]
#[test]
fn bash_completes_tables_and_states() {
    let folder = folder();
    let script = stdout(&run(&mut speclex(&["completions", "bash"])));
    fs::write(folder.path().join("script"), script).expect("a file");
    let completed = |words: &[&str]| {
        let typed: Vec<String> = words
            .iter()
            .map(|word| format!("'{}'", word.replace('\'', "'\\''")))
            .collect();
        let program = format!(
            "source ./script; COMP_WORDS=(\"$0\" {}); COMP_CWORD={}; _speclex_named \"$0\" \"${{COMP_WORDS[COMP_CWORD]}}\" \
             \"${{COMP_WORDS[COMP_CWORD-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            typed.join(" "),
            words.len()
        );
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", &program, env!("CARGO_BIN_EXE_speclex")])
            .current_dir(&folder);
        let output = run(&mut bash);
        stdout(&output)
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        completed(&["tokenize", "--spec", "html-20"]),
        ["html-2009", "html-2012", "html-2014", "html-2026-06"]
    );
    // A file, too.
    assert_eq!(
        completed(&["trace", "--spec", "html-living", "--vs", "go"]),
        ["good.yaml"]
    );
    assert!(completed(&["tree", "--spec", "html-tree-l"]).contains(&"html-tree-living".to_owned()));
    assert!(!completed(&["graph", "--spec", "html"]).contains(&"html-tree-living".to_owned()));
    assert!(completed(&["diff", "html-living", "html-2009"]).contains(&"html-2009".to_owned()));
    assert_eq!(
        completed(&["analyze", "--spec", "html-living", "--state", "tag "]),
        ["tag\\ open", "tag\\ name"]
    );
    assert_eq!(
        completed(&["graph", "--spec", "html-living", "--state", "'tag o"]),
        ["tag open"]
    );
    assert_eq!(
        completed(&["graph", "--spec", "good.yaml", "--state", "bef"]),
        ["before\\ value"]
    );
    // The rest is clap's.
    assert_eq!(completed(&["tree", "--scri"]), ["--scripting"]);
}

#[test]
fn a_graph_shows_which_modes_lead_to_which() {
    let drawn = |more: &[&str]| {
        let mut arguments = vec!["graph", "--spec", "html-tree-living", "--format", "dot"];
        arguments.extend(more);
        run(&mut speclex(&arguments))
    };
    let output = drawn(&[]);
    let whole = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for part in [
        "<b>in body   13.2.6.4.7</b>",
        "<b>foreign content   13.2.6.5</b>",
        "▶ the first token",
        "insertion modes\"",
        "the original insertion mode",
    ] {
        assert!(whole.contains(part), "{part}");
    }
    // It switches and reprocesses; it switches; it uses other rules.
    let one = stdout(&drawn(&["--state", "before head"]));
    for part in [
        "else ↺\"",
        "label=\"start tag \\\"head\\\"\\nend tag",
        "⊂\"",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    let output = drawn(&["--state", "in tabel"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(
        told.ends_with("has no insertion mode `in tabel`; did you mean `in table`?\n"),
        "{told}"
    );
}

#[test]
fn analyze_shows_what_the_generator_found_for_each_mode() {
    let output = run(&mut speclex(&["analyze", "--spec", "html-tree-living"]));
    let all = stdout(&output);
    for part in [
        "html-tree-living: HTML Living Standard, 3 October 2026, tree construction\n21 insertion modes, 230 arms, ",
        "\nin body (13.2.6.4.7): ",
        "start tag \"noframes\": to in head\n",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let arguments = [
        "analyze",
        "--spec",
        "html-tree-living",
        "--state",
        "in body",
    ];
    let one = stdout(&run(&mut speclex(&arguments)));
    for part in [
        "  in runs        character token that is white space\n                 any other character token\n",
        "  one by one     character token that is U+0000\n",
        "  at once        characters that are inserted\n                 start tags that insert an element: ",
        "                 start tags that insert an element and add it to the list: a, b, big, ",
        "                 end tags that pop the current node and take it off the list: a, b, big, ",
        "  searches       start tag \"li\"\n",
        "  switches to    text\n",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
}

#[test]
fn a_trace_follows_tokens_through_the_builder() {
    let traced = |arguments: &[&str], document: &str| {
        let folder = folder();
        fs::write(folder.path().join("page.html"), document).expect("a file");
        let mut all = vec!["trace", "--width", "100"];
        all.extend(arguments);
        all.push("page.html");
        run(speclex(&all).current_dir(&folder))
    };
    let output = traced(&["--spec", "html-tree-living"], "<table><p>a b");
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for part in [
        "1:1      start tag \"table\"\n",
        "\"in table\", anything else:\n             parse error\n             enable foster parenting\n",
        "node <p> in Document > <html> > <body>, before <table>\n",
        "error parse-error at 1:8\n",
        "character \"a\"\n",
        "stack of open elements is now <html> > <body> > <table> > <p>\n",
        "end-of-file\n",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    for (document, code, verdict) in [
        ("<?a b?>", 1, "The trees or their errors differ.\n"),
        ("<p>a", 0, "The trees and their errors are the same.\n"),
    ] {
        let tables = ["--spec", "html-tree-2026-06", "--vs", "html-tree-living"];
        let output = traced(&tables, document);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stdout(&output).ends_with(verdict), "{}", stdout(&output));
    }
    let tables = ["--spec", "html-tree-living", "--content", "RCDATA"];
    let output = traced(&tables, "");
    assert!(
        stderr(&output).starts_with("error: --content is for tables of tokenizers"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_first_tree_table_checks_and_runs() {
    let folder = folder();
    let output = run(speclex(&["init", "--tree", "mine"]).current_dir(&folder));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let printed = stdout(&output);
    let mine = folder.path().join("mine");
    let commands = printed
        .lines()
        .filter_map(|line| line.strip_prefix("speclex "));
    let told: Vec<String> = commands
        .map(|command| {
            let words: Vec<&str> = command.split(' ').collect();
            let output = run(speclex(&words).current_dir(&mine));
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            stdout(&output)
        })
        .collect();
    assert_eq!(told.len(), 2, "{printed}");
    assert_eq!(told[0], "outline-tree: 3 insertion modes, 11 arms\n");
    let tree = "#document\n| <fruit>\n|   \"apples\n  \"\n|   <citrus>\n|     \"lemons\"\n|   \"\n\"\n\n#errors\n";
    assert_eq!(told[1], tree);
    let again = run(speclex(&["init", "--tree", "mine"]).current_dir(&folder));
    assert_eq!(again.status.code(), Some(2), "{}", stdout(&again));
}
