//! The sink of a builder: what makes nodes and puts them together.

use alloc::format;

use crate::attributes::Attributes;
use crate::span::{ParseError, Span};

use super::answers::DocumentMode;
use super::names::{Name, Space};

/// The name of an element that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementName<'a> {
    /// The namespace.
    pub space: Space,
    /// The local name.
    pub local: &'a str,
    /// The number of the local name: the same for the same name in one document.
    pub number: Name,
}

/// The name of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeName<'a> {
    /// The prefix.
    pub prefix: Option<&'a str>,
    /// The local name.
    pub local: &'a str,
    /// The namespace; none for nearly all.
    pub space: Space,
}

/// What a list of names makes of the names of attributes.
#[doc(hidden)]
pub(super) type Adjust = fn(&str) -> Option<AttributeName<'static>>;

/// The attributes of a start tag, with the names that they have in the tree.
#[derive(Clone, Copy, Debug)]
pub struct TagAttributes<'a> {
    attributes: Option<&'a Attributes<'a>>,
    /// Where the tag stands.
    span: Span,
    /// The first that knows a name decides.
    adjust: [Option<Adjust>; ADJUSTS],
}

/// How many lists of names may change the attributes of one tag; the generator refuses tables with more.
const ADJUSTS: usize = 3;

impl<'a> TagAttributes<'a> {
    /// None.
    pub const NONE: TagAttributes<'static> = TagAttributes {
        attributes: None,
        span: Span { start: 0, end: 0 },
        adjust: [None; ADJUSTS],
    };

    #[inline(always)]
    pub(crate) const fn new(attributes: &'a Attributes<'a>, span: Span) -> Self {
        Self {
            attributes: Some(attributes),
            span,
            adjust: [None; ADJUSTS],
        }
    }

    /// Where the tag stands.
    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// The stretch of the input in which the tag ends. Names and values that are not in there are copies.
    pub(crate) fn input(&self) -> &'a str {
        self.attributes.map_or("", |attributes| attributes.input())
    }

    /// Changes names by a list, too. One that does so already is met again.
    pub(crate) fn adjust(&mut self, by: Adjust) {
        let mut places = self.adjust.iter_mut();
        let place = places.find(|it| it.is_none_or(|known| core::ptr::fn_addr_eq(known, by)));
        if let Some(place) = place {
            *place = Some(by);
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.attributes.map_or(0, |attributes| attributes.len())
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all names are as the tag spells them, in no namespace.
    #[inline]
    pub const fn are_plain(&self) -> bool {
        self.adjust[0].is_none()
    }

    /// The attributes of the tag, if they have the names that it spells.
    #[inline(always)]
    pub(crate) const fn plain(&self) -> Option<&'a Attributes<'a>> {
        if self.are_plain() {
            self.attributes
        } else {
            None
        }
    }

    /// Names and values, in the order of the tag.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (AttributeName<'a>, &'a str)> + use<'a> {
        let adjust = self.adjust;
        let pairs = self.attributes.into_iter().flat_map(|all| all.iter());
        pairs.map(move |(name, value)| {
            let adjusted = adjust.iter().flatten().find_map(|adjust| adjust(name));
            let plain = AttributeName {
                prefix: None,
                local: name,
                space: Space::None,
            };
            (adjusted.unwrap_or(plain), value)
        })
    }

    /// Names, as they are in the tree and as the token has them, and values.
    pub(crate) fn spelled(
        &self,
    ) -> impl Iterator<Item = (AttributeName<'a>, &'a str, &'a str)> + use<'a> {
        let pairs = self.attributes.into_iter().flat_map(|all| all.iter());
        self.iter()
            .zip(pairs)
            .map(|((name, value), (spelled, _))| (name, spelled, value))
    }

    /// The value of an attribute, by the name that the tag spells.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes?.get(name)
    }
}

/// Characters for a Text node.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The characters; at least one.
    pub text: &'a str,
    /// Where their tokens stand.
    pub span: Span,
}

/// A DOCTYPE. What is missing is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doctype<'a> {
    /// The name.
    pub name: &'a str,
    /// The public identifier.
    pub public_identifier: &'a str,
    /// The system identifier.
    pub system_identifier: &'a str,
}

/// A place where a node is inserted.
#[derive(Clone, Debug)]
pub enum Place<N> {
    /// Behind the last child of a node.
    LastChild(N),
    /// In the parent of a node, immediately before it.
    Before {
        /// The node. It has a parent, as far as the sink says so.
        sibling: N,
        /// The element above it among the open elements: a sink that cannot say whether there is a parent puts the node
        /// behind its last child, if there is none.
        above: N,
    },
}

/// What a host step answers for which the parser may have to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostAnswer {
    /// It is done; no.
    #[default]
    No,
    /// It is done; yes.
    Yes,
    /// The parser pauses behind this token, until its caller resumes it: a script runs.
    Pause,
}

impl From<bool> for HostAnswer {
    fn from(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }
}

/// A parse error of tree construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// Where the token starts. Each character is a token.
    pub offset: u64,
    /// Its code; nearly all errors of tree construction have none.
    pub code: Option<&'static str>,
    /// The name of the insertion mode.
    pub mode: &'static str,
    /// The name of the token's kind.
    pub kind: &'static str,
}

/// Makes nodes and puts them together, as a builder says.
///
/// The builder never asks for names: it keeps them with its own elements.
pub trait TreeSink {
    /// A node; cheap to clone.
    type Node: Clone + core::fmt::Debug;
    /// What is kept of a start tag, so that an element can be created for it again; cheap to clone.
    type Kept: Clone + core::fmt::Debug;
    /// Whether [`Self::error`] is called. Errors that are not wanted cost nothing.
    const ERRORS: bool = false;
    /// Whether [`Self::create_in`] ever does something.
    const CREATES_IN: bool = false;

    /// The Document.
    fn document(&mut self) -> Self::Node;

    /// Creates an element, without a parent. `span` is that of its start tag, if it has one.
    fn create_element(
        &mut self,
        name: ElementName<'_>,
        attributes: &TagAttributes<'_>,
        span: Option<Span>,
    ) -> Self::Node;

    /// Creates an element, as [`create_element`](Self::create_element) does, and inserts it after the last child of another. `None`:
    /// nothing is done, and the builder does it step by step. A sink that does something in host steps for new elements answers so, as
    /// these are left out here.
    #[inline(always)]
    fn create_in(
        &mut self,
        name: ElementName<'_>,
        attributes: &TagAttributes<'_>,
        span: Option<Span>,
        parent: &Self::Node,
    ) -> Option<Self::Node> {
        let _ = (name, attributes, span, parent);
        None
    }

    /// Keeps what [`create_again`](Self::create_again) needs: `attributes` are those that the element was created with.
    fn keep(&mut self, element: &Self::Node, attributes: &TagAttributes<'_>) -> Self::Kept;

    /// Creates an element for a start tag for which one was created before.
    fn create_again(&mut self, name: ElementName<'_>, kept: &Self::Kept) -> Self::Node;

    /// A number that is the same if [`is_alike`](Self::is_alike) says yes.
    fn hash(&self, kept: &Self::Kept) -> u64;

    /// Whether two tags have the same attributes, in any order.
    fn is_alike(&self, one: &Self::Kept, other: &Self::Kept) -> bool;

    /// Inserts a node; it leaves its parent first. What the DOM rejects does nothing.
    fn insert(&mut self, node: &Self::Node, place: &Place<Self::Node>);

    /// Appends characters to the Text node immediately before a place, or inserts one.
    fn insert_text(&mut self, text: Text<'_>, place: &Place<Self::Node>);

    /// Inserts a comment.
    fn insert_comment(&mut self, data: &str, span: Span, place: &Place<Self::Node>);

    /// Inserts a processing instruction. A tree without them has a comment.
    fn insert_processing_instruction(
        &mut self,
        target: &str,
        data: &str,
        span: Span,
        place: &Place<Self::Node>,
    );

    /// Inserts a reference to an entity of which the text is not known. A tree without such nodes gets it as text, as here.
    fn insert_entity_reference(&mut self, name: &str, span: Span, place: &Place<Self::Node>) {
        let text = &*format!("&{name};");
        self.insert_text(Text { text, span }, place);
    }

    /// Appends a DOCTYPE to the Document.
    fn append_doctype(&mut self, doctype: &Doctype<'_>, span: Span);

    /// Whether both are one node. A builder knows its own elements, and asks about nodes that the sink has found, such as parents.
    fn is_same_node(&self, one: &Self::Node, other: &Self::Node) -> bool;

    /// The namespace and the local name of an element that the sink has found; none for another node. Where a table asks for the type of
    /// a found node, a builder asks here. For a sink that answers none, as here, such a node is of no type.
    fn element_name(&self, node: &Self::Node) -> Option<(Space, &str)> {
        let _ = node;
        None
    }

    /// Whether a node has a parent. A sink that cannot say so answers yes, see [`Place::Before`].
    fn has_parent(&mut self, node: &Self::Node) -> bool;

    /// The contents of a template element.
    fn template_contents(&mut self, template: &Self::Node) -> Self::Node;

    /// Appends all children of a node to another.
    fn move_children(&mut self, from: &Self::Node, to: &Self::Node);

    /// Takes a node from its parent, if it has one.
    fn detach(&mut self, node: &Self::Node);

    /// Gives an element those attributes that it does not have.
    fn add_missing_attributes(&mut self, element: &Self::Node, attributes: &TagAttributes<'_>);

    /// An element leaves the stack of open elements at an end tag of its name, which stands here. One end tag may be given to
    /// several elements: where it closes a formatting element, to those with its name inside, and to copies. It is that of the
    /// last of them, but elements that have a start tag come before copies.
    fn end_tag(&mut self, element: &Self::Node, span: Span) {
        let _ = (element, span);
    }

    /// An element was popped off the stack of open elements.
    fn popped(&mut self, element: &Self::Node) {
        let _ = element;
    }

    /// The document mode is known, or is another one now.
    #[inline(always)]
    fn set_document_mode(&mut self, mode: DocumentMode) {
        let _ = mode;
    }

    /// The parent of a node. A builder asks where its table speaks of a parent, as foster parenting does of the last table's, and after a
    /// host step that answers yes.
    fn parent(&mut self, node: &Self::Node) -> Option<Self::Node> {
        let _ = node;
        None
    }

    /// Whether a node is the body element of its document. It is asked before a host step for content patching.
    fn is_body(&mut self, node: &Self::Node) -> bool {
        let _ = node;
        false
    }

    /// The element whose children are the result, where a fragment is parsed.
    fn fragment_root(&mut self, root: &Self::Node) {
        let _ = root;
    }

    /// The context element of a fragment.
    fn fragment_context(&mut self, context: &Self::Node) {
        let _ = context;
    }

    /// A parse error of the tokenizer, if [`Self::ERRORS`] does not turn it off.
    fn tokenizer_error(&mut self, error: ParseError) {
        let _ = error;
    }

    /// A parse error of tree construction, if [`Self::ERRORS`] does not turn it off.
    fn error(&mut self, error: TreeError) {
        let _ = error;
    }
}
