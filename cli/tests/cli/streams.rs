//! `tokenize`: tokens while the document comes, in the order of the whole.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use speclex_analysis::document_order::{DocumentOrder, Item};
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::{Output, StreamErrors};

use crate::program::{folder, run, speclex, stderr, stdout};

#[test]
fn tokens_come_before_the_document_ends() {
    for (spec, interpret) in [("html-living", false), ("html-living", true)] {
        for format in ["human", "json-lines"] {
            let mut command = speclex(&["tokenize", "--spec", spec, "--format", format, "-"]);
            command.args(["--encoding", "utf-8"]);
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
    assert_eq!(end["end"]["offset"], 28, "{end}");
    assert_eq!(lines.len(), tokens.len() + errors.len() + 1);
}

#[test]
fn bytes_that_are_no_utf_8_are_told_once() {
    let folder = folder();
    fs::write(folder.path().join("latin.html"), b"<p>caf\xE9 \xFF").expect("a file");
    let output = run(speclex(&[
        "tokenize",
        "--encoding",
        "utf-8",
        "--spec",
        "html-living",
        "latin.html",
    ])
    .current_dir(&folder));
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
        order.push(session.take_output(), session.take_exceeded());
        items.extend(std::iter::from_fn(|| order.next_item()));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    session.end().expect("no fault");
    order.push(session.take_output(), session.take_exceeded());
    order.end();
    items.extend(std::iter::from_fn(|| order.next_item()));
    items
}

/// What was printed when the whole output was there at once.
fn sorted(output: Output, stream: &StreamErrors) -> Vec<Item> {
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
    assert!(child.wait().expect("an end").success());
    // 19 code units in each, the tag first.
    let tags = text.lines().filter(|line| line.contains("start tag"));
    let mut count = 0;
    for (index, tag) in tags.enumerate() {
        let place = tag.split(' ').next().expect("a place");
        assert_eq!(place, format!("1:{}", 1 + index * 19), "{tag}");
        count += 1;
    }
    assert_eq!(count, 8_000);
}

/// Gives its bytes one by one.
struct Slow(Vec<u8>);

impl Read for Slow {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        to[0] = self.0.remove(0);
        Ok(1)
    }
}

#[test]
fn chunks_are_what_the_whole_would_be() {
    let inputs: [&[u8]; 6] = [
        b"",
        "a€\u{1F600}b".as_bytes(),
        b"a\xFFb\xE2\x82c\xF0\x9F\x98",
        b"\xE2\x82",
        b"\xF0\x9F\xE2\x82\xAC",
        b"\xED\xA0\x80",
    ];
    for input in inputs {
        let text = speclex_cli::read(Slow(input.to_vec())).expect("a text");
        assert_eq!(text, String::from_utf8_lossy(input));
    }
}
