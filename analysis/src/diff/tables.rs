//! What is different between two tables besides their states: preprocessing, references, numbers, tokens,
//! contents and error codes.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::{CharSet, display_char};
use speclex_codegen::machine::{FieldType, Machine};

use crate::say::characters;

/// Which part of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What happens to the input before the states see it.
    Preprocessing,
    /// The named character references.
    References,
    /// The numbers that stand for other code points.
    Numbers,
    /// Tokens, their kinds and fields.
    Tokens,
    /// The contents that a tokenizer can start in, and the questions it asks.
    Contents,
    /// The error codes.
    Codes,
}

impl Part {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preprocessing => "preprocessing",
            Self::References => "named character references",
            Self::Numbers => "numeric character references",
            Self::Tokens => "tokens",
            Self::Contents => "contents and questions",
            Self::Codes => "error codes",
        }
    }
}

/// A difference that is not in a state.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Where.
    pub part: Part,
    /// What it is about.
    pub what: String,
    /// What each table says; empty for nothing.
    pub sides: [String; 2],
    /// Inputs that should show it.
    pub(super) inputs: Vec<String>,
}

/// All of them.
pub(super) fn rows(one: &Machine, other: &Machine) -> Vec<TableRow> {
    let mut rows = Vec::new();
    preprocessing(one, other, &mut rows);
    references(one, other, &mut rows);
    numbers(one, other, &mut rows);
    tokens(one, other, &mut rows);
    lists(one, other, &mut rows);
    rows
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn preprocessing(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let (a, b) = (&one.preprocessing, &other.preprocessing);
    let mut row = |what: &str, sides: [String; 2], inputs: Vec<String>| {
        if sides[0] != sides[1] {
            rows.push(TableRow {
                part: Part::Preprocessing,
                what: what.to_owned(),
                sides,
                inputs,
            });
        }
    };
    row(
        "a leading byte order mark is dropped",
        [a, b].map(|p| yes_or_no(p.drop_bom)),
        vec!["\u{FEFF}".to_owned()],
    );
    row(
        "CR LF and CR become LF",
        [a, b].map(|p| yes_or_no(p.normalize_newlines)),
        vec!["\r".to_owned(), "\r\n".to_owned()],
    );
    let replaced: BTreeSet<char> = a
        .replace
        .iter()
        .chain(&b.replace)
        .map(|(c, _)| *c)
        .collect();
    for c in replaced {
        let with = |machine: &Machine| {
            let found = machine
                .preprocessing
                .replace
                .iter()
                .find(|(from, _)| *from == c);
            found.map_or("itself".to_owned(), |(_, to)| display_char(*to))
        };
        let what = format!("{} is seen as", display_char(c));
        row(&what, [with(one), with(other)], vec![c.to_string()]);
    }
    let set = |machine: &Machine| {
        let sets = machine.preprocessing.errors.iter().map(|(set, _)| set);
        sets.fold(CharSet::default(), |all, set| all.union(set))
    };
    let (ours, theirs) = (set(one), set(other));
    let inputs = |set: CharSet| -> Vec<String> {
        set.ranges()
            .iter()
            .take(4)
            .filter_map(|(c, _)| char::from_u32(*c))
            .map(String::from)
            .collect()
    };
    let shown = |set: &CharSet| {
        if set.is_empty() {
            "none".to_owned()
        } else {
            characters(set)
        }
    };
    let differ = ours.difference(&theirs).union(&theirs.difference(&ours));
    row(
        "characters that are errors",
        [shown(&ours), shown(&theirs)],
        inputs(differ),
    );
}

/// Names whose replacement, or absence, differs; each is tried.
fn references(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let maps = [one, other].map(|machine| {
        let all = machine.references.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
            .collect::<BTreeMap<_, _>>()
    });
    let names: BTreeSet<&str> = maps.iter().flat_map(|map| map.keys().copied()).collect();
    for name in names {
        let values = [0, 1].map(|side| maps[side].get(name).copied());
        if values[0] == values[1] {
            continue;
        }
        let shown = values.map(|value| match value {
            None => String::new(),
            Some(value) => value
                .chars()
                .map(display_char)
                .collect::<Vec<_>>()
                .join(" "),
        });
        rows.push(TableRow {
            part: Part::References,
            what: format!("&{name}"),
            sides: shown,
            inputs: vec![format!("&{name}")],
        });
    }
}

fn numbers(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let maps = [one, other].map(|machine| {
        machine
            .replacements
            .iter()
            .copied()
            .collect::<BTreeMap<_, _>>()
    });
    let numbers: BTreeSet<u32> = maps.iter().flat_map(|map| map.keys().copied()).collect();
    for number in numbers {
        let codes = [0, 1].map(|side| maps[side].get(&number).copied());
        if codes[0] == codes[1] {
            continue;
        }
        let shown = codes.map(|code| match code {
            None => String::new(),
            Some(code) => char::from_u32(code).map_or_else(|| format!("{code:#X}"), display_char),
        });
        rows.push(TableRow {
            part: Part::Numbers,
            what: format!("the number {number:#04X} stands for"),
            sides: shown,
            inputs: vec![format!("&#{number};"), format!("&#x{number:X};")],
        });
    }
}

fn tokens(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let describe = |machine: &Machine| {
        let tokens = machine.vocabulary.tokens.iter();
        let all = tokens.map(|token| {
            let kinds: Vec<&str> = token.kinds.iter().map(|kind| kind.name.as_str()).collect();
            let fields: Vec<String> = token
                .fields
                .iter()
                .map(|field| {
                    let ty = match field.ty {
                        FieldType::Text => "text",
                        FieldType::OptionalText => "text or missing",
                        FieldType::Flag => "flag",
                        FieldType::Attributes => "attributes",
                    };
                    format!("{} ({ty})", field.name)
                })
                .collect();
            (
                token.name.clone(),
                format!("kinds {}; fields {}", kinds.join(", "), fields.join(", ")),
            )
        });
        all.collect::<BTreeMap<_, _>>()
    };
    let maps = [describe(one), describe(other)];
    let names: BTreeSet<&String> = maps.iter().flat_map(BTreeMap::keys).collect();
    for name in names {
        let sides = [0, 1].map(|side| maps[side].get(name).cloned().unwrap_or_default());
        if sides[0] != sides[1] {
            rows.push(TableRow {
                part: Part::Tokens,
                what: format!("the {name} token"),
                sides,
                inputs: Vec::new(),
            });
        }
    }
}

fn lists(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let mut compare = |part: Part, what: &str, ours: &[String], theirs: &[String]| {
        let names: BTreeSet<&String> = ours.iter().chain(theirs).collect();
        for name in names {
            let sides = [ours, theirs].map(|list| yes_or_no(list.contains(name)));
            if sides[0] != sides[1] {
                rows.push(TableRow {
                    part,
                    what: format!("{what}{name}"),
                    sides,
                    inputs: Vec::new(),
                });
            }
        }
    };
    let (a, b) = (&one.vocabulary, &other.vocabulary);
    compare(Part::Contents, "content ", &a.contents, &b.contents);
    compare(Part::Contents, "question: ", &a.questions, &b.questions);
    // Where a side names no errors there is nothing to compare.
    let named = |machine: &Machine| {
        machine
            .errors
            .iter()
            .any(|code| code != super::codes::UNNAMED)
    };
    if named(one) && named(other) {
        compare(Part::Codes, "", &one.errors, &other.errors);
    } else if named(one) != named(other) {
        rows.push(TableRow {
            part: Part::Codes,
            what: "errors have names".to_owned(),
            sides: [named(one), named(other)].map(yes_or_no),
            inputs: Vec::new(),
        });
    }
}
