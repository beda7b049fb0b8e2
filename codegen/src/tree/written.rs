//! The table as typed.

use super::keys::{ERRATA, INSERTION_MODE, TOP};
use crate::diagnostic::{Code, Faults, Source, Span};
use crate::lexer::normal;
use crate::read::{At, Node, Yaml};
use crate::written::{Entry, Erratum, Reader, Steps, Text};

/// The whole table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) name: Option<Text>,
    pub(super) title: Option<Text>,
    pub(super) extends: Option<Text>,
    pub(super) section: Option<Text>,
    pub(super) tokenizer: Option<Text>,
    pub(super) called: Option<Text>,
    /// With their types.
    pub(super) variables: Vec<Entry<Text>>,
    pub(super) initial: Option<Text>,
    pub(super) procedures: Vec<Entry<Steps>>,
    pub(super) modes: Vec<Mode>,
    pub(super) errata: Vec<(Text, Erratum)>,
    /// Where faults of the table as a whole are shown.
    pub(super) at: At,
    /// The top-level keys it has, to tell a missing one from a faulty one.
    pub(super) keys: Vec<String>,
}

impl Table {
    /// What the table calls an insertion mode.
    pub(super) fn called(&self) -> &str {
        self.called
            .as_ref()
            .map_or(INSERTION_MODE, |word| &word.text)
    }
}

/// One insertion mode, or a change to one of the base.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) name: Text,
    pub(super) removed: bool,
    pub(super) arms: Vec<Arm>,
    pub(super) errata: Vec<(Text, Erratum)>,
}

/// One arm, or a change to one of the base.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) key: Text,
    /// The kinds of tokens it is for.
    pub(super) kinds: Vec<KindName>,
    /// `None` for `removed`.
    pub(super) steps: Option<Steps>,
}

/// One of the kinds in the key of an arm.
#[derive(Clone, Debug)]
pub(super) struct KindName {
    pub(super) text: String,
    pub(super) span: Span,
}

/// Reads a table from its nodes.
pub(super) fn table(node: &Node, source: &Source, faults: &mut Faults) -> Table {
    let mut reader = Reader {
        source,
        faults,
        lookups: 100,
    };
    let mut table = Table {
        at: node.at,
        ..Table::default()
    };
    for (key, value) in reader.known(node, node.at, "a tree construction table", TOP) {
        table.keys.push(key.text.clone());
        match key.text.as_str() {
            "tree" => table.name = reader.table_name(value),
            "title" => table.title = reader.name(value, "one line"),
            "source" => {
                reader.name(value, "one line");
            }
            "extends" => table.extends = reader.name(value, "the name of a table"),
            "section" => table.section = reader.name(value, "a section number"),
            "tokenizer" => table.tokenizer = reader.name(value, "the name of a table"),
            "called" => table.called = reader.name(value, "a word for an insertion mode"),
            "variables" => {
                table.variables = entries(
                    &mut reader,
                    value,
                    key.at,
                    "variables",
                    |reader, node, _| reader.name(node, "a type"),
                );
            }
            "initial insertion mode" => table.initial = reader.name(value, "an insertion mode"),
            "procedures" => {
                table.procedures = entries(
                    &mut reader,
                    value,
                    key.at,
                    "procedures",
                    |reader, node, at| Some(reader.steps(node, at)),
                );
            }
            "insertion modes" => {
                let modes = reader.map(value, key.at, "insertion modes");
                table.modes = modes
                    .into_iter()
                    .map(|(name, node)| mode(&mut reader, name, node))
                    .collect();
            }
            _ => table.errata = reader.errata(value, key.at),
        }
    }
    table
}

/// Named things, each read from its node; one that is refused is left out.
fn entries<T>(
    reader: &mut Reader<'_, '_>,
    node: &Node,
    at: At,
    what: &str,
    read: impl Fn(&mut Reader<'_, '_>, &Node, At) -> Option<T>,
) -> Vec<Entry<T>> {
    let mut entries = Vec::new();
    for (name, node) in reader.map(node, at, what) {
        reader.is_name(&name);
        let removed = Reader::is_removed(node);
        let value = if removed {
            None
        } else {
            read(reader, node, name.at)
        };
        if removed || value.is_some() {
            entries.push(Entry { name, value });
        }
    }
    entries
}

fn mode(reader: &mut Reader<'_, '_>, name: Text, node: &Node) -> Mode {
    reader.is_name(&name);
    let at = name.at;
    let mut mode = Mode {
        removed: Reader::is_removed(node),
        name,
        arms: Vec::new(),
        errata: Vec::new(),
    };
    if mode.removed {
        return mode;
    }
    for (key, value) in reader.map(node, at, "arms") {
        if key.text == ERRATA {
            mode.errata = reader.errata(value, key.at);
            continue;
        }
        let kinds = kinds(&key, reader.faults);
        let steps = (!Reader::is_removed(value)).then(|| reader.steps(value, key.at));
        mode.arms.push(Arm { key, kinds, steps });
    }
    if mode.arms.is_empty() && matches!(&node.value, Yaml::Map(_)) {
        let message = format!("`{}` has no arms", mode.name.text);
        reader
            .faults
            .add(Code::MissingBody, at, message)
            .help("the key of an arm is a kind of token: `comment: append a Comment node to the Document`");
    }
    mode
}

/// The kinds that a key names, separated by semicolons.
fn kinds(key: &Text, faults: &mut Faults) -> Vec<KindName> {
    let mut names = Vec::new();
    let mut start = 0;
    for part in key.text.split(';') {
        let lead = part.len() - part.trim_start().len();
        let text = normal(part);
        let span = key.span().part(start + lead, part.trim().len());
        start += part.len() + 1;
        if text.is_empty() {
            let message = "a kind of token is missing beside a semicolon";
            faults
                .add(Code::UnknownKind, key.span(), message)
                .help("write `start tag; empty tag: ...`");
        } else {
            names.push(KindName { text, span });
        }
    }
    names
}
