//! Inputs that make careless tokenizers quadratic, or hold on to what they have passed: a quarter of a megabyte each,
//! whole and byte by byte. A quadratic one would not end in a day. With `--ignored` those of older revisions.

use std::fmt::Write;
use std::io::Read;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed};
use speclex_analysis::engine::Request;
use speclex_analysis::token::StreamErrors;
use speclex_tests::cases::Cases;
use speclex_tests::revision::{Revision, is_newest};

/// About how long the inputs are.
const LENGTH: usize = 1 << 18;

/// A name, what comes first, what is repeated (`b#` with another number each time), the content it starts in.
const HOSTILE: &[(&str, &str, &str, &str)] = &[
    ("less-than signs", "", "<", "data"),
    ("ampersands", "", "&", "data"),
    ("an ampersand and letters", "&", "a", "data"),
    (
        "an ampersand and letters in an attribute",
        "<a b='&",
        "a",
        "data",
    ),
    ("references without semicolons", "", "&amp", "data"),
    (
        "starts of long references",
        "",
        "&CounterClockwiseContourIntegra",
        "data",
    ),
    ("digits of a reference", "&#", "9", "data"),
    ("hexadecimal references without digits", "", "&#x", "data"),
    ("end tags that never are", "", "</scrip", "script data"),
    ("end tags in the name of an end tag", "", "</", "RCDATA"),
    (
        "an end tag of the right name, again and again",
        "",
        "</script",
        "script data",
    ),
    ("escapes in a script", "", "<!--<script", "script data"),
    ("look-behind for escapes", "", "<!-", "RCDATA"),
    ("attributes", "<a", " b", "data"),
    ("attributes with equal names", "<a", " b=c", "data"),
    ("attributes with different names", "<a", " b#=c", "data"),
    ("quotes", "<a", " b='", "data"),
    ("upper-case letters in a name", "<A", "B", "data"),
    ("an open comment", "<!--", "--!", "data"),
    ("dashes in a comment", "<!--", "-", "data"),
    ("comments in a comment", "<!--", "<!--", "data"),
    ("starts of DOCTYPEs", "", "<!DOCTYP", "data"),
    ("keywords in a DOCTYPE", "<!DOCTYPE a ", "PUBLI", "data"),
    ("brackets in a CDATA section", "", "]]", "CDATA section"),
    ("processing instructions", "<?a ", "?", "data"),
    ("NUL", "", "\0", "data"),
    ("CR", "", "\r", "data"),
    ("CR LF", "", "\r\n", "data"),
    ("noncharacters", "", "\u{FFFF}", "data"),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut inputs = Cases::new("hostile");
    let mut streams = Cases::new("hostile, streams");
    for table in speclex_tables::all() {
        let revision = Revision::shared(table.name);
        for &(name, first, repeated, content) in HOSTILE {
            let title = format!("{}/{name}", table.name);
            inputs.add(table.name, title, move || {
                let name = repeated.repeat(LENGTH / 2 / repeated.len());
                run(revision, &input(first, repeated), content, &name)
            });
        }
        streams.add_trial(format!("{}/a stream of all", table.name), || {
            stream(table.name)
        });
    }
    streams.add_trial("html-living/one comment, interpreted", long_token);
    inputs.ignore(|trial| !is_newest(trial));
    let inputs = inputs.run(arguments.clone());
    let streams = streams.run(arguments);
    if inputs.has_failed() {
        inputs.exit_code()
    } else {
        streams.exit_code()
    }
}

fn input(first: &str, repeated: &str) -> String {
    let mut input = first.to_owned();
    for number in 0.. {
        if input.len() >= LENGTH {
            break;
        }
        match repeated.split_once("b#") {
            Some((before, after)) => write!(input, "{before}b{number}{after}").expect("a text"),
            None => input += repeated,
        }
    }
    input
}

fn run(revision: &Revision, input: &str, content: &str, long_name: &str) -> Result<(), Failed> {
    let content = revision.starts.state(content);
    let stream = StreamErrors::of(&revision.machine);
    let mut engine = revision.generated();
    for last_start_tag in ["script", long_name] {
        let request = Request {
            input,
            content,
            last_start_tag: Some(last_start_tag),
            ..Request::default()
        };
        let whole = engine
            .tokenize(&request)?
            .coalesced()
            .with_sorted_errors(&stream);
        let chunks = vec![1; input.len()];
        let request = Request {
            chunks: &chunks,
            ..request
        };
        let pieces = engine
            .tokenize(&request)?
            .coalesced()
            .with_sorted_errors(&stream);
        if whole != pieces {
            return Err("byte by byte it is something else".into());
        }
    }
    Ok(())
}

/// A document that is one comment, tokenized and printed by the interpreter: of the comment only a few copies are held.
fn long_token() -> Result<(), Failed> {
    const LENGTH: usize = 1 << 24;
    let table = format!(
        "{}/../spec-tables/html-living.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    let document = "<!--"
        .as_bytes()
        .chain(std::io::repeat(b'x').take(LENGTH as u64));
    let mut printed = Ok(());
    let memory = allocation_counter::measure(|| {
        printed = speclex_cli::print(&table, &Request::default(), document, std::io::sink());
    });
    printed.map_err(|failure| failure.render(false))?;
    let held = memory.bytes_max;
    if held > 8 * LENGTH as u64 {
        return Err(format!("{held} bytes held for a token of {LENGTH}").into());
    }
    Ok(())
}

/// Many megabytes in pieces, to a sink that keeps nothing: what is held is bounded.
fn stream(name: &str) -> Result<(), Failed> {
    const ROUNDS: usize = 300;
    let mut tokenizer = speclex_cli::null_tokenizer(name).ok_or("no generated tokenizer")?;
    let page = "<p class=a title='b &amp; c'>Text &lt; text\r\n<!-- comment --></p>".repeat(1000);
    tokenizer(page.as_bytes());
    let memory = allocation_counter::measure(|| {
        for round in 0..ROUNDS {
            for piece in page.as_bytes().chunks(1000 + round) {
                tokenizer(piece);
            }
        }
    });
    let held = memory.bytes_max;
    if held > 16 * 1024 {
        return Err(format!(
            "{held} bytes held while {} MB passed",
            (ROUNDS * page.len()) >> 20
        )
        .into());
    }
    Ok(())
}
