//! The host of a tree: it answers the questions of tables and runs their host steps. Their names stand in this file only.

use std::collections::BTreeMap;

use speclex_codegen::tree::machine::{Holds, Space, State, TreeMachine};

use super::arena::{Attribute, Node, NodeId, Tree};
use super::slot::Slot;

/// What a document is parsed for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The scripting mode.
    pub scripting: Scripting,
    /// The element that a fragment is parsed for; a document without one.
    pub context: Option<Context>,
    /// The mode of the document in which the context element is.
    pub context_mode: ContextMode,
    /// Whether the document is that of an `iframe` element's `srcdoc` attribute.
    pub is_srcdoc: bool,
    /// Whether declarative shadow roots are allowed, and can be attached.
    pub has_shadow_roots: bool,
    /// Whether a byte order mark at the start is skipped, as who decodes bytes does. Offsets count it.
    pub skip_bom: bool,
}

/// Whether scripts run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scripting {
    /// They run.
    Normal,
    /// There is no scripting: `noscript` elements have elements inside.
    #[default]
    Disabled,
    /// They do not run, but `noscript` elements have text inside: `innerHTML`.
    Inert,
    /// They run once they are inserted into a document: `createContextualFragment`.
    Fragment,
}

/// The mode of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContextMode {
    /// It has a DOCTYPE of today.
    #[default]
    NoQuirks,
    /// It has one that wants some old rules.
    LimitedQuirks,
    /// It has none, or one that wants all old rules.
    Quirks,
}

/// An element for which a fragment is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Its namespace.
    pub space: Space,
    /// Its local name.
    pub name: String,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

impl Context {
    /// The element of html5lib's form: `div`, `svg path`, `math mi`.
    ///
    /// ```
    /// let context = speclex_analysis::tree::Context::parse("svg path");
    /// assert_eq!((context.space.as_str(), context.name.as_str()), ("SVG", "path"));
    /// ```
    pub fn parse(text: &str) -> Self {
        let (space, name) = match text.split_once(' ') {
            Some(("svg", name)) => (Space::Svg, name),
            Some(("math", name)) => (Space::MathMl, name),
            _ => (Space::Html, text),
        };
        Self {
            space,
            name: name.to_owned(),
            attributes: Vec::new(),
        }
    }
}

impl Environment {
    /// The answer to a question, or what a variable holds at first.
    pub(super) fn value(&self, state: &State, context: Option<NodeId>) -> Slot {
        let word = match (state.is_asked, state.name.as_str()) {
            (true, "context element") => return context.map_or(Slot::Null, Slot::Node),
            (true, "the document is an iframe srcdoc document") => {
                return Slot::Truth(self.is_srcdoc);
            }
            (true, "declarative shadow roots are allowed") => {
                return Slot::Truth(self.has_shadow_roots);
            }
            (true, "scripting mode") => match self.scripting {
                Scripting::Normal => "Normal",
                Scripting::Disabled => "Disabled",
                Scripting::Inert => "Inert",
                Scripting::Fragment => "Fragment",
            },
            (true, "scripting flag") => match self.scripting {
                Scripting::Disabled => "disabled",
                Scripting::Normal | Scripting::Inert | Scripting::Fragment => "enabled",
            },
            (true, "context document mode") => match self.context_mode {
                ContextMode::NoQuirks => "no-quirks",
                ContextMode::LimitedQuirks => "limited-quirks",
                ContextMode::Quirks => "quirks",
            },
            // There is no answer: the first word, no, null.
            _ => "",
        };
        match &state.holds {
            Holds::Words(words) => Slot::Word(words.iter().position(|it| it == word).unwrap_or(0)),
            Holds::Node => Slot::Null,
            Holds::Truth => Slot::Truth(false),
        }
    }
}

const MAYBE_CLONE: &str = "maybe clone an option into selectedcontent";

/// Whether there are selectedcontent elements where the table comes from.
pub(super) fn has_selectedcontent(machine: &TreeMachine) -> bool {
    machine.hosts.iter().any(|host| host.name == MAYBE_CLONE)
}

/// Does what a host step is called for, as far as it changes the tree; its answer.
pub(super) fn host_step(
    machine: &TreeMachine,
    tree: &mut Tree,
    name: &str,
    arguments: &[Option<NodeId>],
) -> bool {
    match (name, arguments) {
        (MAYBE_CLONE, &[Some(option)]) => {
            tree.maybe_clone(option);
            false
        }
        ("prepare content patching", &[Some(scope), Some(template)]) => {
            prepare_patching(machine, tree, scope, template).is_some()
        }
        // No shadow root is attached, and what happens outside the tree is not seen.
        _ => false,
    }
}

/// Finds the markers that a template element names, and removes what is between them (4.12.3). `None`: there are none.
fn prepare_patching(
    machine: &TreeMachine,
    tree: &mut Tree,
    scope: NodeId,
    template: NodeId,
) -> Option<()> {
    let name = tree.attribute(template, "for");
    let name = name.filter(|name| !name.is_empty())?;
    let is_start = |id: &NodeId| {
        let (target, data) = instruction(tree, *id)?;
        (matches!(target, "marker" | "start")
            && pseudo_attribute(data, "name").as_deref() == Some(name))
        .then_some(())
    };
    let start = tree.descendants(scope).find(|id| is_start(id).is_some())?;
    let end = match instruction(tree, start) {
        Some(("marker", _)) => Some(start),
        _ => end_marker(tree, start),
    };
    let target = tree.parent(start);
    for (property, value) in [
        ("insertion target", target),
        ("insertion start marker", Some(start)),
        ("insertion end marker", end),
    ] {
        if let Some(number) = machine.properties.iter().position(|it| it.0 == property) {
            tree.set_property(template, number, value);
        }
    }
    if end != Some(start) {
        while let Some(between) = tree.next_sibling(start).filter(|&it| Some(it) != end) {
            tree.detach(between);
        }
    }
    Some(())
}

/// The sibling that ends what a marker starts; others may start and end in between.
fn end_marker(tree: &Tree, start: NodeId) -> Option<NodeId> {
    let mut level = 0;
    let mut siblings = std::iter::successors(tree.next_sibling(start), |&id| tree.next_sibling(id));
    siblings.find(|&id| match instruction(tree, id) {
        Some(("start", _)) => {
            level += 1;
            false
        }
        Some(("end", _)) if level == 0 => true,
        Some(("end", _)) => {
            level -= 1;
            false
        }
        _ => false,
    })
}

fn instruction(tree: &Tree, id: NodeId) -> Option<(&str, &str)> {
    match tree.node(id) {
        Node::ProcessingInstruction { target, data } => Some((target, data)),
        _ => None,
    }
}

/// The value of an attribute of a processing instruction, as the production `PseudoAtts` of
/// <https://www.w3.org/TR/xml-stylesheet/> reads the data; what it does not match has none.
fn pseudo_attribute(data: &str, wanted: &str) -> Option<String> {
    let mut attributes = BTreeMap::new();
    let mut rest = data.chars().peekable();
    let is_space = |c: &char| matches!(c, ' ' | '\t' | '\n' | '\r');
    loop {
        let has_space = rest.next_if(is_space).is_some();
        while rest.next_if(is_space).is_some() {}
        if rest.peek().is_none() {
            break;
        }
        let mut name = String::new();
        while let Some(c) = rest.next_if(|c| is_name(*c, name.is_empty())) {
            name.push(c);
        }
        if name.is_empty() || !has_space && !attributes.is_empty() {
            return None;
        }
        while rest.next_if(is_space).is_some() {}
        rest.next_if_eq(&'=')?;
        while rest.next_if(is_space).is_some() {}
        let quote = rest.next_if(|c| matches!(c, '"' | '\''))?;
        let mut value = String::new();
        loop {
            match rest.next()? {
                c if c == quote => break,
                '<' => return None,
                '&' => {
                    let reference: String = rest.by_ref().take_while(|c| *c != ';').collect();
                    value.push(character(&reference)?);
                }
                c => value.push(Some(c).filter(|c| is_xml(*c))?),
            }
        }
        if attributes.insert(name, value).is_some() {
            return None;
        }
    }
    attributes.remove(wanted)
}

/// What is between the `&` and the `;` of a reference.
fn character(reference: &str) -> Option<char> {
    let number = match reference {
        "amp" => 0x26,
        "lt" => 0x3C,
        "gt" => 0x3E,
        "quot" => 0x22,
        "apos" => 0x27,
        _ => {
            let (digits, radix) = match reference.strip_prefix("#x") {
                Some(digits) => (digits, 16),
                None => (reference.strip_prefix('#')?, 10),
            };
            digits.chars().try_fold(0_u32, |number, digit| {
                number
                    .checked_mul(radix)?
                    .checked_add(digit.to_digit(radix)?)
            })?
        }
    };
    char::from_u32(number).filter(|c| is_xml(*c))
}

fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Whether a name may have this character, at its start or not.
fn is_name(c: char, is_first: bool) -> bool {
    let code = u32::from(c);
    let starts = |range: &(u32, u32)| (range.0..=range.1).contains(&code);
    #[rustfmt::skip]
    let first = [
        (0x3A, 0x3A), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2FF), (0x370, 0x37D),
        (0x37F, 0x1FFF), (0x200C, 0x200D), (0x2070, 0x218F), (0x2C00, 0x2FEF), (0x3001, 0xD7FF), (0xF900, 0xFDCF),
        (0xFDF0, 0xFFFD), (0x10000, 0xEFFFF),
    ];
    let later = [
        (0x2D, 0x2E),
        (0x30, 0x39),
        (0xB7, 0xB7),
        (0x300, 0x36F),
        (0x203F, 0x2040),
    ];
    first.iter().any(starts) || !is_first && later.iter().any(starts)
}
