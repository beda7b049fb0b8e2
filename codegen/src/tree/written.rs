//! The table as typed.

use super::arm_key::{self, KeyPart};
use super::keys::{FOREIGN_CONTENT, INSERTION_MODE};
use crate::diagnostic::Code;
use crate::read::{At, Node, Yaml};
use crate::written::{
    Entry, Erratum, KeyOf, Reader, RegisterType, Shape, Steps, Text, example_of, is_branch, keys,
    sections,
};
use std::collections::HashSet;

/// The whole table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(super) name: Option<Text>,
    pub(super) title: Option<Text>,
    pub(super) extends: Option<Text>,
    pub(super) section: Option<Text>,
    pub(super) tokenizer: Option<Text>,
    /// That of the nearest base which names one, for a message.
    pub(super) tokenizer_of_base: Option<Text>,
    pub(super) called: Option<Text>,
    /// With their types.
    pub(super) variables: Vec<Entry<RegisterType>>,
    pub(super) questions: Vec<Entry<RegisterType>>,
    pub(super) properties: Vec<Entry<Text>>,
    /// With what each is given.
    pub(super) hosts: Vec<Entry<Vec<Text>>>,
    pub(super) conditions: Vec<Entry<Text>>,
    pub(super) classes: Vec<Entry<Vec<Text>>>,
    pub(super) sets: Vec<Entry<Vec<Text>>>,
    pub(super) scopes: Vec<Entry<Scope>>,
    pub(super) popping: Vec<Entry<Steps>>,
    pub(super) hot: Option<Vec<Text>>,
    pub(super) dispatcher: Option<Steps>,
    pub(super) names: Vec<Entry<Vec<Renaming>>>,
    pub(super) quirks: Vec<Entry<Vec<Entry<Vec<Text>>>>>,
    pub(super) fragments: Option<Fragments>,
    pub(super) initial: Option<Text>,
    pub(super) procedures: Vec<Entry<Steps>>,
    pub(super) modes: Vec<Mode>,
    /// The rules that are no insertion mode.
    pub(super) foreign: Option<Mode>,
    pub(super) errata: Vec<(Text, Erratum)>,
    /// Where faults of the table as a whole are shown.
    pub(super) at: At,
    /// The top-level keys it has, to tell a missing one from a faulty one.
    pub(super) keys: Vec<String>,
}

sections! { Table,
    /// The keys of a tree construction table that declare names.
    Sections {
        Variable(variables): "variables", "variable", UnusedVariable;
        Question(questions): "questions", "question", UnusedVariable;
        Property(properties): "properties", "property", UnusedVariable;
        HostStep(hosts): "host steps", "host step", UnusedProcedure;
        Condition(conditions): "conditions", "condition", UnusedCondition;
        Class(classes): "classes", "class";
        ElementType(sets): "sets of elements", "set of elements", UnusedClass;
        Scope(scopes): "scopes", "scope", UnusedClass;
        Popping(popping): "elements with steps on popping", "element with steps on popping";
        Names(names): "lists of names", "list of names", UnusedClass;
        Quirks(quirks): "document modes with conditions", "document mode with conditions", UnusedClass;
        Procedure(procedures): "procedures", "procedure", UnusedProcedure;
    }
}

/// A name, and what it becomes: a name, or prefix, local name and namespace.
pub(super) type Renaming = (Text, Vec<Text>);

/// A scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(super) all_except: bool,
    pub(super) names: Vec<Text>,
}

/// How a fragment is parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fragments {
    pub(super) contents: Vec<(Text, Vec<Text>)>,
    pub(super) steps: Option<Steps>,
    pub(super) result: Option<Text>,
}

impl Table {
    /// What the table calls an insertion mode.
    pub(super) fn called(&self) -> &str {
        self.called
            .as_ref()
            .map_or(INSERTION_MODE, |word| &word.text)
    }

    /// All rules: the insertion modes, and what is none.
    pub(super) fn rules(&self) -> impl Iterator<Item = &Mode> + Clone {
        self.modes.iter().chain(&self.foreign)
    }
}

/// One insertion mode, or a change to one of the base.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    pub(super) name: Text,
    pub(super) removed: bool,
    pub(super) section: Option<Text>,
    pub(super) after: Option<Text>,
    pub(super) arms: Vec<Arm>,
    pub(super) errata: Vec<(Text, Erratum)>,
}

/// One arm, or a change to one of the base.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) key: Text,
    pub(super) parts: Vec<KeyPart>,
    /// `None` for `removed`.
    pub(super) steps: Option<Steps>,
}

/// Reads a table from its nodes.
pub(super) fn table(reader: &mut Reader<'_, '_>, node: &Node) -> Table {
    reader.has_loops = true;
    let mut table = Table {
        at: node.at,
        ..Table::default()
    };
    let other = [
        "a tokenizer, and no parser can be made of it",
        "`speclex::tokenizer!` and `speclex gen` make a tokenizer",
    ];
    if !reader.is_of(node, ["tree", "table"], other) {
        return table;
    }
    let known = reader.known(node, node.at, "a tree construction table", TOP);
    table.keys = known.iter().map(|(key, _)| key.text.clone()).collect();
    reader.fill(known, TOP, &mut table);
    table
}

const STEPS: Shape = Shape::Defined("tree-steps");
const MODE_OF_TABLE: Shape = Shape::Defined("insertion-mode");
const TEXTS: Shape = Shape::List(&Shape::Text);
const REMOVED: Shape = Shape::OneOf(&["removed"]);
/// The words of a flag, or the name of a type; a list, or that the base's is removed.
const TYPE: Shape = Shape::Any(&[Shape::Text, TEXTS]);

/// The keys of the top level.
pub(crate) const TOP: &[KeyOf<Table>] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "tree": Shape::Text, "tree: my-tree" => |r, t, node, _| t.name = r.table_name(node);
    /// One line for people.
    "title": Shape::Text, "title: Trees" => |r, t, node, _| t.title = r.name(node, "one line");
    /// Where the text comes from. Information.
    "source": Shape::Text, "source: https://example.org/page.html" => |r, _, node, _| drop(r.name(node, "one line"));
    /// The file of the text that the table was written from. Information.
    "text": Shape::Named(&Shape::Text), "text: {file: page.txt}" => |r, _, node, key| drop(r.pairs(node, key.at, "what is said of the text"));
    /// The name, or relative path, of a base table.
    "extends": Shape::Text, "extends: base-tree" => |r, t, node, _| t.extends = r.name(node, "the name of a table");
    /// The number of the section.
    "section": Shape::Defined("section"), "section: 5.2" => |r, t, node, _| t.section = r.name(node, "a section number");
    /// The table whose tokens it takes; not taken over from a base.
    "tokenizer": Shape::Text, "tokenizer: my-table" => |r, t, node, _| t.tokenizer = r.name(node, "the name of a table");
    /// What the text calls an insertion mode, if it has another word: `phase`.
    "called": Shape::Text, "called: phase" => |r, t, node, _| t.called = r.name(node, "a word for an insertion mode");
    /// What tree construction remembers from token to token, each variable with its type, or a flag with its words.
    "variables": Shape::Named(&TYPE), "variables: {stack of open elements: stack of elements}"
        => |r, t, node, key| t.variables = r.entries(node, key.at, "variables", Reader::register);
    /// What the host answers: `yes or no`, `element`, or words.
    "questions": Shape::Named(&TYPE), "questions: {scripting is enabled: yes or no}"
        => |r, t, node, key| t.questions = r.entries(node, key.at, "questions", Reader::register);
    /// What the DOM keeps with an element.
    "properties": Shape::Named(&Shape::Text), "properties: {insertion target: element}"
        => |r, t, node, key| t.properties = r.entries(node, key.at, "properties", |r, node, _| r.name(node, "a type"));
    /// Steps that the host runs, each with what it is given; `answers` if it says yes or no, `may pause` if the parser may
    /// have to wait for it.
    "host steps": Shape::Named(&TYPE), "host steps: {run the script: [element, may pause]}"
        => |r, t, node, key| t.hosts = r.entries(node, key.at, "host steps", |r, node, _| Some(r.names(node, "what it is given")));
    /// Guards with a name.
    "conditions": Shape::Named(&Shape::Defined("tree-guard")), "conditions: {something is open: the stack of open elements is not empty}"
        => |r, t, node, key| t.conditions = r.entries(node, key.at, "conditions", |r, node, _| r.text(node, "a guard"));
    /// Sets of characters.
    "classes": Shape::Named(&TYPE), "classes: {white space: [U+0009, U+0020]}"
        => |r, t, node, key| t.classes = r.entries(node, key.at, "classes", |r, node, _| Some(r.texts(node, "a character set")));
    /// Sets of elements.
    "element types": Shape::Named(&TYPE), "element types: {formatting: [a, b, SVG font]}"
        => |r, t, node, key| t.sets = r.entries(node, key.at, "element types", |r, node, _| Some(r.texts(node, "an element")));
    /// Where a search of the stack of open elements ends: at these elements, or at `all except` these.
    "scopes": Shape::Named(&Shape::Any(&[TYPE, Shape::Named(&TEXTS)])), "scopes: {table scope: [html, table]}"
        => |r, t, node, key| t.scopes = r.entries(node, key.at, "scopes", scope);
    /// Steps for each element of a type that is popped, by its name.
    "on popping": Shape::Any(&[Shape::Named(&STEPS), REMOVED]), "on popping: {option: maybe clone it given the popped element}"
        => |r, t, node, key| {
            // `removed` takes them all from the base; it is in the list of keys.
            if !Reader::is_removed(node) {
                t.popping = r.entries(node, key.at, "elements", |r, node, at| Some(r.steps(node, at)));
            }
        };
    /// The start tags that documents mostly have. A builder inserts their elements at once where the rules do no more. Does not change what
    /// the builder does.
    "hot": TEXTS, "hot: [a, div, li, span]"
        => |r, t, node, _| {
            let hot = r.names(node, "a tag name");
            r.distinct(&hot);
            t.hot = Some(hot);
        };
    /// What every token comes to first.
    "tree construction dispatcher": STEPS, "tree construction dispatcher: process the token using the rules for the current insertion mode"
        => |r, t, node, key| t.dispatcher = Some(r.steps(node, key.at));
    /// Lists of steps that have a name, which is a phrase then. Words in capitals are holes.
    "procedures": Shape::Named(&STEPS), "procedures: {end here: [parse error, switch to \"end\"]}"
        => |r, t, node, key| {
            t.procedures = r.entries(node, key.at, "procedures", |r, node, at| Some(r.steps(node, at)));
        };
    /// What names become: a name, or prefix, local name and namespace.
    "names": Shape::Named(&Shape::Any(&[Shape::Named(&TYPE), REMOVED])), "names: {SVG attributes: {viewbox: viewBox, xml:lang: [xml, lang, XML]}}"
        => |r, t, node, key| t.names = r.entries(node, key.at, "lists of names", |r, node, at| {
            let map = r.map(node, at, "names").into_iter();
            Some(map.map(|(key, node)| { let to = r.names(node, "a name"); (key, to) }).collect())
        });
    /// What a DOCTYPE must have for a document mode: conditions by their beginnings.
    "quirks": Shape::Named(&Shape::Any(&[Shape::Named(&TYPE), REMOVED])), "quirks: {quirks: {the name is not: [html]}}"
        => |r, t, node, key| t.quirks = r.entries(node, key.at, "document modes", |r, node, at| {
            Some(r.entries(node, at, "conditions", |r, node, _| Some(r.texts(node, "a text"))))
        });
    /// How a fragment is parsed: `contents` of the tokenizer by context elements, `steps` before the first token, and the
    /// `result`.
    "fragments": Shape::Defined("fragments"), "fragments: {contents: {RCDATA: [title]}, steps: stop parsing, result: the child nodes of the Document}"
        => |r, t, node, key| t.fragments = Some(fragments(r, node, key.at));
    /// The insertion mode that takes the first token.
    "initial insertion mode": Shape::Text, "initial insertion mode: start"
        => |r, t, node, _| t.initial = r.name(node, "an insertion mode");
    /// The insertion modes, in the order of the text.
    "insertion modes": Shape::Named(&MODE_OF_TABLE),
        "insertion modes: {main: {end-of-file: stop parsing, anything else: ignore the token}}"
        => |r, t, node, key| {
            let map = r.map(node, key.at, "insertion modes");
            let is_arm = |_: &str, value: &Node| !matches!(value.value, Yaml::Map(_)) && !Reader::is_removed(value);
            let modes = r.indented(map, |_, _| false, is_arm).into_iter();
            t.modes = modes.map(|(name, node)| mode(r, name, node)).collect();
        };
    /// The arms of rules that are no insertion mode.
    "foreign content": MODE_OF_TABLE, "foreign content: {anything else: ignore the token}"
        => |r, t, node, key| t.foreign = Some(mode(r, Text { text: FOREIGN_CONTENT.to_owned(), at: key.at }, node));
    /// Ambiguities and slips of the text that concern a top-level key, a phrase or a procedure.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {insertion modes: {says: may, does: it does}}"
        => |r, t, node, key| t.errata = r.errata(node, key.at);
};

/// What stands in an insertion mode and is no arm.
pub(crate) const MODE: &[KeyOf<Mode>] = keys! {
    /// The number of the section. Without it that is the number after the one of the insertion mode before, or else the table's.
    "section": Shape::Defined("section"), "section: 13.2.6.4.1" => |r, m, node, _| m.section = section(r, node);
    /// In a new insertion mode of an extending table: the one that it follows.
    "after": Shape::Text, "after: in cell" => |r, m, node, _| m.after = r.name(node, "an insertion mode");
    /// Ambiguities and slips of the text, by the keys of arms; that of the mode as a whole is the word for an insertion mode.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {comment token: {says: may, does: it does}}"
        => |r, m, node, key| m.errata = r.errata(node, key.at);
};

/// What stands in `fragments`.
pub(crate) const FRAGMENTS: &[KeyOf<Fragments>] = keys! {
    /// In which content the tokenizer starts, by the name of the context element.
    "contents": Shape::Named(&TEXTS), "contents: {RCDATA: [title, textarea]}"
        => |r, t, node, key| {
            let map = r.map(node, key.at, "contents").into_iter();
            t.contents = map.map(|(key, node)| { let names = r.texts(node, "an element"); (key, names) }).collect();
        };
    /// What is done before the first token.
    "steps": STEPS, "steps: push root onto the stack of open elements" => |r, t, node, key| t.steps = Some(r.steps(node, key.at));
    /// The nodes that are the result.
    "result": Shape::Text, "result: the child nodes of the Document" => |r, t, node, _| t.result = r.name(node, "nodes");
};

fn fragments(reader: &mut Reader<'_, '_>, node: &Node, at: At) -> Fragments {
    let mut fragments = Fragments::default();
    let known = reader.known(node, at, "`fragments`", FRAGMENTS);
    reader.fill(known, FRAGMENTS, &mut fragments);
    fragments
}

fn scope(reader: &mut Reader<'_, '_>, node: &Node, at: At) -> Option<Scope> {
    let Yaml::Map(_) = node.value else {
        let names = reader.texts(node, "an element or a scope");
        return Some(Scope {
            all_except: false,
            names,
        });
    };
    let mut scope = Scope {
        all_except: true,
        names: Vec::new(),
    };
    const EXCEPT: &[KeyOf<Scope>] = keys! {
        /// The elements at which the search does not end.
        "all except": TEXTS, "all except: [optgroup, option]" => |r, t, node, _| t.names = r.texts(node, "an element");
    };
    let known = reader.known(node, at, "a scope", EXCEPT);
    reader.fill(known, EXCEPT, &mut scope);
    Some(scope)
}

/// Whether keys of arms stand below an arm, which is a mode then.
fn has_arms(node: &Node) -> bool {
    let is_kind = |key: &str| {
        key.starts_with(char::is_lowercase) && !is_branch(key) && !key.starts_with("while ")
    };
    let is_arm = |(key, _): &(Node, Node)| key.text().is_some_and(is_kind);
    matches!(&node.value, Yaml::Map(entries) if entries.iter().any(is_arm))
}

/// A key with nothing, before an arm that the mode has already: the name of another mode.
fn head_below(node: &Node) -> Option<&Node> {
    let Yaml::Map(entries) = &node.value else {
        return None;
    };
    let is_nothing = |(_, value): &(Node, Node)| value.value == Yaml::Null;
    let (before, after) = entries.split_at(entries.iter().position(is_nothing)?);
    let (head, after) = after.split_first()?;
    let before: HashSet<&str> = before.iter().filter_map(|(key, _)| key.text()).collect();
    let is_again = |(key, _): &(Node, Node)| key.text().is_some_and(|key| before.contains(key));
    after.iter().any(is_again).then_some(&head.0)
}

/// How a key could stand in a table.
pub(super) fn example(key: &str) -> Option<&'static str> {
    example_of(TOP, key)
}

/// The number of a section. Steps are meant for tokens that are called so.
fn section(reader: &mut Reader<'_, '_>, node: &Node) -> Option<Text> {
    let is_number = match &node.value {
        Yaml::List(_) | Yaml::Map(_) => false,
        Yaml::Text(text) => !text.trim().contains(' '),
        _ => true,
    };
    let what = "a section number";
    if is_number {
        return reader.name(node, what);
    }
    let help = "the key of an arm for tokens called `section` is `section token: ignore the token`";
    reader.wrong_type(node, node.at, what).help(help);
    None
}

fn mode(reader: &mut Reader<'_, '_>, name: Text, node: &Node) -> Mode {
    reader.is_name(&name);
    let at = name.at;
    let mut mode = Mode {
        removed: Reader::is_removed(node),
        name,
        section: None,
        after: None,
        arms: Vec::new(),
        errata: Vec::new(),
    };
    if mode.removed {
        return mode;
    }
    if let Some(head) = head_below(node) {
        reader.too_deep(head.text().unwrap_or_default(), head.at, INSERTION_MODE);
        return mode;
    }
    let map = reader.map(node, at, "arms");
    for (key, value) in reader.fill(map, MODE, &mut mode) {
        if has_arms(value) {
            reader.too_deep(&key.text, key.at, INSERTION_MODE);
            continue;
        }
        let parts = arm_key::parts(&key, reader.faults);
        let steps = (!Reader::is_removed(value)).then(|| reader.steps(value, key.at));
        mode.arms.push(Arm { key, parts, steps });
    }
    if mode.arms.is_empty() && mode.errata.is_empty() && matches!(&node.value, Yaml::Map(_)) {
        let message = format!("`{}` has no arms", mode.name.text);
        reader
            .faults
            .add(Code::MissingBody, at, message)
            .help("the key of an arm is a kind of token: `comment: append a Comment node to the Document`");
    }
    mode
}
