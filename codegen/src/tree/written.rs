//! The table as typed.

use super::keys::ERRATA;
use crate::check::is_phrase;
use crate::diagnostic::{Code, Faults, Source, Span};
use crate::lexer::normal;
use crate::read::{At, Node, Yaml};
use crate::written::{Erratum, KeyOf, Reader, Shape, Steps, Text, keys};

/// The whole table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) name: Option<Text>,
    pub(super) title: Option<Text>,
    pub(super) extends: Option<Text>,
    pub(super) section: Option<Text>,
    pub(super) tokenizer: Option<Text>,
    pub(super) initial: Option<Text>,
    pub(super) phases: Vec<Phase>,
    pub(super) errata: Vec<(Text, Erratum)>,
    /// Where faults of the table as a whole are shown.
    pub(super) at: At,
    /// The top-level keys it has, to tell a missing one from a faulty one.
    pub(super) keys: Vec<String>,
}

/// One phase, or a change to one of the base.
#[derive(Clone, Debug)]
pub(super) struct Phase {
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
        is_phrase,
        lookups: 100,
    };
    let mut table = Table {
        at: node.at,
        ..Table::default()
    };
    let known = reader.known(node, node.at, "a tree construction table", TOP);
    table.keys = known.iter().map(|(key, _)| key.text.clone()).collect();
    reader.fill(known, TOP, &mut table);
    table
}

/// The keys of the top level.
pub(super) const TOP: &[KeyOf<Table>] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "tree": Shape::Text, "tree: my-tree" => |r, t, node, _| t.name = r.table_name(node);
    /// One line for people.
    "title": Shape::Text, "title: Trees" => |r, t, node, _| t.title = r.name(node, "one line");
    /// Where the text comes from. Information.
    "source": Shape::Text, "source: https://example.org/page.html" => |r, _, node, _| drop(r.name(node, "one line"));
    /// The name, or relative path, of a base table.
    "extends": Shape::Text, "extends: xml5-tree" => |r, t, node, _| t.extends = r.name(node, "the name of a table");
    /// The number of the section.
    "section": Shape::Text, "section: 5.2" => |r, t, node, _| t.section = r.name(node, "a section number");
    /// The table whose tokens it takes; not taken over from a base.
    "tokenizer": Shape::Text, "tokenizer: xml5" => |r, t, node, _| t.tokenizer = r.name(node, "the name of a table");
    /// The phase that takes the first token.
    "initial phase": Shape::Text, "initial phase: start" => |r, t, node, _| t.initial = r.name(node, "a phase");
    /// The phases, in the order of the text.
    "phases": Shape::Named(&Shape::Defined("arms")), "phases: {start: {anything else: ignore}}"
        => |r, t, node, key| {
            let phases = r.map(node, key.at, "phases").into_iter();
            t.phases = phases.map(|(name, node)| phase(r, name, node)).collect();
        };
    /// Ambiguities and slips of the text that concern a top-level key or a phrase.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {phases: {says: may, does: it does}}"
        => |r, t, node, key| t.errata = r.errata(node, key.at);
};

fn phase(reader: &mut Reader<'_, '_>, name: Text, node: &Node) -> Phase {
    reader.is_name(&name);
    let at = name.at;
    let mut phase = Phase {
        removed: Reader::is_removed(node),
        name,
        arms: Vec::new(),
        errata: Vec::new(),
    };
    if phase.removed {
        return phase;
    }
    for (key, value) in reader.map(node, at, "arms") {
        if key.text == ERRATA {
            phase.errata = reader.errata(value, key.at);
            continue;
        }
        let kinds = kinds(&key, reader.faults);
        let steps = (!Reader::is_removed(value)).then(|| reader.steps(value, key.at));
        phase.arms.push(Arm { key, kinds, steps });
    }
    if phase.arms.is_empty() && matches!(&node.value, Yaml::Map(_)) {
        reader
            .faults
            .add(Code::MissingBody, at, "the phase has no arms")
            .help("the key of an arm is a kind of token: `comment: append a Comment node to the Document`");
    }
    phase
}

/// The kinds that a key names, separated by commas.
fn kinds(key: &Text, faults: &mut Faults) -> Vec<KindName> {
    let mut names = Vec::new();
    let mut start = 0;
    for part in key.text.split(',') {
        let lead = part.len() - part.trim_start().len();
        let text = normal(part);
        let span = key.span().part(start + lead, part.trim().len());
        start += part.len() + 1;
        if text.is_empty() {
            let message = "a kind of token is missing beside a comma";
            faults
                .add(Code::UnknownKind, key.span(), message)
                .help("write `start tag, empty tag: ...`");
        } else {
            names.push(KindName { text, span });
        }
    }
    names
}
