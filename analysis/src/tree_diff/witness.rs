//! A document that shows a change, and what it is parsed for.

use speclex_codegen::tree::TreeMachine;

use crate::tree::errors::merged;
use crate::tree::{Context, Environment, Node, Parsed, Refusal, Scripting};

/// What a table makes of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The tree in html5lib's form; a fault of the table, if its rules run for ever.
    pub tree: String,
    /// The host steps that run, each with the names of the elements that it is given.
    pub host_calls: Vec<String>,
    /// The errors, each with its place.
    pub errors: Vec<String>,
}

impl Outcome {
    pub(crate) fn of(tree: &TreeMachine, parsed: &Result<Parsed, Refusal>, input: &str) -> Self {
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(fault) => {
                return Self {
                    tree: fault.to_string(),
                    host_calls: Vec::new(),
                    errors: Vec::new(),
                };
            }
        };
        let calls = parsed.host_calls.iter().map(|(host, node)| {
            let host = tree.hosts.get(*host).map_or("", |host| &host.name);
            match node.map(|node| parsed.tree.node(node)) {
                Some(Node::Element(element)) => format!("{host}: {}", element.name),
                Some(_) => format!("{host}: another node"),
                None => format!("{host}: null"),
            }
        });
        let errors = merged(tree, input, &parsed.tokenizer_errors, &parsed.tree_errors);
        let errors = errors.iter().map(|error| {
            let position = error.position;
            format!("{}:{} {}", position.line, position.column, error.code)
        });
        Self {
            tree: parsed.tree.dump(),
            host_calls: calls.collect(),
            errors: errors.collect(),
        }
    }
}

/// A document that shows a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The document, or the fragment.
    pub input: String,
    /// The context element of a fragment, in html5lib's form.
    pub context: Option<String>,
    /// Whether scripts run, and how.
    pub scripting: Scripting,
    /// Whether declarative shadow roots are allowed.
    pub has_shadow_roots: bool,
    /// What each table makes of it.
    pub outcomes: [Outcome; 2],
    /// Whether the change alone makes a difference: a table with only this change of the other one differs, too. Where no such
    /// table can be made, other changes may have a part in it.
    pub is_alone: bool,
    /// How many other changes the document comes across, if they may have a part in it.
    pub(super) others: usize,
}

impl Witness {
    /// What it is parsed for, one of these but for scripting and shadow roots.
    pub(super) fn setting<'c>(&self, settings: &[Setting<'c>]) -> Setting<'c> {
        let mut contexts = settings.iter().filter_map(|it| it.context);
        Setting {
            context: contexts.find(|it| Some(*it) == self.context.as_deref()),
            scripting: self.scripting,
            has_shadow_roots: self.has_shadow_roots,
        }
    }

    /// Whether it shows in more than errors.
    pub(super) fn shows_in_tree(&self) -> bool {
        let [one, other] = &self.outcomes;
        one.tree != other.tree || one.host_calls != other.host_calls
    }

    /// The less, the better.
    pub(super) fn rank(&self) -> (usize, bool, bool, bool, bool, usize, &str) {
        (
            self.others,
            !self.shows_in_tree(),
            self.outcomes[0].tree == self.outcomes[1].tree,
            self.context.is_some(),
            self.scripting != Scripting::Disabled || self.has_shadow_roots,
            self.input.len(),
            &self.input,
        )
    }
}

/// Context elements of fragments that are tried.
pub(crate) const CONTEXTS: [&str; 10] = [
    "select",
    "template",
    "td",
    "div",
    "svg desc",
    "tr",
    "table",
    "html",
    "frameset",
    "math annotation-xml",
];

/// Those that are tried for changes of the insertion mode in which they start.
pub(super) const MORE_CONTEXTS: [&str; 10] = [
    "tbody",
    "caption",
    "colgroup",
    "head",
    "body",
    "option",
    "svg svg",
    "svg foreignObject",
    "math math",
    "math mi",
];

/// Those that decide in which content the tokenizer starts.
pub(super) const CONTENT_CONTEXTS: [&str; 10] = [
    "title",
    "textarea",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "script",
    "noscript",
    "plaintext",
];

/// What a document is parsed for, as far as it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Setting<'c> {
    pub(super) context: Option<&'c str>,
    pub(super) scripting: Scripting,
    pub(super) has_shadow_roots: bool,
}

impl Setting<'_> {
    /// A document without scripts.
    pub(super) const PLAIN: Self = Self {
        context: None,
        scripting: Scripting::Disabled,
        has_shadow_roots: false,
    };

    pub(super) fn environment(self) -> Environment {
        Environment {
            scripting: self.scripting,
            context: self.context.map(Context::parse),
            has_shadow_roots: self.has_shadow_roots,
            ..Environment::default()
        }
    }
}
