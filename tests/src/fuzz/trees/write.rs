//! Random tables: each phrase of the language with something in its holes. What the checker refuses is left out.

use std::fmt::Write as _;

use speclex_codegen::Source;
use speclex_codegen::emit::Paths;
use speclex_codegen::explain;
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::emit::module;
use speclex_codegen::tree::{TreeMachine, Vocabulary, load};

use crate::random::Random;

/// The shipped tables whose tokenizers are used.
pub(super) const TOKENIZERS: [&str; 2] = ["xml5-tree", "html-tree-living"];

/// What stands in documents.
pub(super) const PIECES: [&str; 26] = [
    "<a>",
    "<a x=y>",
    "<b>",
    "<b x=Y old=1>",
    "<c>",
    "<c/>",
    "<d>",
    "<p>",
    "</a>",
    "</b>",
    "</c>",
    "</d>",
    "</>",
    "</p>",
    "x",
    " ",
    "\n",
    "y z",
    "é",
    "\0",
    "&amp;",
    "&foo;",
    "<!--c-->",
    "<?p d?>",
    "<!DOCTYPE a>",
    "<![CDATA[d]]>",
];

/// What is declared, and what makes trees of some size without more.
const HEAD: &str = r#"tree: random
title: A random table
tokenizer: any
initial insertion mode: m0
variables:
  insertion mode: insertion mode
  original insertion mode: insertion mode
  stack of template insertion modes: stack of insertion modes
  stack of open elements: stack of elements
  list of active formatting elements: list of elements and markers
  pending table character tokens: list of characters
  foster parenting: [disabled, enabled]
  flag: [one, two, three]
  pointer: element
questions:
  pages are numbered: yes or no
  kind of pages: [plain, rich]
host steps:
  note: [element]
  ask: [element, node, answers]
  wait: [may pause]
properties:
  mark: element
classes:
  white space: [U+0020, U+000A]
element types:
  kind: [a, b]
  other: [c, SVG a, d]
scopes:
  near: [a, c]
  far: {all except: [b]}
names:
  renames: {a: b, d: c}
  adjusted: {x: [none, y, XML], old: new}
procedures:
  insert an element for TOKEN:
    - let element be a new element with TOKEN's tag name in the HTML namespace
    - append each attribute of TOKEN to element
    - if the stack of open elements is empty: append element to the Document
    - otherwise: append element to the current node
    - push element onto the stack of open elements
  append DATA to the current node:
    - let place be inside the current node, after its last child
    - if there is a Text node immediately before place: append DATA to the Text node immediately before place
    - otherwise: insert a Text node with DATA at place
"#;

/// The methods of the host.
pub(super) const HOST: &str = r#"
        fn note(&mut self, node: Given<'_>) {
            event("note", [node]);
        }
        fn ask(&mut self, node_1: Given<'_>, node_2: Given<'_>) -> bool {
            event("ask", [node_1, node_2]);
            false
        }
        fn wait(&mut self) -> speclex::tree::HostAnswer {
            event("wait", []);
            speclex::tree::HostAnswer::No
        }
        fn pages_are_numbered(&mut self) -> bool {
            false
        }
        fn kind_of_pages(&mut self) -> KindOfPages {
            KindOfPages::Plain
        }
        fn mark(&mut self) -> Option<Self::Node> {
            None
        }
"#;

/// The holes of phrases, and what may stand there. A value is one of any of those after it.
const FILLERS: &[(&str, &[&str])] = &[
    (
        "ELEMENT",
        &[
            "the current node",
            "the pointer",
            "e",
            "f",
            "the new element",
            "the Document",
            "the top element of the stack of open elements",
            "the second element on the stack of open elements",
            "the last TYPES in the stack of open elements",
            "the element immediately above ELEMENT in the stack of open elements",
            "the topmost TYPES in the stack of open elements lower than ELEMENT",
            "the last entry in the list of active formatting elements",
            "the last TYPES in the list of active formatting elements after its last marker",
            "the last element in the list of active formatting elements after its last marker whose tag name is TEXT",
            "the entry one earlier than ELEMENT in the list of active formatting elements",
            "the entry one later than ELEMENT in the list of active formatting elements",
            "the earliest element after its last marker with the tag name, namespace and attributes of ELEMENT",
            "the nearest TYPES among ELEMENT and its ancestors",
            "a new element with TEXT in NAMESPACE",
            "a new element with the tag name STRING in NAMESPACE",
        ],
    ),
    // Builders take some of these only where it does not matter which open element it is.
    (
        "NODE",
        &[
            "the parent node of ELEMENT",
            "the node in which LOCATION finds itself",
            "the template contents of ELEMENT",
            "the PROPERTY of ELEMENT",
            "ELEMENT",
            "g",
        ],
    ),
    (
        "LOCATION",
        &[
            "place",
            "inside ELEMENT, after its last child",
            "inside ELEMENT, immediately before ELEMENT",
            "inside the parent node of e, immediately before e",
            "inside NODE, after its last child",
            "(ELEMENT, e)",
            "(ELEMENT, null)",
        ],
    ),
    (
        "TYPES",
        &[
            "an a element",
            "a b or c element",
            "a kind element",
            "an other element",
            "an HTML element with the same tag name as the token",
            "an element with the same tag name as the token",
            "an HTML element whose tag name is TEXT",
            "an element in NAMESPACE",
        ],
    ),
    (
        "TEXT",
        &[
            "the token's tag name",
            "the token's character",
            "\"a\"",
            "\"p\"",
            "U+0078",
        ],
    ),
    ("STRINGS", &["\"a\"", "\"b\" or \"c\""]),
    ("STRING", &["\"a\"", "\"b\"", "\"x\"", "\"p\""]),
    (
        "NAMESPACE",
        &[
            "the HTML namespace",
            "the SVG namespace",
            "no namespace",
            "the namespace of ELEMENT",
        ],
    ),
    (
        "TOKEN",
        &[
            "the token",
            "a \"p\" start tag token with no attributes",
            "the token for which ELEMENT was created",
        ],
    ),
    ("MODES", &["\"m0\"", "\"m1\" or \"m2\""]),
    (
        "MODE",
        &[
            "\"m0\"",
            "\"m1\"",
            "\"m2\"",
            "the current insertion mode",
            "the original insertion mode",
            "the current template insertion mode",
        ],
    ),
    (
        "ARM",
        &[
            "anything else",
            "start tag \"a\"",
            "any other start tag",
            "any other end tag",
            "character",
        ],
    ),
    (
        "KIND",
        &[
            "a start tag",
            "an end tag",
            "a character token",
            "a comment token",
        ],
    ),
    ("SCOPE", &["near", "far"]),
    ("NAMES", &["renames", "adjusted"]),
    ("FLAG", &["the flag"]),
    ("WORD", &["one", "two", "three"]),
    ("NUMBER", &["n", "0", "2"]),
    ("TRUTH", &["yes", "the result of HOST"]),
    ("PROPERTY", &["mark"]),
    ("QUESTION", &["the kind of pages"]),
    ("CONTENT", &["RCDATA", "data"]),
    (
        "POSITION",
        &[
            "the position of ELEMENT in the list of active formatting elements",
            "the position immediately after ELEMENT in the list of active formatting elements",
            "spot",
        ],
    ),
    ("VARIABLE", &["e", "f", "the pointer", "n", "place"]),
    (
        "HOST",
        &["note given ELEMENT", "ask given ELEMENT, ELEMENT", "wait"],
    ),
    ("CLASS", &["white space"]),
    ("CHARACTER", &["U+000A"]),
    (
        "VALUE",
        &[
            "ELEMENT", "ELEMENT", "ELEMENT", "LOCATION", "NUMBER", "null",
        ],
    ),
];

/// What gives a variable its value.
const LETS: [&str; 8] = [
    "let e be ELEMENT",
    "let g be NODE",
    "let f be ELEMENT",
    "let place be LOCATION",
    "let spot be POSITION",
    "let n be 1",
    "let yes be true",
    "insert an element for TOKEN",
];

/// What may be used in the steps after these.
const FIRST: [&str; 3] = [
    "let e be ELEMENT",
    "let f be ELEMENT",
    "let place be LOCATION",
];

/// Keys of arms; those of kinds that a tokenizer does not have are refused.
const KEYS: [&str; 15] = [
    "start tag \"a\"",
    "start tag \"b\", \"c\"",
    "start tag \"d\", \"p\"",
    "end tag \"a\"",
    "end tag \"b\", \"p\"",
    "any other start tag",
    "any other end tag",
    "empty tag",
    "short end tag",
    "character token that is white space",
    "character",
    "comment",
    "processing instruction",
    "entity reference",
    "DOCTYPE",
];

/// How many arms are tried.
const TRIES: usize = 60;

/// The arms of three insertion modes, each with its steps, and procedures without holes.
#[derive(Clone, Default)]
struct Table {
    modes: [Vec<(&'static str, String)>; 3],
    procedures: Vec<String>,
}

impl Table {
    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (number, steps) in self.procedures.iter().enumerate() {
            let _ = writeln!(text, "  procedure {number}:\n{steps}");
        }
        text += "insertion modes:\n";
        for (number, arms) in self.modes.iter().enumerate() {
            let _ = writeln!(text, "  m{number}:");
            for (key, steps) in arms {
                let _ = writeln!(text, "    '{key}':\n{steps}");
            }
            let next = [
                "ignore the token",
                "[switch to \"m0\", reprocess the token]",
            ];
            let _ = writeln!(
                text,
                "    end-of-file: stop parsing\n    anything else: {}",
                next[usize::from(number == 2)]
            );
        }
        text
    }

    fn machine(&self, tokenizer: &Machine) -> Option<TreeMachine> {
        machine(&self.text(), tokenizer)
    }
}

/// The machine of a table, if neither the checker nor the generator refuses it. Why is printed if `SPECLEX_FUZZ_REFUSED` is set.
pub(super) fn machine(text: &str, tokenizer: &Machine) -> Option<TreeMachine> {
    let source = Source {
        name: "random.yaml".to_owned(),
        text: text.to_owned(),
    };
    let vocabulary = |_: &str| Some(Vocabulary::from(tokenizer));
    let loaded = load(source, &|_| None, &vocabulary);
    let loaded = loaded.map_err(|report| report.render(false));
    let machine = loaded.and_then(|loaded| {
        let module = module(&loaded.machine, Some(tokenizer), &Paths::default().runtime);
        module.map_err(|faults| format!("no builder: {}", faults.join("; ")))?;
        Ok(loaded.machine)
    });
    let print = |why: &String| {
        if std::env::var_os("SPECLEX_FUZZ_REFUSED").is_some() {
            eprintln!("{why}");
        }
    };
    machine.inspect_err(print).ok()
}

/// A random table that the checker takes, and its machine.
///
/// # Panics
/// When it does not take the table without random arms.
pub(super) fn table(tokenizer: &Machine, random: &mut Random) -> (String, TreeMachine) {
    let writer = Writer::new();
    let mut table = Table::default();
    table.modes[0] = [
        ("start tag", "      - insert an element for the token"),
        (
            "end tag",
            "      - pop the current node off the stack of open elements",
        ),
        (
            "character",
            "      - append the token's character to the current node",
        ),
    ]
    .map(|(key, steps)| (key, steps.to_owned()))
    .to_vec();
    let mut machine = table
        .machine(tokenizer)
        .expect("a table without random arms");
    for _ in 0..TRIES {
        let mut more = table.clone();
        let steps = match random.below(4) {
            0 => writer.steps(6, 2, random),
            _ => {
                let first = FIRST.map(|step| format!("      - '{}'\n", filled(step, random)));
                first.concat() + &writer.steps(6, 2, random)
            }
        };
        match random.below(8) {
            0 => more.procedures.push(steps),
            number => {
                let key = *random.one(&KEYS);
                let arms = &mut more.modes[number % 3];
                match arms.iter_mut().find(|(other, _)| *other == key) {
                    Some(arm) => arm.1 = steps,
                    None => arms.insert(random.below(arms.len() + 1), (key, steps)),
                }
            }
        }
        if let Some(found) = more.machine(tokenizer) {
            (table, machine) = (more, found);
        }
    }
    (table.text(), machine)
}

/// The phrases of the language.
struct Writer {
    steps: Vec<&'static str>,
    guards: Vec<&'static str>,
}

impl Writer {
    fn new() -> Self {
        let of = |kind: &str| {
            let entries = explain::entries().filter(|entry| entry.kind == kind);
            entries.map(|entry| entry.name).collect::<Vec<_>>()
        };
        let (mut steps, mut guards) = (of("step of a tree table"), of("guard of a tree table"));
        steps.extend(["append ELEMENT to NODE", "remove NODE from its parent node"]);
        guards.extend(["NODE is NODE", "NODE is not null", "NODE has a parent node"]);
        guards.extend(["NODE is TYPES", "NODE is not TYPES"]);
        Self { steps, guards }
    }

    /// A list of steps, indented by so many spaces.
    fn steps(&self, indent: usize, depth: usize, random: &mut Random) -> String {
        let mut lines = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (margin, inner) = (" ".repeat(indent), indent + 4);
            match random.below(8) {
                0 | 1 => {
                    let step = filled(random.one::<&str>(&LETS), random);
                    lines.push(format!("{margin}- '{step}'"));
                }
                2 if depth > 0 => {
                    let guard = self.guard(random);
                    lines.push(format!("{margin}- 'if {guard}':"));
                    lines.push(self.steps(inner, depth - 1, random));
                    if random.below(2) == 0 {
                        lines.push(format!("{margin}- otherwise:"));
                        lines.push(self.steps(inner, depth - 1, random));
                    }
                }
                3 if depth > 0 => {
                    let guard = self.guard(random);
                    lines.push(format!("{margin}- 'while {guard}':"));
                    lines.push(self.steps(inner, depth - 1, random));
                }
                4 => lines.push(format!("{margin}- procedure {}", random.below(2))),
                _ => {
                    let step = filled(random.one::<&str>(&self.steps), random);
                    lines.push(format!("{margin}- '{step}'"));
                }
            }
        }
        lines.join("\n")
    }

    fn guard(&self, random: &mut Random) -> String {
        let guard = filled(random.one::<&str>(&self.guards), random);
        match random.below(4) {
            0 => {
                let other = filled(random.one::<&str>(&self.guards), random);
                let word = *random.one(&["and", "or"]);
                format!("{guard} {word} {other}")
            }
            _ => guard,
        }
    }
}

/// A phrase with something in its holes, as it stands between single quotes.
fn filled(phrase: &str, random: &mut Random) -> String {
    let mut text = phrase.to_owned();
    // Fillers have holes, too; a text that grows is refused by the checker.
    for _ in 0..8 {
        let hole = FILLERS.iter().find_map(|(hole, fillers)| {
            let at = text.find(hole)?;
            Some((at, hole.len(), fillers))
        });
        let Some((at, len, fillers)) = hole else {
            break;
        };
        let filler = *random.one(fillers);
        text.replace_range(at..at + len, filler);
    }
    text.replace('\'', "''")
}
