//! The identifiers of a module: each name of the table has one, and no two in one place have the same.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};

use super::super::machine::{CHARACTER, Holds, ModeId, Rules, State, Tokens, TreeMachine};
use crate::emit::names::{pascal, snake};

/// Names that the functions use themselves, and those of functions that each module has or imports.
#[rustfmt::skip]
const FUNCTIONS: [&str; 24] = [
    "b", "t", "e", "name", "names", "sets", "lower", "rules", "dispatch", "popped", "variables", "mode", "mode_name", "other_sets",
    "raised", "parse", "parse_fragment", "is_same", "node_of", "starts_with_any", "options", "it", "at", "step",
];

/// Types that each module has, beside those that it may import.
#[rustfmt::skip]
const TYPES: [&str; 19] = [
    "Builder", "Clone", "Copy", "Eq", "Fn", "Host", "Mode", "N", "Node", "None", "Option", "Others", "Parser", "PartialEq", "Place", "Rules", "S",
    "Some", "Variables",
];

/// What a module may import from the parts of builders.
#[rustfmt::skip]
pub(super) const OF_BUILDERS: &[&str] = &[
    "Builder as Shared", "ByteSet", "Content", "ContextDocumentMode", "Data", "Doctype", "DocumentMode", "Element", "Ends",
    "EndsByName", "Kind", "Location", "Name", "NameTable", "Origin", "Parts", "Position", "Rules as Contract", "ScopeEnds",
    "ScriptingFlag", "ScriptingMode", "Sets", "Sought", "Space", "Starts", "Token", "Type", "is_same", "node_of", "starts_with_any",
];

/// What it may import from the interface of sinks.
pub(super) const OF_SINKS: &[&str] = &[
    "AttributeName",
    "HostAnswer",
    "HtmlHost",
    "Options",
    "TagAttributes",
    "TreeSink",
];

/// What an item that is imported is called in the module.
pub(super) fn last_word(imported: &'static str) -> &'static str {
    imported.rsplit(' ').next().unwrap_or(imported)
}

/// The identifiers of what has a name in a table, but for bodies and names of elements.
pub(super) struct Idents {
    /// The variants of insertion modes.
    pub(super) variants: Vec<Ident>,
    /// The functions of their rules.
    pub(super) rules: Vec<Ident>,
    /// Those for tokens of a kind.
    pub(super) by_kind: BTreeMap<(ModeId, usize), Ident>,
    pub(super) conditions: Vec<Ident>,
    pub(super) quirks: Vec<Ident>,
    /// The functions of lists of names.
    pub(super) lists: Vec<Ident>,
    /// Of variables and questions: what sets them, their fields, the types of their words, and the variants of these.
    pub(super) setters: Vec<Ident>,
    pub(super) fields: Vec<Ident>,
    pub(super) types: Vec<Ident>,
    pub(super) words: Vec<Vec<Ident>>,
    /// All names of functions.
    pub(super) functions: BTreeSet<String>,
}

impl Idents {
    pub(super) fn new(machine: &TreeMachine) -> Self {
        let mut functions = BTreeSet::from(FUNCTIONS.map(str::to_owned));
        let mut function = |name: &str| unused(&mut functions, &snake(name), "_");
        let modes = || machine.modes.iter();
        let rules: Vec<_> = modes().map(|rules| function(&rules.name)).collect();
        let mut by_kind = BTreeMap::new();
        for (mode, rules) in modes().enumerate() {
            for (number, kind) in machine.kinds.iter().enumerate() {
                let kind = match number {
                    CHARACTER => "characters",
                    _ if named(rules, number).is_empty() => continue,
                    _ => &kind.name,
                };
                let ident = function(&format!("{} {kind}", rules.name));
                by_kind.insert((mode, number), ident);
            }
        }
        let conditions = machine.conditions.iter();
        let conditions = conditions.map(|it| function(&it.name)).collect();
        let quirks = machine.quirks.iter();
        let quirks = quirks.map(|(name, _)| function(&format!("matches {name}")));
        let quirks = quirks.collect();
        let lists = machine.names.iter().map(|list| function(&list.name));
        let lists = lists.collect();
        let states = || machine.states.iter();
        let setters = states().map(|state| function(&format!("set {}", state.name)));
        let setters = setters.collect();
        // No arm is called as if it took all tags.
        for rules in modes() {
            for kind in ["start tag", "end tag"] {
                functions.insert(snake(&format!("{} {kind}", rules.name)).to_string());
            }
        }
        let mut fields = BTreeSet::new();
        let fields = states().map(|state| unused(&mut fields, &snake(&state.name), "_"));
        let fields = fields.collect();
        let imported = OF_BUILDERS
            .iter()
            .chain(OF_SINKS)
            .map(|name| last_word(name));
        let types = TYPES.into_iter().chain(imported).map(str::to_owned);
        let mut types: BTreeSet<String> = types.collect();
        let types = states().map(|state| match state.is_known {
            // It is the runtime's.
            true => pascal(&state.name),
            false => unused(&mut types, &pascal(&state.name), ""),
        });
        let types = types.collect();
        let words = |state: &State| match &state.holds {
            Holds::Words(words) => distinct(words.iter().map(String::as_str)),
            Holds::Node | Holds::Truth => Vec::new(),
        };
        Self {
            variants: distinct(modes().map(|rules| rules.name.as_str())),
            rules,
            by_kind,
            conditions,
            quirks,
            lists,
            setters,
            fields,
            types,
            words: states().map(words).collect(),
            functions,
        }
    }
}

/// The names of the methods of hosts.
pub(super) struct Hosts {
    /// The trait that sinks have.
    pub(super) bound: Ident,
    /// Whether some are the runtime's.
    pub(super) has_known: bool,
    pub(super) steps: Vec<Ident>,
    /// By the numbers of variables and questions.
    pub(super) questions: Vec<Ident>,
    pub(super) properties: Vec<Ident>,
}

impl Hosts {
    pub(super) fn of(machine: &TreeMachine) -> Self {
        let steps = || machine.hosts.iter().map(|it| (&it.name, it.is_known));
        let states = || machine.states.iter().map(|it| (&it.name, it.is_known));
        let properties = || {
            let all = machine
                .properties
                .iter()
                .filter(|_| some_step_answers(machine));
            all.map(|(name, is_known)| (name, *is_known))
        };
        let all = steps().chain(properties());
        // What the runtime knows has its names.
        let known = all.clone().chain(states()).filter(|it| it.1);
        let mut taken: BTreeSet<String> = known.map(|it| snake(it.0).to_string()).collect();
        taken.insert("set_document_mode".to_owned());
        let mut method = |(name, is_known): (&String, bool)| match is_known {
            true => snake(name),
            false => unused(&mut taken, &snake(name), "_"),
        };
        let asked = machine.states.iter().filter(|it| it.is_asked);
        let (has_own, has_known) = (
            all.clone().any(|it| !it.1) || asked.clone().any(|it| !it.is_known),
            all.clone().any(|it| it.1),
        );
        Self {
            bound: match (has_own, has_known) {
                (true, _) => quote::format_ident!("Host"),
                (false, true) => quote::format_ident!("HtmlHost"),
                (false, false) => quote::format_ident!("TreeSink"),
            },
            has_known,
            steps: steps().map(&mut method).collect(),
            questions: states().map(&mut method).collect(),
            properties: properties().map(&mut method).collect(),
        }
    }
}

/// Whether a host step answers. Only then does an element get the properties that the host keeps for it.
fn some_step_answers(machine: &TreeMachine) -> bool {
    machine.hosts.iter().any(|it| it.answers)
}

/// Variants of these names.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Ident> {
    let mut taken = BTreeSet::new();
    names
        .map(|name| unused(&mut taken, &pascal(name), ""))
        .collect()
}

/// An identifier, with a number if it is taken.
pub(super) fn unused(taken: &mut BTreeSet<String>, wanted: &Ident, between: &str) -> Ident {
    let wanted = wanted.to_string();
    let mut name = wanted.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{}{between}{number}", wanted.trim_end_matches('_'));
    }
    Ident::new(&name, Span::call_site())
}

/// An item of the module: its name, if only other items use it, and what it is.
pub(super) type Item = (Option<Ident>, TokenStream);

/// The names of a kind that arms take by name, in the order of the table.
pub(super) fn named(rules: &Rules, kind: usize) -> Vec<&str> {
    let parts = rules.arms.iter().flat_map(|arm| &arm.takes);
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for part in parts {
        if let Tokens::Named(of, list) = &part.tokens
            && *of == kind
        {
            names.extend(
                list.iter()
                    .map(String::as_str)
                    .filter(|&name| seen.insert(name)),
            );
        }
    }
    names
}
