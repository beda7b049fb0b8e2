//! Tests in the form of html5lib-tests.

use std::collections::HashSet;
use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use serde_json::{Value as Json, json};

use super::items::Items;
use super::search::{Found, Start, Test};
use crate::engine::{Engine, InterpreterEngine, Request};
use crate::html5lib::{self, Form};
use crate::position::{Lines, Position};
use crate::token::StreamErrors;

/// What the file starts with, has behind its tests, and ends with.
const START: &str = "{\"tests\": [\n";
const UNREACHABLE: &str = "\n],\n\"unreachable\": [\n";
const END: &str = "\n]}\n";

/// The file: each test says in its description what it is the first to reach; `unreachable` lists what
/// no input reaches.
///
/// # Errors
/// When a test cannot be run.
pub fn write(items: &Items<'_>, found: &Found) -> Result<String, String> {
    let machine = items.machine();
    let mut engine = InterpreterEngine::new(machine);
    let form = Form::of(machine);
    let stream = StreamErrors::of(machine);
    let mut text = START.to_owned();
    for (index, test) in found.tests.iter().enumerate() {
        let mut fields = head(items, test);
        let output = engine.tokenize(&Request {
            input: &test.input,
            content: Some(&test.start.content),
            last_start_tag: test.start.last_start_tag.as_deref(),
            cdata_allowed: test.start.cdata_allowed,
            ..Request::default()
        })?;
        let output = output.coalesced().with_sorted_errors(&stream);
        let tokens = output
            .tokens
            .iter()
            .map(|emitted| form.to_json(&emitted.token));
        fields.push(("output", tokens.collect()));
        let lines = Lines::new(&test.input);
        let errors = output.errors.iter().map(|error| {
            let Position { line, column } = lines.position(error.offset);
            json!({"code": error.code, "line": line, "col": column})
        });
        fields.push(("errors", errors.collect()));
        add_object(&mut text, index, &fields);
    }
    text.push_str(UNREACHABLE);
    for (index, unreached) in found.unreached.iter().enumerate() {
        let what = items.label(unreached.item);
        let fields = [
            ("what", what.into()),
            ("why", unreached.why.as_str().into()),
        ];
        add_object(&mut text, index, &fields);
    }
    text.push_str(END);
    Ok(text)
}

/// Whether a text is such a file: the suites of others say nothing of what is unreachable.
pub fn is_suite(text: &str) -> bool {
    text.starts_with(START) && text.ends_with(END) && text.contains(UNREACHABLE)
}

/// What a test says before its output. What goes without saying is left out.
fn head(items: &Items<'_>, test: &Test) -> Vec<(&'static str, Json)> {
    // A branch says what it is a branch of.
    let branches = test.items.iter().filter_map(|&id| items.all()[id].branch);
    let parents: HashSet<usize> = branches.map(|branch| branch.parent).collect();
    let innermost = test.items.iter().filter(|id| !parents.contains(id));
    let labels: Vec<String> = innermost.map(|&id| items.label(id)).collect();
    let Start {
        content,
        last_start_tag,
        cdata_allowed,
    } = &test.start;
    let mut fields = vec![
        ("description", labels.join("; ").into()),
        (
            "initialStates",
            json!([html5lib::Start::of_content(content).to_string()]),
        ),
    ];
    fields.extend(
        last_start_tag
            .iter()
            .map(|name| ("lastStartTag", name.as_str().into())),
    );
    if *cdata_allowed {
        fields.push(("cdataAllowed", true.into()));
    }
    fields.push(("input", test.input.as_str().into()));
    fields
}

/// Adds an object, a line for each of its members.
fn add_object(text: &mut String, index: usize, fields: &[(&str, Json)]) {
    text.push_str(if index == 0 { "\n{" } else { ",\n\n{" });
    for (index, (key, value)) in fields.iter().enumerate() {
        let comma = if index == 0 { "" } else { ",\n" };
        text.push_str(&format!("{comma}\"{key}\": {}", ascii(value)));
    }
    text.push('}');
}

/// JSON in ASCII, so that one sees what is in a test.
fn ascii(value: &Json) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Ascii(CompactFormatter));
    // Writing to memory cannot fail, nor can serializing a value.
    let _ = value.serialize(&mut serializer);
    String::from_utf8(bytes).unwrap_or_default()
}

struct Ascii(CompactFormatter);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for c in fragment.chars() {
            if matches!(c, ' '..='~') {
                self.0
                    .write_string_fragment(writer, c.encode_utf8(&mut [0; 4]))?;
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04X}")?;
                }
            }
        }
        Ok(())
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }
}
