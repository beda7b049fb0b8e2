//! The part of a builder that all tables share: its variables, and what a single step does.

mod creation;
mod formatting;
mod host;
mod intake;
mod open;
mod pending;
mod places;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::depth::Depths;
use super::element::{Element, Type};
use super::ends::{Ends, Starts};
use super::list::List;
use super::names::{Name, NameTable, Names};
use super::options::{Context, Options};
use super::sink::{ElementName, TagAttributes, TreeError, TreeSink};
use super::stack::{ScopeEnds, Stack};
use super::token::Token;
use pending::Waiting;

pub use creation::Origin;
pub use intake::Parts;
pub use places::{Data, Location};

/// The rules of a table, generated.
pub trait Rules<S: TreeSink, const SCOPES: usize>: Sized {
    /// The insertion modes.
    type Mode: Copy + Eq + Debug;
    /// The contents of its tokenizer.
    type Content: Copy + Debug;
    /// The variables of the table's own, and the answers to its questions.
    type Variables: Debug;

    /// The name of the table.
    const TABLE: &'static str;
    /// The names of the table.
    const NAMES: &'static NameTable;
    /// The mode that takes the first token.
    const INITIAL: Self::Mode;
    /// The scopes.
    const SCOPES: [ScopeEnds; SCOPES];
    /// How many nodes elements keep.
    const PROPERTIES: usize = 0;
    /// The kinds of tokens of the table's own, as it writes them.
    const KINDS: &'static [&'static str] = &[];

    /// The name of a mode.
    fn mode_name(mode: Self::Mode) -> &'static str;
    /// The variables at the start.
    fn variables(sink: &mut S, options: &Options) -> Self::Variables;
    /// What the host step that answered yes last keeps with an element, by its number.
    fn property(sink: &mut S, number: usize) -> Option<S::Node> {
        let _ = (sink, number);
        None
    }
    /// The sets of an element, by its type and the attributes of its token.
    fn sets(ty: Type, attributes: &TagAttributes<'_>) -> u64;
    /// A name in ASCII lowercase.
    fn lower(name: Name) -> Name;
    /// Gives a token to the rules once.
    fn dispatch(builder: &mut Builder<S, Self, SCOPES>, token: &mut Token<'_>);
    /// Does what follows from a pop.
    fn popped(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
        popped: &Element<S::Node>,
    );
    /// Whether characters other than U+0000 are only inserted after the last child of the current node, if that and the adjusted
    /// current node are HTML elements.
    fn only_inserts_characters(builder: &mut Builder<S, Self, SCOPES>) -> bool;
    /// What a start tag does.
    fn starts(builder: &mut Builder<S, Self, SCOPES>, name: Name) -> Starts;
    /// What an end tag does if the current node is an HTML element with its name, and the adjusted current node is an HTML element.
    fn ends(mode: Self::Mode, name: Name) -> Ends;
    /// Whether something follows from the pop of such an element.
    fn follows_pop(ty: Type) -> bool;
    /// What is done before the first token of a fragment.
    fn start_fragment(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
    ) -> Option<Element<S::Node>>;
    /// The content in which the tokenizer starts for a fragment.
    fn first_content(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
    ) -> Option<Self::Content>;
    /// Whether CDATA sections are allowed.
    fn cdata_sections_are_allowed(builder: &mut Builder<S, Self, SCOPES>) -> bool;
}

/// Whether both are one element, or both none.
#[inline(always)]
pub fn is_same<N>(one: Option<&Element<N>>, other: Option<&Element<N>>) -> bool {
    one.map(|it| it.serial) == other.map(|it| it.serial)
}

/// The node of an element.
#[inline(always)]
pub fn node_of<N>(element: &Option<Element<N>>) -> Option<&N> {
    element.as_ref().map(|it| &it.node)
}

/// Whether an identifier is there and starts with one of these strings, ASCII case-insensitively.
pub fn starts_with_any(identifier: Option<&str>, starts: &[&str]) -> bool {
    starts.iter().any(|start| {
        let found = identifier.and_then(|it| it.as_bytes().get(..start.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// Takes the tokens of a tokenizer and builds a tree in a [`TreeSink`]. It is the sink of the tokenizer. Each U+0000 of text has to
/// come in a separate call.
#[derive(Debug)]
pub struct Builder<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> {
    /// The sink of the tree.
    pub sink: S,
    document: Element<S::Node>,
    pub(super) names: Names,
    /// What takes the next token.
    pub mode: R::Mode,
    /// The insertion mode to come back to.
    pub original_mode: R::Mode,
    /// The stack of template insertion modes.
    pub template_modes: Vec<R::Mode>,
    /// The stack of open elements.
    pub stack: Stack<S::Node, SCOPES>,
    /// The list of active formatting elements.
    pub list: List<S::Node, S::Kept>,
    /// Whether foster parenting is enabled.
    pub foster_parenting: bool,
    /// The variables of the table's own.
    pub own: R::Variables,
    /// How deep the tree may get.
    depths: Depths,
    /// Whether the depth has no limit, and the adjusted current node is an HTML element if the current node is one.
    is_plain: bool,
    /// The element for which a fragment is parsed.
    pub context: Option<Element<S::Node>>,
    ancestors: Vec<Element<S::Node>>,
    /// The element that was created last.
    pub new: Option<Element<S::Node>>,
    /// What is kept of its token, if it was created for one again.
    new_kept: Option<S::Kept>,
    /// Whether its token is the one that is processed.
    new_is_of_token: bool,
    /// The element that is being popped.
    pub popped: Option<Element<S::Node>>,
    properties: BTreeMap<(u32, usize), Element<S::Node>>,
    pending: String,
    waiting: Vec<Waiting>,
    serials: u32,
    /// The next token is ignored if it is this character.
    pub ignored_next: Option<char>,
    /// The content that the tokenizer is switched to.
    pub content: Option<R::Content>,
    pauses: bool,
    /// Whether the token goes to the rules again.
    pub reprocess: bool,
    /// Whether it takes no more tokens.
    pub stopped: bool,
}

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// A builder of a document.
    pub fn new(sink: S, options: &Options) -> Self {
        Self::with_context(sink, options, None)
    }

    /// A builder of a fragment.
    pub fn for_fragment(sink: S, options: &Options, context: Context<'_, S::Node>) -> Self {
        Self::with_context(sink, options, Some(context))
    }

    fn with_context(mut sink: S, options: &Options, context: Option<Context<'_, S::Node>>) -> Self {
        let document = Element {
            node: sink.document(),
            serial: 0,
            ty: Type::DOCUMENT,
            sets: 0,
        };
        let own = R::variables(&mut sink, options);
        let mut builder = Self {
            sink,
            document,
            names: Names::new(R::NAMES),
            mode: R::INITIAL,
            original_mode: R::INITIAL,
            template_modes: Vec::new(),
            stack: Stack::new(R::SCOPES),
            list: List::new(),
            foster_parenting: false,
            own,
            depths: Depths::new(),
            is_plain: true,
            context: None,
            ancestors: Vec::new(),
            new: None,
            new_kept: None,
            new_is_of_token: false,
            popped: None,
            properties: BTreeMap::new(),
            pending: String::new(),
            waiting: Vec::new(),
            serials: 1,
            ignored_next: None,
            content: None,
            pauses: false,
            reprocess: false,
            stopped: false,
        };
        builder.set_depth(options.depth);
        if let Some(context) = context {
            builder.start_fragment(context);
        }
        builder
    }

    fn start_fragment(&mut self, context: Context<'_, S::Node>) {
        let Context {
            node,
            space,
            local,
            attributes,
            ancestors,
        } = context;
        let node = node.unwrap_or_else(|| {
            let number = self.names.intern(local);
            let name = ElementName {
                space,
                local,
                number,
            };
            self.sink.create_element(name, &attributes, None)
        });
        self.sink.fragment_context(&node);
        let mut known = |space, local: &str, node: &S::Node, attributes| {
            let ty = Type::new(space, self.names.intern(local));
            let serial = self.serials;
            self.serials += 1;
            Element {
                node: node.clone(),
                serial,
                ty,
                sets: R::sets(ty, attributes),
            }
        };
        self.context = Some(known(space, local, &node, &attributes));
        let ancestors = ancestors.iter();
        let ancestors =
            ancestors.map(|(space, local, node)| known(*space, local, node, &TagAttributes::NONE));
        self.ancestors = ancestors.collect();
        self.set_is_plain();
        let mut token = Token::none();
        if let Some(root) = R::start_fragment(self, &mut token) {
            self.sink.fragment_root(&root.node);
        }
    }

    /// The sets of an element of this type without attributes.
    pub fn sets_of(&self, ty: Type) -> u64 {
        R::sets(ty, &TagAttributes::NONE)
    }

    /// Makes room for this many elements, as far as a document has them.
    pub fn reserve(&mut self, elements: usize) {
        // Markers have serials, too.
        let serials = elements + elements / 4;
        self.stack.reserve(serials);
        self.list.reserve(serials);
    }

    /// Limits the depth of the tree, see [`Options::depth`].
    pub fn set_depth(&mut self, depth: Option<usize>) {
        self.depths.limit = depth.map_or(usize::MAX, |depth| depth.max(1));
        self.set_is_plain();
    }

    fn set_is_plain(&mut self) {
        let is_html = |context: &Element<S::Node>| context.ty.is_html();
        self.is_plain = !self.depths.are_limited() && self.context.as_ref().is_none_or(is_html);
    }

    /// The content in which the tokenizer starts, if the context element decides that: give it to
    /// [`Tokenizer::enter`](crate::Tokenizer::enter).
    pub fn first_content(&mut self) -> Option<R::Content> {
        self.context.as_ref()?;
        let mut token = Token::none();
        R::first_content(self, &mut token)
    }

    /// The sink of the tree.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// A parse error at the token.
    #[inline]
    pub fn error(&mut self, token: &Token<'_>, code: Option<&'static str>) {
        if S::ERRORS {
            let error = TreeError {
                offset: token.span.start,
                code,
                mode: R::mode_name(self.mode),
                kind: token.kind.name(R::KINDS),
            };
            self.sink.error(error);
        }
    }

    /// The Document.
    pub fn document(&self) -> Option<Element<S::Node>> {
        Some(self.document.clone())
    }

    /// Whether there is a current node, of this type.
    #[inline(always)]
    pub fn current_is(&self, ty: Type) -> bool {
        self.stack.current().is_some_and(|e| e.is(ty))
    }

    /// Whether there is a current node, in one of these sets.
    #[inline(always)]
    pub fn current_is_in(&self, sets: u64) -> bool {
        self.stack.current().is_some_and(|e| e.is_in(sets))
    }

    /// The context element if the stack has one entry and a fragment is parsed; else the current node.
    #[inline(always)]
    pub fn adjusted_current(&self) -> Option<&Element<S::Node>> {
        match &self.context {
            Some(context) if self.stack.len() == 1 => Some(context),
            _ => self.stack.current(),
        }
    }

    /// The nearest of some types among the context element and its ancestors.
    pub fn nearest_of_context(
        &self,
        is: impl Fn(&Element<S::Node>) -> bool,
    ) -> Option<Element<S::Node>> {
        let mut all = self.context.iter().chain(&self.ancestors);
        all.find(|it| is(it)).cloned()
    }

    /// The last of the stack of template insertion modes; the insertion mode, if there is none.
    pub fn current_template_mode(&self) -> R::Mode {
        self.template_modes.last().copied().unwrap_or(self.mode)
    }

    /// A node that the sink has found. Its attributes are not known.
    fn found(&mut self, node: S::Node) -> Element<S::Node> {
        if self.sink.is_same_node(&node, &self.document.node) {
            return self.document.clone();
        }
        let ty = match self.sink.element_name(&node) {
            Some((space, local)) => Type::new(space, self.names.intern(local)),
            None => Type::NONE,
        };
        Self::of_type(node, ty)
    }

    /// A node that is not one of the builder's own.
    fn of_type(node: S::Node, ty: Type) -> Element<S::Node> {
        Element {
            node,
            serial: u32::MAX,
            ty,
            sets: R::sets(ty, &TagAttributes::NONE),
        }
    }

    /// Changes the tag name of the token.
    pub fn rename(&self, token: &mut Token<'_>, name: Name) {
        token.name = name;
        token.text = R::NAMES
            .names()
            .get(name.0 as usize)
            .copied()
            .unwrap_or_default();
    }
}
