//! Reads diagrams back.

use std::collections::{BTreeMap, BTreeSet};

use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::token::{Token, Value};

use crate::machine;

/// What a diagram says of each state: all text of its box and of the lines that leave it, and where they go.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) text: String,
    pub(crate) lines: BTreeSet<usize>,
}

/// A quoted string of Graphviz, without its escapes, and what follows it.
fn dot_string(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => return Some((out, &text[at + 2..])),
            '\\' => match rest.next()?.1 {
                'n' => out.push('\n'),
                c @ ('"' | '\\') => out.push(c),
                _ => return None,
            },
            '\n' => return None,
            c => out.push(c),
        }
    }
    None
}

/// Reads `[name=value, …]`: values are strings, words, or markup in angle brackets.
fn dot_attributes(text: &str) -> Option<BTreeMap<String, String>> {
    let mut rest = text.strip_prefix('[')?;
    let mut found = BTreeMap::new();
    loop {
        let (name, after) = rest.split_once('=')?;
        let value;
        (value, rest) = if after.starts_with('"') {
            dot_string(after)?
        } else if let Some(markup) = after.strip_prefix('<') {
            let mut depth = 1;
            let end = markup.char_indices().find(|(_, c)| {
                depth += i32::from(*c == '<') - i32::from(*c == '>');
                depth == 0
            })?;
            (markup[..end.0].to_owned(), &markup[end.0 + 1..])
        } else {
            let end = after.find([',', ']'])?;
            (after[..end].to_owned(), &after[end..])
        };
        found.insert(name.trim().to_owned(), value);
        match rest.strip_prefix(", ") {
            Some(more) => rest = more,
            None => return (rest == "];").then_some(found),
        }
    }
}

/// Character references of XML and of Graphviz, resolved.
fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#91;", "[")
        .replace("&#93;", "]")
        .replace("&amp;", "&")
}

/// Reads a diagram for Graphviz, statement by statement; each must be of one of the forms known here.
pub(crate) fn read_dot(dot: &str) -> BTreeMap<usize, Drawn> {
    let mut drawn: BTreeMap<usize, Drawn> = BTreeMap::new();
    let mut lines = dot.lines();
    let first = lines
        .next()
        .and_then(|line| dot_string(line.strip_prefix("digraph ")?));
    assert_eq!(first.expect("a head").1, " {");
    let mut depth = 1;
    for line in lines {
        let line = line.trim();
        if line == "}" {
            depth -= 1;
        } else if line.starts_with("subgraph cluster_") && line.ends_with(" {") {
            depth += 1;
        } else if let Some(rest) = line.strip_prefix("label=") {
            let (_, rest) = dot_string(rest).expect("a label");
            assert!(rest.starts_with("; "), "{line}");
        } else {
            let (what, attributes) = line.split_once(" [").expect(line);
            let attributes = dot_attributes(&format!("[{attributes}")).expect(line);
            if ["graph", "node", "edge"].contains(&what) {
                continue;
            }
            let id = |word: &str| word.strip_prefix('s').and_then(|id| id.parse().ok());
            let state: usize;
            if let Some((from, to)) = what.split_once(" -> ") {
                state = id(from).expect(line);
                let to = id(to).expect(line);
                drawn.entry(state).or_default().lines.insert(to);
            } else {
                state = id(what).expect(line);
            }
            let text = &mut drawn.entry(state).or_default().text;
            for value in attributes.values() {
                let mut rows = value.replace("</td></tr><tr><td align=\"left\">", " ");
                for paint in ["<b>", "</b>", "<font color=\"#b42318\">", "</font>"] {
                    rows = rows.replace(paint, "");
                }
                *text += &unescape(&rows);
                text.push('\n');
            }
        }
    }
    assert_eq!(depth, 0, "brackets");
    drawn
}

/// Reads a diagram for Mermaid, line by line.
pub(crate) fn read_mermaid(text: &str) -> BTreeMap<usize, Drawn> {
    // Mermaid refuses more than this.
    assert!(text.len() < 50_000, "{} bytes", text.len());
    let mut drawn: BTreeMap<usize, Drawn> = BTreeMap::new();
    let (mut depth, mut edges) = (0, 0);
    let (head, body) = text.split_once("flowchart LR\n").expect("a flowchart");
    assert!(head.starts_with("---\ntitle: \"") && head.ends_with("\"\n---\n"));
    let id = |word: &str| {
        word.strip_prefix('s')
            .and_then(|id| id.parse::<usize>().ok())
    };
    let label = |text: &str| {
        let mut plain = String::new();
        for (index, part) in text.split('#').enumerate() {
            match part.split_once(';').filter(|_| index > 0) {
                None => plain += part,
                Some((code, rest)) => {
                    let code = code.parse().expect("a code");
                    plain.push(char::from_u32(code).expect("a character"));
                    plain += rest;
                }
            }
        }
        plain
    };
    for line in body.lines() {
        if line == "end" {
            depth -= 1;
        } else if line.starts_with("subgraph ") {
            depth += 1;
        } else if let Some((from, rest)) = line.split_once("[\"") {
            let (text, end) = rest.split_at(rest.len() - 2);
            assert_eq!(end, "\"]", "{line}");
            assert!(!text.contains('"'), "{line}");
            let state = drawn.entry(id(from).expect(line)).or_default();
            state.text += &label(&text.replace("<br>", "\n"));
            state.text.push('\n');
        } else if let Some((from, rest)) = line.split_once("->|\"") {
            let from = from.trim_end_matches(['-', '.', ' ']);
            let (text, to) = rest.split_once("\"| ").expect(line);
            assert!(!text.contains(['"', '|']), "{line}");
            let state = drawn.entry(id(from).expect(line)).or_default();
            state.lines.insert(id(to).expect(line));
            state.text += &label(&text.replace("<br>", " "));
            state.text.push('\n');
            edges += 1;
        } else {
            let known = ["direction TB", "linkStyle ", "classDef ", "class "];
            assert!(known.iter().any(|start| line.starts_with(start)), "{line}");
        }
    }
    assert_eq!(depth, 0);
    assert!(edges < 500, "{edges} lines: Mermaid refuses more");
    drawn
}

/// Checks that a picture is XML, with the tokenizer for it, and gives its texts, one a line.
pub(crate) fn read_svg(svg: &str) -> String {
    let mut output = InterpreterEngine::new(&machine("xml5"))
        .tokenize(&Request {
            input: svg,
            ..Request::default()
        })
        .expect("a run");
    assert_eq!(output.errors, [], "{:?}", output.errors);
    output = output.coalesced();
    let mut open = Vec::new();
    let mut ids = BTreeSet::new();
    let mut links = BTreeSet::new();
    let mut text = String::new();
    for emitted in &output.tokens {
        let (kind, fields) = match &emitted.token {
            Token::Declared { kind, fields } => (kind, fields),
            Token::Characters(characters) => {
                text += characters;
                continue;
            }
        };
        let name = fields.first().and_then(Value::text).unwrap_or_default();
        if kind == "entity reference" {
            let known = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"')];
            let found = known.iter().find(|(known, _)| *known == name);
            text.push(found.expect("an entity of XML").1);
            continue;
        }
        text.push('\n');
        match kind.as_str() {
            "start tag" => open.push(name.to_owned()),
            "end tag" => assert_eq!(open.pop().as_deref(), Some(name)),
            "empty tag" => {}
            other => panic!("a {other} in a picture"),
        }
        for field in fields {
            let Value::Attributes(attributes) = field else {
                continue;
            };
            for (name, value) in attributes {
                match name.as_str() {
                    "id" => assert!(ids.insert(value.clone()), "{value} twice"),
                    "href" => drop(links.insert(value.trim_start_matches('#').to_owned())),
                    _ => {}
                }
            }
        }
    }
    assert!(open.is_empty(), "{open:?} open");
    assert!(links.is_subset(&ids), "links without a goal");
    text
}
