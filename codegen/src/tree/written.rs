//! The table as typed.

use super::keys::{ERRATA, INSERTION_MODE};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::normal;
use crate::read::{At, Node, Yaml};
use crate::written::{Entry, Erratum, KeyOf, Reader, Shape, Steps, Text, keys};

/// The whole table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
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
pub(super) fn table(reader: &mut Reader<'_, '_>, node: &Node) -> Table {
    let mut table = Table {
        at: node.at,
        ..Table::default()
    };
    let known = reader.known(node, node.at, "a tree construction table", TOP);
    table.keys = known.iter().map(|(key, _)| key.text.clone()).collect();
    reader.fill(known, TOP, &mut table);
    table
}

const STEPS: Shape = Shape::Defined("steps");

/// The keys of the top level.
pub(crate) const TOP: &[KeyOf<Table>] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "tree": Shape::Text, "tree: my-tree" => |r, t, node, _| t.name = r.table_name(node);
    /// One line for people.
    "title": Shape::Text, "title: Trees" => |r, t, node, _| t.title = r.name(node, "one line");
    /// Where the text comes from. Information.
    "source": Shape::Text, "source: https://example.org/page.html" => |r, _, node, _| drop(r.name(node, "one line"));
    /// The name, or relative path, of a base table.
    "extends": Shape::Text, "extends: base-tree" => |r, t, node, _| t.extends = r.name(node, "the name of a table");
    /// The number of the section.
    "section": Shape::Text, "section: 5.2" => |r, t, node, _| t.section = r.name(node, "a section number");
    /// The table whose tokens it takes; not taken over from a base.
    "tokenizer": Shape::Text, "tokenizer: my-table" => |r, t, node, _| t.tokenizer = r.name(node, "the name of a table");
    /// What the text calls an insertion mode, if it has another word: `phase`.
    "called": Shape::Text, "called: phase" => |r, t, node, _| t.called = r.name(node, "a word for an insertion mode");
    /// What tree construction remembers from token to token, each variable with its type.
    "variables": Shape::Named(&Shape::OneOf(&["insertion mode", "stack of elements", "removed"])),
        "variables: {stack of open elements: stack of elements}"
        => |r, t, node, key| t.variables = r.entries(node, key.at, "variables", |r, node, _| r.name(node, "a type"));
    /// The insertion mode that takes the first token.
    "initial insertion mode": Shape::Text, "initial insertion mode: start"
        => |r, t, node, _| t.initial = r.name(node, "an insertion mode");
    /// Lists of steps that have a name, which is a phrase then.
    "procedures": Shape::Named(&STEPS), "procedures: {end here: [parse error, switch to end]}"
        => |r, t, node, key| {
            t.procedures = r.entries(node, key.at, "procedures", |r, node, at| Some(r.steps(node, at)));
        };
    /// The insertion modes, in the order of the text.
    "insertion modes": Shape::Named(&Shape::Named(&STEPS)),
        "insertion modes: {main: {end-of-file: stop parsing, anything else: ignore the token}}"
        => |r, t, node, key| {
            let modes = r.map(node, key.at, "insertion modes").into_iter();
            t.modes = modes.map(|(name, node)| mode(r, name, node)).collect();
        };
    /// Ambiguities and slips of the text that concern a top-level key, a phrase or a procedure.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {insertion modes: {says: may, does: it does}}"
        => |r, t, node, key| t.errata = r.errata(node, key.at);
};

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
