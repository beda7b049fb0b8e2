//! Tree construction: the table against the text written down once more, on random tokens; depth; and
//! tables that say odd things.

use speclex_analysis::token::{Emitted, Output, Token, Value};
use speclex_analysis::tree::errors::TreeError;
use speclex_analysis::tree::{Event, Node, Tree};
use speclex_codegen::Source;
use speclex_codegen::tree::{TreeMachine, Vocabulary};
use speclex_codegen::vocabulary::markup;

fn source(name: &str) -> Option<Source> {
    let table = speclex_tables::tree(name)?;
    Some(Source {
        name: table.file.to_owned(),
        text: table.text.to_owned(),
    })
}

fn machine(text: &str) -> TreeMachine {
    let table = Source {
        name: "table".to_owned(),
        text: text.to_owned(),
    };
    let of_tokenizer = markup();
    let kinds = of_tokenizer.tokens.iter().flat_map(|token| &token.kinds);
    let tokens = Vocabulary {
        created: kinds.map(|kind| kind.name.clone()).collect(),
        of_tokenizer,
    };
    let loaded = speclex_codegen::tree::load(table, &source, &|_| Some(tokens.clone()));
    loaded.unwrap_or_else(|report| panic!("{report}")).machine
}

fn construct(machine: &TreeMachine, output: &Output, end: u64) -> (Tree, Vec<TreeError>) {
    speclex_analysis::tree::construct(machine, output, end).expect("a checked table")
}

fn xml5() -> TreeMachine {
    machine(&source("xml5-tree").expect("a shipped table").text)
}

/// Tokens one after the other, each a byte long, characters a byte each.
fn output(tokens: Vec<Token>) -> Output {
    let mut at = 0;
    let place = |token: Token| {
        let length = match &token {
            Token::Characters(text) => text.len() as u64,
            Token::Declared { .. } => 1,
        };
        at += length;
        Emitted {
            token,
            span: at - length..at,
        }
    };
    Output {
        tokens: tokens.into_iter().map(place).collect(),
        errors: Vec::new(),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn tag(kind: &str, name: &str) -> Token {
    Token::Declared {
        kind: kind.to_owned(),
        fields: vec![
            text(name),
            Value::Flag(false),
            Value::Attributes(Vec::new()),
        ],
    }
}

fn declared(kind: &str, fields: &[&str]) -> Token {
    Token::Declared {
        kind: kind.to_owned(),
        fields: fields.iter().map(|field| text(field)).collect(),
    }
}

/// Random numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn tokens(random: &mut Random) -> Vec<Token> {
    // Sometimes a document starts as documents do.
    let mut tokens = Vec::new();
    if random.below(3) == 0 {
        tokens.push(declared("XML declaration", &["1.0", "", ""]));
    }
    if random.below(4) > 0 {
        tokens.push(tag("start tag", "a"));
    }
    for _ in 0..random.below(30) {
        let name = ["a", "b", "n:a", ""][random.below(4)];
        tokens.push(match random.below(15) {
            0..4 => tag("start tag", name),
            4..7 => tag("end tag", name),
            7 => tag("empty tag", name),
            8 => declared("short end tag", &[]),
            9 => declared("comment", &["c"]),
            10 => declared("processing instruction", &["t", "d"]),
            11 => declared("DOCTYPE", &[name]),
            12 => declared(
                "entity reference",
                &[["a", "", "lt", "apos"][random.below(4)]],
            ),
            13 => declared("XML declaration", &["1.0", "", ""]),
            _ => Token::Characters(["x", " ", "é", "xy"][random.below(4)].to_owned()),
        });
    }
    tokens
}

/// Section 1.5 and the errata of the table read once more, without the table: the dump, and how many errors
/// there are.
fn by_hand(tokens: &[Token]) -> (String, usize) {
    #[derive(PartialEq)]
    enum Phase {
        Start,
        Main,
        End,
    }
    let (mut lines, mut errors) = (Vec::<String>::new(), 0);
    let (mut phase, mut open) = (Phase::Start, Vec::<String>::new());
    // A text that more characters may join.
    let mut joinable = None;
    for (number, token) in tokens.iter().enumerate() {
        let line = |depth: usize, what: String| format!("| {}{what}", "  ".repeat(depth));
        let depth = open.len();
        let resolved = match token {
            Token::Declared { kind, fields } if kind == "entity reference" => {
                match fields.first().and_then(Value::text) {
                    Some("lt") => Some("<"),
                    Some("apos") => Some("'"),
                    _ => None,
                }
            }
            Token::Characters(text) => Some(text.as_str()),
            Token::Declared { .. } => None,
        };
        let (kind, name) = match (token, resolved) {
            (_, Some(text)) if phase == Phase::Main => {
                match joinable {
                    Some(at) => {
                        let whole: &mut String = &mut lines[at];
                        whole.pop();
                        *whole += &format!("{text}\"");
                    }
                    None => {
                        joinable = Some(lines.len());
                        lines.push(line(depth, format!("\"{text}\"")));
                    }
                }
                continue;
            }
            (Token::Characters(text), _) => {
                errors += text.chars().count();
                continue;
            }
            (Token::Declared { kind, fields }, _) => {
                let name = fields.first().and_then(Value::text).unwrap_or_default();
                (kind.as_str(), name)
            }
        };
        let shown = match kind {
            "start tag" | "empty tag" if phase != Phase::End => Some(format!("<{name}>")),
            "comment" => Some(format!("<!-- {name} -->")),
            "processing instruction" => Some(format!("<?{name} d?>")),
            "DOCTYPE" if phase == Phase::Start => Some(format!("<!DOCTYPE {name}>")),
            "entity reference" if phase == Phase::Main => Some(format!("&{name};")),
            _ => None,
        };
        match (kind, &phase) {
            ("end tag", Phase::Main) => {
                errors += usize::from(open.last().is_none_or(|last| last != name));
                if let Some(at) = open.iter().rposition(|open| open == name) {
                    open.truncate(at);
                    joinable = None;
                }
            }
            ("short end tag", Phase::Main) => {
                open.pop();
                joinable = None;
            }
            ("XML declaration", _) if number == 0 => {}
            _ if shown.is_none() => errors += 1,
            _ => {}
        }
        if let Some(shown) = shown {
            lines.push(line(depth, shown));
            joinable = None;
            match kind {
                "start tag" => {
                    open.push(name.to_owned());
                    phase = Phase::Main;
                }
                "empty tag" if phase == Phase::Start => phase = Phase::End,
                _ => {}
            }
        }
        if phase == Phase::Main && open.is_empty() {
            phase = Phase::End;
        }
    }
    errors += usize::from(phase != Phase::End);
    let dump = lines.iter().map(|line| format!("{line}\n"));
    (dump.collect(), errors)
}

#[test]
fn the_table_is_what_the_text_says() {
    let machine = xml5();
    let mut random = Random(1);
    let mut with_end_phase = 0;
    for _ in 0..20_000 {
        let tokens = tokens(&mut random);
        let (dump, errors) = by_hand(&tokens);
        let output = output(tokens);
        let end = output.tokens.last().map_or(0, |token| token.span.end);
        let (tree, found) = construct(&machine, &output, end);
        assert_eq!(tree.dump(), dump, "{output:?}");
        assert_eq!(found.len(), errors, "{output:?}");
        assert!(found.iter().all(|error| error.offset <= end));
        with_end_phase += usize::from(errors > 0 && dump.lines().count() > 5);
    }
    assert!(with_end_phase > 1000, "the streams go nowhere");
}

#[test]
fn it_does_not_matter_how_characters_come() {
    let machine = xml5();
    let mut random = Random(2);
    for _ in 0..2000 {
        let joined = output(tokens(&mut random)).coalesced();
        let mut apart = Output::default();
        for emitted in &joined.tokens {
            match &emitted.token {
                Token::Characters(text) => {
                    let start = emitted.span.start;
                    apart
                        .tokens
                        .extend(text.char_indices().map(|(at, c)| Emitted {
                            token: Token::Characters(c.to_string()),
                            span: start + at as u64..start + (at + c.len_utf8()) as u64,
                        }));
                }
                Token::Declared { .. } => apart.tokens.push(emitted.clone()),
            }
        }
        let (one, other) = (
            construct(&machine, &joined, 99),
            construct(&machine, &apart, 99),
        );
        assert_eq!(one.0.dump(), other.0.dump());
        assert_eq!(one.1, other.1);
    }
}

#[test]
fn depth_costs_no_stack_and_no_square() {
    const DEPTH: usize = 1_000_000;
    let machine = xml5();
    let mut tokens = vec![tag("start tag", "a"); DEPTH];
    // None of them is in scope; each would be a search.
    tokens.extend(vec![tag("end tag", "b"); DEPTH]);
    tokens.push(Token::Characters("deep".to_owned()));
    tokens.extend(vec![tag("end tag", "a"); DEPTH - 1]);
    let (tree, errors) = construct(&machine, &output(tokens), 0);
    assert_eq!(errors.len(), DEPTH + 1);
    let deepest = tree.events().max_by_key(|&(_, depth)| depth);
    let Some((Event::Enter(id) | Event::Leave(id), depth)) = deepest else {
        panic!("no nodes");
    };
    assert_eq!(
        (depth, tree.node(id)),
        (DEPTH + 1, &Node::Text("deep".to_owned()))
    );
    let mut json = Vec::new();
    tree.write_json(&mut json).expect("a list takes all");
    assert!(json.len() < DEPTH * 64);
    drop(tree);
}

#[test]
fn a_dump_has_no_deepest_line() {
    // Wider than what a format of the library can be.
    const DEPTH: usize = 33_000;
    let (tree, _) = construct(&xml5(), &output(vec![tag("start tag", "a"); DEPTH]), 0);
    let mut longest = LongestLine::default();
    tree.write_dump(&mut longest).expect("it takes all");
    assert_eq!(longest.longest, "| <a>".len() + 2 * (DEPTH - 1));
}

/// Keeps no more than what it measures.
#[derive(Default)]
struct LongestLine {
    current: usize,
    longest: usize,
}

impl std::io::Write for LongestLine {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            self.current = if byte == b'\n' { 0 } else { self.current + 1 };
            self.longest = self.longest.max(self.current);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn json_is_json() {
    let tokens = vec![
        declared("comment", &["a\"b\n"]),
        tag("start tag", "r"),
        tag("empty tag", "e"),
        Token::Characters("x".to_owned()),
        declared("entity reference", &["amp"]),
        declared("entity reference", &["y"]),
        declared("processing instruction", &["t", "d"]),
        tag("end tag", "r"),
    ];
    let (tree, _) = construct(&xml5(), &output(tokens), 0);
    let mut json = Vec::new();
    tree.write_json(&mut json).expect("a list takes all");
    let value: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let expected = serde_json::json!([
        {"comment": "a\"b\n"},
        {"element": "r", "attributes": [], "children": [
            {"element": "e", "attributes": [], "children": []},
            {"text": "x&"},
            {"entity-reference": "y"},
            {"processing-instruction": "t", "data": "d"},
        ]},
    ]);
    assert_eq!(value, expected);
    let (empty, _) = construct(&xml5(), &Output::default(), 0);
    let mut json = Vec::new();
    empty.write_json(&mut json).expect("a list takes all");
    assert_eq!(json, b"[]");
}

/// Each of many errors names a long open element, and is short.
#[test]
fn names_in_errors_are_cut() {
    let (open, found) = ("é".repeat(100_000), "y".repeat(41));
    let mut tokens = vec![tag("start tag", &open)];
    tokens.extend(vec![tag("end tag", &found); 1000]);
    let machine = xml5();
    let (_, errors) = construct(&machine, &output(tokens), 0);
    assert_eq!(errors.len(), 1001);
    let (name, long) = (
        format!("{}…", "y".repeat(40)),
        format!("{}…", "é".repeat(40)),
    );
    for error in &errors[..1000] {
        assert_eq!(error.name.as_deref(), Some(name.as_str()));
        assert_eq!(error.open.as_deref(), Some(long.as_str()));
    }
}

/// A run is cut only where a character's place would be lost.
#[test]
fn characters_join_as_long_as_they_stand_in_the_input() {
    // `ab&#99;\r\nd</ `
    let mut output = Output::default();
    for (text, span) in [
        ("a", 0..1),
        ("b", 1..2),
        ("c", 2..7),
        ("\nd", 7..10),
        ("<", 10..12),
        ("/", 12..12),
        (" ", 12..13),
        ("", 13..13),
        ("e", 14..15),
    ] {
        output.push_characters(text, span);
    }
    let pieces: Vec<_> = (output.tokens.iter())
        .map(|emitted| match &emitted.token {
            Token::Characters(text) => (text.as_str(), emitted.span.clone()),
            Token::Declared { .. } => unreachable!("only characters"),
        })
        .collect();
    let expected = [
        ("ab", 0..2),
        ("c", 2..7),
        ("\n", 7..9),
        ("d", 9..10),
        ("</ ", 10..13),
        ("e", 14..15),
    ];
    assert_eq!(pieces, expected);
    let [joined] = &output.coalesced().tokens[..] else {
        panic!("one run");
    };
    assert_eq!(joined.token, Token::Characters("abc\nd</ e".to_owned()));
    assert_eq!(joined.span, 0..15);
}

#[test]
fn attributes_are_sorted_by_utf16() {
    let names = ["\u{FF5E}", "\u{1F600}", "b", "a"];
    let token = Token::Declared {
        kind: "start tag".to_owned(),
        fields: vec![
            text("r"),
            Value::Flag(false),
            Value::Attributes(names.map(|name| (name.to_owned(), String::new())).to_vec()),
        ],
    };
    let dump = construct(&xml5(), &output(vec![token]), 0).0.dump();
    let expected = "| <r>\n|   a=\"\"\n|   b=\"\"\n|   \u{1F600}=\"\"\n|   \u{FF5E}=\"\"\n";
    assert_eq!(dump, expected);
}

/// What a table can say although no text would: it must end, in a tree.
#[test]
fn odd_tables_build_trees() {
    let machine = machine(
        "tree: odd
tokenizer: any
initial insertion mode: one
variables: {insertion mode: insertion mode, stack of open elements: stack of elements}
procedures:
  create an element for the token:
    - let element be a new element with the token's tag name in no namespace
    - append each attribute of the token to element
  insert: [create an element for the token, append the new element to the current element, push the new element onto the stack of open elements]
  append DATA to PARENT:
    - let place be inside PARENT, after its last child
    - insert a Text node with DATA at place
insertion modes:
  one:
    character: [append the token's character to the current element, switch to \"two\"]
    start tag: [create an element for the token, push the new element onto the stack of open elements, append the new element to the current element, append the new element to the Document]
    end tag: pop elements from the stack of open elements until an element with the same tag name as the token has been popped
    short end tag: [append all of the child nodes of the current element to the current element, pop an element from the stack of open elements]
    empty tag:
      - if the current element is an element with the same tag name as the token: parse error
      - otherwise if the stack of open elements does not have an element with the same tag name as the token: [insert, switch to \"two\", reprocess the token]
      - otherwise: stop parsing
    comment: append a Comment node to the current element
    end-of-file: stop parsing
    anything else: ignore the token
  two:
    character: [append the token's character to the Document, switch to \"one\"]
    end-of-file: stop parsing
    anything else: parse error
",
    );
    let mut random = Random(3);
    let mut nodes = 0;
    for _ in 0..5000 {
        let (tree, _) = construct(&machine, &output(tokens(&mut random)), 0);
        let entered = |(event, _): &(Event, usize)| matches!(event, Event::Enter(_));
        nodes += tree.events().filter(entered).count();
    }
    // The Document takes one element and no text.
    assert!(nodes > 10_000);
    let mut open = vec![tag("start tag", "a"), tag("empty tag", "b")];
    open.push(Token::Characters("xyz".to_owned()));
    let (tree, _) = construct(&machine, &output(open), 0);
    // The first character would go to the Document, which takes none, and so would the third.
    assert_eq!(tree.dump(), "| <a>\n|   <b>\n|     \"y\"\n");
    // An element that gets its own children keeps them, in their order.
    let child = |name: &str| {
        let text = Token::Characters("x".to_owned());
        [tag("empty tag", name), text, tag("short end tag", "")]
    };
    let mut own = vec![tag("start tag", "a")];
    own.extend(["b", "c"].into_iter().flat_map(child));
    own.push(tag("short end tag", ""));
    let (tree, _) = construct(&machine, &output(own), 0);
    assert_eq!(tree.dump(), "| <a>\n|   <b>\n|   <c>\n");
}
