//! What a tree construction table lowers to: dense numbers, no names to look up, no sugar.

use std::collections::BTreeSet;

mod guard;
mod step;
mod value;

pub use guard::{DoctypeTest, Guard, Identifier};
pub use step::{Block, BlockId, Body, Exit, Mode, Slot, Step, ValueSort};
pub use value::{
    Call, ElementName, HostCall, Location, Namespace, Node, Number, Position, Space, Text, TokenOf,
    Truth, Types, Value,
};

/// A tree construction table, ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMachine {
    /// The table's name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The number of the section; may be empty.
    pub section: String,
    /// The name of the table whose tokens it takes.
    pub tokenizer: String,
    /// What the text calls an insertion mode: `phase`.
    pub called: String,
    /// The kinds of tokens: [`CHARACTER`], [`END_OF_FILE`], then those of the tokenizer's vocabulary.
    pub kinds: Vec<Kind>,
    /// The variables that the language knows by their names, as far as the table declares them.
    pub variables: Vec<Variable>,
    /// The table's own variables, and its questions to the host.
    pub states: Vec<State>,
    /// What the DOM keeps with an element: their names, and whether the runtime knows them. Each is a node or null; null at first.
    pub properties: Vec<(String, bool)>,
    /// The steps that the host runs.
    pub hosts: Vec<HostStep>,
    /// Guards that have a name. The tokenizer asks those that its vocabulary calls so.
    pub conditions: Vec<Condition>,
    /// Sets of element types, by their names.
    pub sets: Vec<ElementSet>,
    /// Scopes of the stack, by their names.
    pub scopes: Vec<Scope>,
    /// Steps for each pop of such an element, also when parsing stops. They use [`Node::Popped`].
    pub on_popping: Vec<(ElementName, BodyId)>,
    /// The names of the start tags that the table calls hot; none when it says nothing, and all may be.
    pub hot: Option<Vec<String>>,
    /// What names of elements and attributes become.
    pub names: Vec<Names>,
    /// By the names of document modes: what a DOCTYPE must be.
    pub quirks: Vec<(String, Vec<DoctypeTest>)>,
    /// Parsing a fragment, if the table says how.
    pub fragments: Option<Fragments>,
    /// The insertion modes, in the order of the table; at least one. What has arms but is no insertion mode
    /// ("foreign content") is the last.
    pub modes: Vec<Rules>,
    /// The insertion mode that takes the first token.
    pub initial: ModeId,
    /// What every token comes to; `None` if it goes to the insertion mode.
    pub dispatcher: Option<BodyId>,
    /// The bodies of arms, procedures and the rest. None runs itself, whether at once or by way of others, except by
    /// the rules of insertion modes.
    pub bodies: Vec<Body>,
}

impl TreeMachine {
    /// How many bodies are those of procedures: the first ones.
    pub fn procedures(&self) -> usize {
        let arms = self.modes.iter().flat_map(|rules| &rules.arms);
        arms.map(|arm| arm.body).min().unwrap_or_default()
    }

    /// The body of an arm.
    pub fn body_of(&self, mode: ModeId, arm: ArmId) -> BodyId {
        let arm = self.modes.get(mode).and_then(|rules| rules.arms.get(arm));
        arm.map_or(0, |arm| arm.body)
    }

    /// The names of HTML's elements that arms, sets and scopes have.
    pub fn element_names(&self) -> BTreeSet<&str> {
        let takes = self.modes.iter().flat_map(|mode| &mode.arms);
        let takes = takes.flat_map(|arm| &arm.takes);
        let of_arms = takes.filter_map(|takes| match &takes.tokens {
            Tokens::Named(_, names) => Some(names.iter().map(String::as_str)),
            _ => None,
        });
        let members = self.sets.iter().flat_map(|set| &set.members);
        let elements = members.map(|member| &member.element);
        let elements = elements.chain(self.scopes.iter().flat_map(|scope| &scope.ends));
        let elements = elements.filter(|element| element.space == Space::Html);
        of_arms
            .flatten()
            .chain(elements.map(|element| element.name.as_str()))
            .collect()
    }
}

/// The number of the character token among the kinds.
pub const CHARACTER: usize = 0;
/// The number of the end-of-file token among the kinds.
pub const END_OF_FILE: usize = 1;

/// The number of a body.
pub type BodyId = usize;
/// The number of an insertion mode.
pub type ModeId = usize;
/// The number of an arm in its mode.
pub type ArmId = usize;
/// The number of a state among the states of a machine.
pub type StateId = usize;
/// The number of a value that a body keeps.
pub type SlotId = usize;
/// The number of a set of element types.
pub type SetId = usize;
/// The number of a scope.
pub type ScopeId = usize;

/// A kind of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name: `start tag`.
    pub name: String,
    /// Where each part is in the token's list of fields, if it has such a field. The order is that of [`Part::ALL`].
    pub fields: [Option<usize>; Part::ALL.len()],
}

impl Kind {
    /// The number of the field that holds a part of the token.
    pub fn field(&self, part: Part) -> Option<usize> {
        self.fields[part as usize]
    }
}

/// A part of a token that steps read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The name of a tag, of a DOCTYPE, or of an entity.
    Name,
    /// The attributes of a tag.
    Attributes,
    /// The self-closing flag of a tag.
    SelfClosing,
    /// The data of a comment or of a processing instruction.
    Data,
    /// The target of a processing instruction.
    Target,
    /// The public identifier of a DOCTYPE.
    PublicIdentifier,
    /// The system identifier of a DOCTYPE.
    SystemIdentifier,
    /// The force-quirks flag of a DOCTYPE.
    ForceQuirks,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 8] = [
        Self::Name,
        Self::Attributes,
        Self::SelfClosing,
        Self::Data,
        Self::Target,
        Self::PublicIdentifier,
        Self::SystemIdentifier,
        Self::ForceQuirks,
    ];

    /// The name that a field has if it holds this.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Attributes => "attributes",
            Self::SelfClosing => "self-closing flag",
            Self::Data => "data",
            Self::Target => "target",
            Self::PublicIdentifier => "public identifier",
            Self::SystemIdentifier => "system identifier",
            Self::ForceQuirks => "force-quirks flag",
        }
    }
}

/// A variable that phrases of the language name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// What takes the next token.
    InsertionMode,
    /// The insertion mode to come back to.
    OriginalInsertionMode,
    /// A stack of insertion modes, empty at first.
    TemplateInsertionModes,
    /// A list of elements, empty at first. The last one is the current node.
    OpenElements,
    /// A list of elements and markers, empty at first.
    ActiveFormattingElements,
    /// A list of characters, empty at first.
    PendingTableCharacters,
    /// Yes or no; no at first.
    FosterParenting,
}

impl Variable {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::InsertionMode,
        Self::OriginalInsertionMode,
        Self::TemplateInsertionModes,
        Self::OpenElements,
        Self::ActiveFormattingElements,
        Self::PendingTableCharacters,
        Self::FosterParenting,
    ];

    /// As phrases write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InsertionMode => "insertion mode",
            Self::OriginalInsertionMode => "original insertion mode",
            Self::TemplateInsertionModes => "stack of template insertion modes",
            Self::OpenElements => "stack of open elements",
            Self::ActiveFormattingElements => "list of active formatting elements",
            Self::PendingTableCharacters => "pending table character tokens",
            Self::FosterParenting => "foster parenting",
        }
    }
}

/// A variable or question of the table's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name: `frameset-ok flag`.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Whether it is a question: the host answers it, and no step sets it.
    pub is_asked: bool,
    /// Whether the runtime has a type, an answer, or both for it.
    pub is_known: bool,
}

/// What a variable or question holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One of these words; the first at first.
    Words(Vec<String>),
    /// A node or null; null at first.
    Node,
    /// Yes or no; no at first.
    Truth,
}

/// The steps that the host runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostStep {
    /// Its name: `run the script`.
    pub name: String,
    /// How many nodes it is given.
    pub arguments: usize,
    /// Whether it answers yes or no.
    pub answers: bool,
    /// Whether the parser may have to pause for it.
    pub may_pause: bool,
    /// Whether the runtime and the interpreter know it.
    pub is_known: bool,
}

/// A guard that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// What it asks, as the table says it.
    pub condition: String,
    /// What it asks.
    pub guard: Guard,
}

/// A named set of element types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSet {
    /// Its name: `special`.
    pub name: String,
    /// Its members.
    pub members: Vec<Member>,
}

/// A member of a set of element types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The element type.
    pub element: ElementName,
    /// Only if the start tag token had this attribute with this value, ASCII case-insensitively.
    pub attribute: Option<(String, String)>,
}

/// A named scope: where a search down from the current node ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Its name: `button scope`.
    pub name: String,
    /// The element types at which it ends.
    pub ends: Vec<ElementName>,
    /// Whether it ends at all others instead.
    pub all_except: bool,
}

/// What names become; those that are not there stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The name of the list: `SVG attributes`.
    pub name: String,
    /// As the tokenizer spells it, and what it becomes.
    pub entries: Vec<(String, Renamed)>,
}

/// A name in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The prefix.
    pub prefix: Option<String>,
    /// The local name.
    pub local: String,
    /// The namespace; `None` for no namespace, or for that which the name had.
    pub namespace: Option<Space>,
}

/// How a fragment is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragments {
    /// In which content the tokenizer starts.
    pub contents: Vec<FirstContent>,
    /// What is done before the first token.
    pub steps: BodyId,
    /// The node whose children are the result.
    pub result: Node,
}

/// A content of the tokenizer for a context element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstContent {
    /// The content.
    pub content: String,
    /// The name of the context element, an HTML element.
    pub element: String,
    /// What must hold, as the table says it; empty if nothing must.
    pub condition: String,
    /// What must hold.
    pub guard: Option<Guard>,
}

/// The arms of an insertion mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Its name.
    pub name: String,
    /// The number of the section that describes it, or else of the table's; may be empty.
    pub section: String,
    /// The arms in the order of the table. A token goes to the first arm that takes it by a kind, name or class and
    /// whose guard holds; if there is none, to the first that takes it by `any other`; if there is none, to
    /// `anything else`.
    pub arms: Vec<Arm>,
}

/// An arm that may take a token, and what must hold.
pub(super) type Candidate<'m> = (Option<&'m Guard>, &'m Arm);

impl Rules {
    /// The arms that may take a token, the first that holds takes it: those that name it, then those for any other, then the one for
    /// anything else. `takes` says whether the tokens of a part are the token's, and how closely.
    pub(super) fn candidates(
        &self,
        takes: &dyn Fn(&Tokens) -> Option<usize>,
    ) -> Vec<Candidate<'_>> {
        let mut candidates = Vec::new();
        for rank in 0..3 {
            for arm in &self.arms {
                for part in &arm.takes {
                    if takes(&part.tokens) == Some(rank) {
                        candidates.push((part.guard.as_ref(), arm));
                        if part.guard.is_none() {
                            return candidates;
                        }
                    }
                }
            }
        }
        candidates
    }
}

/// An arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its key as typed.
    pub key: String,
    /// What it takes.
    pub takes: Vec<Takes>,
    /// What it does.
    pub body: BodyId,
}

/// One part of the key of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takes {
    /// The tokens.
    pub tokens: Tokens,
    /// What must hold.
    pub guard: Option<Guard>,
    /// The guard as written; empty without one.
    pub condition: String,
}

/// Some of all tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// All of a kind.
    Kind(usize),
    /// Those of a kind with one of these names.
    Named(usize, Vec<String>),
    /// Characters of a class, as sorted ranges.
    Characters(Vec<(char, char)>),
    /// Those of a kind that no part with a name or class takes.
    AnyOther(usize),
    /// All that no other part takes.
    AnythingElse,
}
