//! The part of a builder that all tables share: its variables, and what a single step does.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::markup::{
    Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
};
use crate::span::{ParseError, Span};

use super::depth::Depths;
use super::element::{Element, Type};
use super::list::{Entry, List, Position};
use super::names::{Name, NameTable, Names, Space};
use super::options::{Context, Options};
use super::sink::{ElementName, HostAnswer, Place, TagAttributes, Text, TreeError, TreeSink};
use super::stack::{ScopeEnds, Stack};
use super::token::{Kind, Token, part};

/// The rules of a table, generated.
pub trait Rules<const SCOPES: usize>: Sized {
    /// The insertion modes.
    type Mode: Copy + Eq + Debug;
    /// The variables of the table's own, and the answers to its questions.
    type Variables<N: Clone + Debug>: Debug;

    /// The name of the table.
    const TABLE: &'static str;
    /// The names of the table.
    const NAMES: &'static NameTable;
    /// The mode that takes the first token.
    const INITIAL: Self::Mode;
    /// The scopes.
    const SCOPES: [ScopeEnds; SCOPES];
    /// What elements keep, by its number.
    const PROPERTIES: &'static [&'static str];

    /// The name of a mode.
    fn mode_name(mode: Self::Mode) -> &'static str;
    /// The variables at the start.
    fn variables<N: Clone + Debug>(options: &Options) -> Self::Variables<N>;
    /// The sets of an element, by its type and the attributes of its token.
    fn sets(ty: Type, attributes: &TagAttributes<'_>) -> u64;
    /// A name in ASCII lowercase.
    fn lower(name: Name) -> Name;
    /// Gives a token to the rules once.
    fn dispatch<S: TreeSink>(builder: &mut Builder<S, Self, SCOPES>, token: &mut Token<'_>);
    /// Does what follows from a pop.
    fn popped<S: TreeSink>(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
        popped: &Element<S::Node>,
    );
    /// What is done before the first token of a fragment.
    fn start_fragment<S: TreeSink>(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
    ) -> Option<Element<S::Node>>;
    /// The content in which the tokenizer starts for a fragment.
    fn first_content<S: TreeSink>(
        builder: &mut Builder<S, Self, SCOPES>,
        token: &mut Token<'_>,
    ) -> Option<Content>;
    /// Whether CDATA sections are allowed.
    fn cdata_sections_are_allowed<S: TreeSink>(builder: &mut Builder<S, Self, SCOPES>) -> bool;
}

/// A place for a node, as a builder knows it.
#[derive(Clone, Debug)]
pub enum Location<N> {
    /// Behind the last child.
    LastChild(Element<N>),
    /// Immediately before the first, in its parent; the second is above it among the open elements.
    Before(Box<(Element<N>, Element<N>)>),
}

impl<N: Clone> Location<N> {
    /// Whether the node in which it is is one of these.
    #[inline]
    pub fn is_inside(&self, is: impl FnOnce(&Element<N>) -> bool) -> bool {
        matches!(self, Self::LastChild(parent) if is(parent))
    }
}

/// The token for which an element is created.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The one that is processed.
    Token,
    /// A start tag with this name and no attributes.
    Made(Name),
    /// That of another element, by its serial and type.
    Created(u32, Type),
}

impl Origin {
    /// The token of an element.
    pub fn of<N>(element: Option<&Element<N>>) -> Self {
        // Without an element there is no token: the name is none.
        element.map_or(Self::Created(u32::MAX, Type::NONE), |it| {
            Self::Created(it.serial, it.ty)
        })
    }

    /// Its tag name.
    #[inline(always)]
    pub const fn name(self, token: &Token<'_>) -> Name {
        match self {
            Self::Token => token.name,
            Self::Made(name) => name,
            Self::Created(_, ty) => ty.name(),
        }
    }
}

/// Characters that are inserted.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Those of the token.
    Token,
    /// These, for the token.
    Literal(&'static str),
    /// The pending ones.
    Pending,
}

/// Whether both are one element, or both none.
#[inline(always)]
pub fn is_same<N>(one: Option<&Element<N>>, other: Option<&Element<N>>) -> bool {
    one.map(|it| it.serial) == other.map(|it| it.serial)
}

/// Whether an identifier is there and starts with a string, ASCII case-insensitively.
pub fn starts_with(identifier: Option<&str>, start: &str) -> bool {
    let found = identifier.and_then(|it| it.as_bytes().get(..start.len()));
    found.is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
}

/// The serial of the contents of a template element.
const CONTENTS: u32 = u32::MAX - 2;

/// Characters that wait, as they came.
#[derive(Debug)]
struct Waiting {
    start: usize,
    end: usize,
    span: Span,
}

/// Takes the tokens of a tokenizer and builds a tree in a [`TreeSink`]. It is the sink of the tokenizer.
#[derive(Debug)]
pub struct Builder<S: TreeSink, R: Rules<SCOPES>, const SCOPES: usize> {
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
    pub own: R::Variables<S::Node>,
    /// How deep the tree may get.
    depths: Depths,
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
    pub content: Option<Content>,
    pauses: bool,
    /// Whether the token goes to the rules again.
    pub reprocess: bool,
    /// Whether it takes no more tokens.
    pub stopped: bool,
}

impl<S: TreeSink, R: Rules<SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
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
            serial: u32::MAX - 1,
            ty: Type::DOCUMENT,
            sets: 0,
        };
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
            own: R::variables(options),
            depths: Depths::new(),
            context: None,
            ancestors: Vec::new(),
            new: None,
            new_kept: None,
            new_is_of_token: false,
            popped: None,
            properties: BTreeMap::new(),
            pending: String::new(),
            waiting: Vec::new(),
            serials: 0,
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
        let mut token = Token::none();
        if let Some(root) = R::start_fragment(self, &mut token) {
            self.sink.fragment_root(&root.node);
        }
    }

    /// Limits the depth of the tree, see [`Options::depth`].
    pub fn set_depth(&mut self, depth: Option<usize>) {
        self.depths.limit = depth.map_or(usize::MAX, |depth| depth.max(1));
    }

    /// The content in which the tokenizer starts, if the context element decides that: give it to
    /// [`Tokenizer::enter`](crate::Tokenizer::enter).
    pub fn first_content(&mut self) -> Option<Content> {
        self.context.as_ref()?;
        let mut token = Token::none();
        R::first_content(self, &mut token)
    }

    /// The sink of the tree.
    pub fn into_sink(self) -> S {
        self.sink
    }

    #[inline(always)]
    fn process(&mut self, token: &mut Token<'_>) {
        self.list.forget_positions();
        self.reprocess = false;
        R::dispatch(self, token);
        if self.reprocess {
            self.process_again(token);
        }
        if S::ERRORS && token.must_be_acknowledged && !self.stopped {
            self.error(
                token,
                Some("non-void-html-element-start-tag-with-trailing-solidus"),
            );
        }
    }

    #[inline(never)]
    fn process_again(&mut self, token: &mut Token<'_>) {
        while self.reprocess && !self.stopped {
            self.reprocess = false;
            R::dispatch(self, token);
        }
    }

    #[inline(always)]
    fn tag(&mut self, kind: Kind, tag: &Tag<'_>, span: Span) -> Answer {
        if self.stopped {
            return Answer::Continue;
        }
        self.ignored_next = None;
        let mut token = Token::new(kind, span);
        token.name = self.names.intern(tag.name);
        token.text = tag.name;
        token.attributes = TagAttributes::new(tag.attributes, span);
        token.is_self_closing = tag.self_closing_flag;
        token.must_be_acknowledged = tag.self_closing_flag && matches!(kind, Kind::StartTag);
        self.process(&mut token);
        if self.content.is_none() && !self.pauses {
            return Answer::Continue;
        }
        self.answer()
    }

    #[cold]
    fn answer(&mut self) -> Answer {
        let content = self.content.take();
        if core::mem::take(&mut self.pauses) {
            return Answer::Pause;
        }
        content.map_or(Answer::Continue, Answer::Switch)
    }

    fn other(&mut self, mut token: Token<'_>) {
        self.ignored_next = None;
        if !self.stopped {
            self.process(&mut token);
        }
    }

    fn text(&mut self, text: &str, span: Span) {
        if self.stopped {
            return;
        }
        if self.ignored_next.is_some() {
            return self.text_behind(text, span);
        }
        let mut token = Token::characters(text, span);
        self.reprocess = false;
        R::dispatch(self, &mut token);
        // Nearly always the rules take all characters.
        if self.reprocess || token.text.len() < text.len() {
            let taken = if self.reprocess { 0 } else { token.text.len() };
            self.rest(text, span, taken);
        }
    }

    /// Gives characters to the rules of which the first may be ignored.
    #[cold]
    fn text_behind(&mut self, text: &str, span: Span) {
        let ignored = self.ignored_next.take();
        let ignored = ignored.filter(|it| text.starts_with(*it));
        self.rest(text, span, ignored.map_or(0, char::len_utf8));
    }

    /// Gives the rest of the characters to the rules.
    #[inline(never)]
    fn rest(&mut self, text: &str, span: Span, mut from: usize) {
        while from < text.len() && !self.stopped {
            // The rules take some of the characters, or change the mode and take none.
            let (rest, place) = part(text, span, from, text.len());
            let mut token = Token::characters(rest, place);
            self.reprocess = false;
            R::dispatch(self, &mut token);
            if !self.reprocess {
                from += token.text.len();
            }
        }
        self.reprocess = false;
    }

    /// A parse error at the token.
    #[inline]
    pub fn error(&mut self, token: &Token<'_>, code: Option<&'static str>) {
        if S::ERRORS {
            let error = TreeError {
                offset: token.span.start,
                code,
                mode: R::mode_name(self.mode),
                kind: token.kind.as_str(),
            };
            self.sink.error(error);
        }
    }

    /// The Document.
    pub fn document(&self) -> Option<Element<S::Node>> {
        Some(self.document.clone())
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

    /// The contents of a template element.
    pub fn contents(&mut self, of: Option<Element<S::Node>>) -> Option<Element<S::Node>> {
        let is_template = |ty: Type| {
            // The DOM gives these, and no others, contents.
            ty.space() == Space::Html && self.names.text(ty.name()) == "template"
        };
        let of = of.filter(|of| is_template(of.ty))?;
        Some(Element {
            node: self.sink.template_contents(&of.node),
            serial: CONTENTS,
            ty: Type::NONE,
            sets: 0,
        })
    }

    /// The place immediately before an element, in its parent.
    pub fn before(&self, sibling: Option<Element<S::Node>>) -> Option<Location<S::Node>> {
        let sibling = sibling?;
        let above = self.stack.above(sibling.serial).unwrap_or(&sibling).clone();
        Some(Location::Before(Box::new((sibling, above))))
    }

    /// The place immediately before a child of a node; without a child, after the last one.
    pub fn pair(
        &self,
        parent: Option<Element<S::Node>>,
        child: Option<Element<S::Node>>,
    ) -> Option<Location<S::Node>> {
        match child {
            Some(_) => self.before(child),
            None => parent.map(Location::LastChild),
        }
    }

    fn serial(&mut self) -> u32 {
        let serial = self.serials;
        // So many elements fit into no memory.
        self.serials = serial.saturating_add(1);
        serial
    }

    /// Creates an element for a token, with its attributes.
    #[inline(always)]
    pub fn create(
        &mut self,
        token: &Token<'_>,
        of: Origin,
        space: Space,
    ) -> Option<Element<S::Node>> {
        match of {
            Origin::Token => {
                let name = ElementName {
                    space,
                    local: token.text,
                    number: token.name,
                };
                let span = matches!(token.kind, Kind::StartTag).then_some(token.span);
                let node = self.sink.create_element(name, &token.attributes, span);
                let ty = Type::new(space, token.name);
                let sets = R::sets(ty, &token.attributes);
                self.created(node, ty, sets, true)
            }
            Origin::Made(name) => self.create_named(name, space),
            Origin::Created(serial, of) => self.create_again(serial, of, space),
        }
    }

    #[inline(never)]
    fn create_again(&mut self, serial: u32, of: Type, space: Space) -> Option<Element<S::Node>> {
        let entry = self.list.get(serial).and_then(|entry| entry.kept.clone());
        let Some(kept) = entry else {
            return self.create_named(of.name(), space);
        };
        let name = ElementName {
            space,
            local: self.names.text(of.name()),
            number: of.name(),
        };
        let node = self.sink.create_again(name, &kept);
        let ty = Type::new(space, of.name());
        let element = self.created(node, ty, R::sets(ty, &TagAttributes::NONE), false);
        self.new_kept = Some(kept);
        element
    }

    /// Creates an element without a token.
    #[inline(never)]
    pub fn create_named(&mut self, name: Name, space: Space) -> Option<Element<S::Node>> {
        let full = ElementName {
            space,
            local: self.names.text(name),
            number: name,
        };
        let node = self.sink.create_element(full, &TagAttributes::NONE, None);
        let ty = Type::new(space, name);
        self.created(node, ty, R::sets(ty, &TagAttributes::NONE), false)
    }

    #[inline(always)]
    fn created(
        &mut self,
        node: S::Node,
        ty: Type,
        sets: u64,
        is_of_token: bool,
    ) -> Option<Element<S::Node>> {
        let serial = self.serial();
        let element = Element {
            node,
            serial,
            ty,
            sets,
        };
        self.new_is_of_token = is_of_token;
        self.new_kept = None;
        self.new = Some(element.clone());
        Some(element)
    }

    /// Whether an element was created for the token, and that has another namespace in an attribute.
    pub fn has_other_namespace(
        &self,
        token: &Token<'_>,
        element: Option<&Element<S::Node>>,
        name: &str,
        url: &str,
    ) -> bool {
        let is_new = element.zip(self.new.as_ref());
        let is_new = is_new.is_some_and(|(one, other)| one.is_same(other));
        is_new && self.new_is_of_token && token.has_other_namespace(name, url)
    }

    /// What is kept of the token of an element that goes into the list.
    #[inline(always)]
    fn kept(&mut self, token: &Token<'_>, element: &Element<S::Node>) -> S::Kept {
        let is_new = self.new.as_ref().is_some_and(|new| new.is_same(element));
        if is_new && let Some(kept) = &self.new_kept {
            return kept.clone();
        }
        let kept = self.sink.keep(&element.node, &token.attributes);
        if is_new {
            self.new_kept = Some(kept.clone());
        }
        kept
    }

    /// Adds an element at the end of the list.
    pub fn add(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) {
        if let Some(element) = element {
            let kept = self.kept(token, &element);
            let Self { list, sink, .. } = self;
            list.push(Entry::new(element, kept), |kept| sink.hash(kept));
        }
    }

    /// Adds a marker there.
    pub fn add_marker(&mut self) {
        let marker = Element {
            node: self.document.node.clone(),
            serial: self.serial(),
            ty: Type::MARKER,
            sets: 0,
        };
        let Self { list, sink, .. } = self;
        list.push_marker(marker, |kept| sink.hash(kept));
    }

    /// Replaces an entry of the list.
    pub fn replace_in_list(
        &mut self,
        token: &Token<'_>,
        old: Option<Element<S::Node>>,
        new: Option<Element<S::Node>>,
    ) {
        if let (Some(old), Some(new)) = (old, new)
            && self.list.contains(old.serial)
        {
            let kept = self.kept(token, &new);
            let Self { list, sink, .. } = self;
            list.replace(old.serial, Entry::new(new, kept), |kept| sink.hash(kept));
        }
    }

    /// Puts an element into the list at a position.
    pub fn insert_at_position(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
        position: Option<Position>,
    ) {
        if let (Some(element), Some(position)) = (element, position) {
            let kept = self.kept(token, &element);
            let Self { list, sink, .. } = self;
            list.insert_at(position, Entry::new(element, kept), |kept| sink.hash(kept));
        }
    }

    /// The entry that `find` takes from those of the list that are like an element, from the last one back to the last marker.
    fn alike(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
        find: impl FnOnce(&mut dyn Iterator<Item = Element<S::Node>>) -> Option<Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        let element = element?;
        let kept = self.kept(token, &element);
        let Self { list, sink, .. } = self;
        let is_alike = |other: &S::Kept| sink.is_alike(&kept, other);
        let mut alike = list.alike(element.ty, is_alike, || sink.hash(&kept));
        find(&mut alike.by_ref().map(|it| it.element.clone()))
    }

    /// Whether the list has three entries behind the last marker that are like an element, see 13.2.4.3.
    #[inline(always)]
    pub fn has_three_like(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) -> bool {
        // Nearly always there is none with its type.
        if element
            .as_ref()
            .is_none_or(|it| self.list.last_of(it.ty).is_none())
        {
            return false;
        }
        self.alike(token, element, |alike| alike.nth(2)).is_some()
    }

    /// The earliest entry behind the last marker that is like an element.
    pub fn earliest_like(
        &mut self,
        token: &Token<'_>,
        element: Option<Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        self.alike(token, element, |alike| alike.last())
    }

    /// The last entry behind the last marker with a name, in any namespace.
    #[inline]
    pub fn last_entry_named(&self, name: Name) -> Option<&Element<S::Node>> {
        let has = |space| self.list.has(Type::new(space, name));
        let last = match has(Space::MathMl) || has(Space::Svg) {
            false => self.list.last_of(Type::html(name)),
            true => self
                .list
                .iter()
                .fold(None, |found, it| match it.element.ty {
                    Type::MARKER => None,
                    ty if ty.name() == name => Some(it),
                    _ => found,
                }),
        };
        last.map(|entry| &entry.element)
    }

    /// The position of an entry of the list.
    pub fn position_of(&mut self, element: Option<&Element<S::Node>>) -> Option<Position> {
        self.list.position(element?.serial)
    }

    /// The position immediately after an entry of the list.
    pub fn position_after(&mut self, element: Option<&Element<S::Node>>) -> Option<Position> {
        self.list.position_after(element?.serial)
    }

    /// Whether the first is lower than the second on the stack.
    pub fn is_lower(
        &self,
        one: Option<&Element<S::Node>>,
        other: Option<&Element<S::Node>>,
    ) -> bool {
        let position = |of: Option<&Element<S::Node>>| self.stack.position(of?.serial);
        matches!((position(one), position(other)), (Some(one), Some(other)) if one > other)
    }

    /// The last of the stack of template insertion modes; the insertion mode, if there is none.
    pub fn current_template_mode(&self) -> R::Mode {
        self.template_modes.last().copied().unwrap_or(self.mode)
    }

    /// Pushes onto the stack.
    #[inline(always)]
    pub fn push(&mut self, element: Option<Element<S::Node>>) {
        if let Some(element) = element {
            self.stack.push(element);
        }
    }

    /// Puts the second in the place of the first, if that is on the stack.
    pub fn replace_on_stack(
        &mut self,
        old: Option<Element<S::Node>>,
        new: Option<Element<S::Node>>,
    ) {
        if let (Some(old), Some(new)) = (old, new) {
            if self.depths.are_limited() {
                self.depths.pass(old.serial, new.serial);
            }
            self.stack.replace(old.serial, new);
        }
    }

    /// Puts the first immediately below the second on the stack.
    pub fn insert_below(
        &mut self,
        element: Option<Element<S::Node>>,
        above: Option<Element<S::Node>>,
    ) {
        if let (Some(element), Some(above)) = (element, above) {
            if self.depths.are_limited() {
                self.depths.pass(above.serial, element.serial);
            }
            self.stack.insert_below(above.serial, element);
        }
    }

    /// Takes an element from the stack, wherever it is. It stays in the tree, and so do those below it on the stack.
    pub fn remove(&mut self, token: &Token<'_>, element: Option<Element<S::Node>>) {
        let Some(element) = element.filter(|it| self.stack.contains(it.serial)) else {
            return;
        };
        if self.depths.are_limited() {
            let deeper = 1 + self.depths.below(element.serial);
            if let Some(above) = self.stack.above(element.serial) {
                self.depths.add_below(above.serial, deeper);
            }
        }
        self.stack.remove(element.serial);
        self.leaves_the_stack(element.serial);
        if let Some(end_tag) = self.end_tag_of(token, &element) {
            self.sink.end_tag(&element.node, end_tag);
        }
    }

    /// An element is no longer open.
    #[inline(always)]
    fn leaves_the_stack(&mut self, serial: u32) {
        if self.depths.are_limited() && !self.depths.are_those_of_the_stack() {
            self.depths.leaves(serial);
            if let Some(current) = self.stack.current() {
                self.depths.has_none_below(current.serial);
            }
        }
    }

    /// Where the token stands, if that is an end tag with the name of an element.
    #[inline(always)]
    fn end_tag_of(&self, token: &Token<'_>, element: &Element<S::Node>) -> Option<Span> {
        let name = element.ty.name();
        let is_end = matches!(token.kind, Kind::EndTag)
            && (name == token.name || R::lower(name) == token.name);
        is_end.then_some(token.span)
    }

    /// A node that no builder created or opened.
    const fn foreign(node: S::Node) -> Element<S::Node> {
        Element {
            node,
            serial: u32::MAX,
            ty: Type::NONE,
            sets: 0,
        }
    }

    /// The node in which a place is; the sibling there, if the sink does not know its parent.
    #[inline(always)]
    pub fn node_at(&mut self, at: Option<&Location<S::Node>>) -> Option<Element<S::Node>> {
        match at? {
            Location::LastChild(parent) => Some(parent.clone()),
            Location::Before(both) => self.node_before(&both.0),
        }
    }

    #[cold]
    fn node_before(&mut self, sibling: &Element<S::Node>) -> Option<Element<S::Node>> {
        let parent = self.sink.parent(&sibling.node);
        Some(Self::foreign(
            parent.unwrap_or_else(|| sibling.node.clone()),
        ))
    }

    /// The parent of a node, if the sink knows it. All nodes that a table asks about have the same parent.
    pub fn parent(&mut self, node: Option<&Element<S::Node>>) -> Option<Element<S::Node>> {
        self.sink.parent(&node?.node).map(Self::foreign)
    }

    /// Whether a node is the body element of its document.
    pub fn is_body(&mut self, node: Option<&Element<S::Node>>) -> bool {
        node.is_some_and(|node| self.sink.is_body(&node.node))
    }

    /// Whether a node has a parent.
    pub fn has_parent(&mut self, node: Option<&Element<S::Node>>) -> bool {
        node.is_some_and(|node| self.sink.has_parent(&node.node))
    }

    /// Whether the DOM lets a node be inserted at a place. The sink leaves out what it does not let.
    pub fn can_insert(
        &self,
        node: Option<&Element<S::Node>>,
        at: Option<&Location<S::Node>>,
    ) -> bool {
        node.is_some() && at.is_some()
    }

    /// Appends all children of a node to another.
    pub fn move_children(
        &mut self,
        from: Option<&Element<S::Node>>,
        to: Option<&Element<S::Node>>,
    ) {
        if let (Some(from), Some(to)) = (from, to) {
            self.sink.move_children(&from.node, &to.node);
        }
    }

    /// Takes a node from its parent, if it has one.
    pub fn detach(&mut self, node: Option<&Element<S::Node>>) {
        if let Some(node) = node {
            self.sink.detach(&node.node);
        }
    }

    /// Gives an element those attributes of the token that it does not have.
    pub fn add_missing_attributes(
        &mut self,
        token: &Token<'_>,
        element: Option<&Element<S::Node>>,
    ) {
        if let Some(element) = element {
            self.sink
                .add_missing_attributes(&element.node, &token.attributes);
        }
    }

    /// Pops the current node.
    #[inline]
    pub fn pop(&mut self, token: &mut Token<'_>) -> Option<Element<S::Node>> {
        let popped = self.stack.pop()?;
        self.leaves_the_stack(popped.serial);
        if let Some(end_tag) = self.end_tag_of(token, &popped) {
            self.sink.end_tag(&popped.node, end_tag);
        }
        self.sink.popped(&popped.node);
        R::popped(self, token, &popped);
        Some(popped)
    }

    /// Pops up to and with the first that fits.
    #[inline]
    pub fn pop_until(
        &mut self,
        token: &mut Token<'_>,
        mut is: impl FnMut(&Element<S::Node>, Name) -> bool,
    ) {
        while let Some(popped) = self.pop(token) {
            if is(&popped, token.name) {
                break;
            }
        }
    }

    /// Pops up to and with an element.
    pub fn pop_through(&mut self, token: &mut Token<'_>, last: Option<Element<S::Node>>) {
        let serial = last.map(|last| last.serial);
        while let Some(popped) = self.pop(token) {
            if Some(popped.serial) == serial {
                break;
            }
        }
    }

    /// Pops what is below an element.
    pub fn pop_below(&mut self, token: &mut Token<'_>, last: Option<Element<S::Node>>) {
        let serial = last.map(|last| last.serial);
        while self
            .stack
            .current()
            .is_some_and(|it| Some(it.serial) != serial)
        {
            self.pop(token);
        }
    }

    /// Takes no more tokens.
    pub fn stop(&mut self, token: &mut Token<'_>) {
        while self.pop(token).is_some() {}
        self.stopped = true;
    }

    /// A place, as the sink knows it. Before a node it is not deeper than that.
    #[inline(always)]
    fn place(&mut self, at: &Location<S::Node>) -> Place<S::Node> {
        match at {
            Location::LastChild(parent) if self.may_be_too_deep() => {
                Place::LastChild(self.not_too_deep(parent))
            }
            Location::LastChild(parent) => Place::LastChild(parent.node.clone()),
            Location::Before(both) => Place::Before {
                sibling: both.0.node.clone(),
                above: both.1.node.clone(),
            },
        }
    }

    /// Whether there may be open elements below the limit of the depth.
    #[inline(always)]
    fn may_be_too_deep(&self) -> bool {
        self.stack.len().saturating_add(self.depths.added) > self.depths.limit
    }

    /// A node, or the open element at the limit of the depth if it is deeper. What is not open is as deep as the current node, or
    /// the Document.
    #[cold]
    #[inline(never)]
    fn not_too_deep(&mut self, parent: &Element<S::Node>) -> S::Node {
        if parent.serial == self.document.serial {
            return parent.node.clone();
        }
        let deepest = match self.depths.are_those_of_the_stack() {
            true => {
                let position = self.stack.position(parent.serial);
                let is_deeper = position.is_none_or(|it| it >= self.depths.limit);
                self.stack.get(self.depths.limit - 1).filter(|_| is_deeper)
            }
            false => {
                let (mut open, mut depth, mut deepest) = (self.stack.iter(), 0, None);
                loop {
                    let Some(element) = open.next() else {
                        break None;
                    };
                    depth += 1;
                    if depth > self.depths.limit.cast_signed() {
                        break deepest;
                    }
                    if element.serial == parent.serial {
                        break None;
                    }
                    depth += self.depths.below(element.serial);
                    deepest = Some(element);
                }
            }
        };
        let Some(deepest) = deepest.cloned() else {
            return parent.node.clone();
        };
        let contents = self.contents(Some(deepest.clone()));
        contents.unwrap_or(deepest).node
    }

    /// An open element gets into another open one: those below it on the stack move with it.
    #[cold]
    #[inline(never)]
    fn move_open(&mut self, element: &Element<S::Node>, parent: &Element<S::Node>) {
        let Some(above) = self.stack.above(element.serial).map(|it| it.serial) else {
            return;
        };
        // How much deeper than its new parent the one above is.
        let (mut deeper, mut at) = (0, above);
        while at != parent.serial {
            let Some(next) = self.stack.above(at) else {
                return;
            };
            at = next.serial;
            deeper += 1 + self.depths.below(at);
        }
        let more = -deeper - self.depths.below(above);
        // An element that was too deep is not where it stands on the stack, and does not get less deep with those above.
        if more > 0 || !self.may_be_too_deep() {
            self.depths.add_below(above, more);
        }
    }

    /// Inserts a node.
    #[inline(always)]
    pub fn insert(&mut self, node: Option<&Element<S::Node>>, at: Option<&Location<S::Node>>) {
        if let (Some(node), Some(at)) = (node, at) {
            let place = self.place(at);
            self.sink.insert(&node.node, &place);
            if let (true, Location::LastChild(parent)) = (self.depths.are_limited(), at)
                && self.stack.contains(node.serial)
                && self.stack.contains(parent.serial)
            {
                self.move_open(node, parent);
            }
        }
    }

    /// Appends a node behind the last child of another.
    pub fn append(&mut self, node: Option<&Element<S::Node>>, to: Option<Element<S::Node>>) {
        self.insert(node, to.map(Location::LastChild).as_ref());
    }

    /// Inserts characters; none of them, nothing.
    #[inline(always)]
    pub fn insert_data(&mut self, token: &Token<'_>, data: Data, at: Option<&Location<S::Node>>) {
        let text = match data {
            Data::Token => token.text,
            Data::Literal(text) => text,
            Data::Pending => return self.insert_pending(at),
        };
        if let Some(at) = at
            && !text.is_empty()
        {
            let text = Text {
                text,
                span: token.span,
            };
            let place = self.place(at);
            self.sink.insert_text(text, &place);
        }
    }

    fn insert_pending(&mut self, at: Option<&Location<S::Node>>) {
        if let (Some(first), Some(last), Some(at)) = (self.waiting.first(), self.waiting.last(), at)
        {
            let span = Span {
                start: first.span.start,
                end: last.span.end,
            };
            let place = self.place(at);
            let text = &*self.pending;
            self.sink.insert_text(Text { text, span }, &place);
        }
    }

    /// Inserts a comment with the token's data.
    pub fn insert_comment(&mut self, token: &Token<'_>, at: Option<&Location<S::Node>>) {
        if let Some(at) = at {
            let place = self.place(at);
            self.sink.insert_comment(token.text, token.span, &place);
        }
    }

    /// Inserts a processing instruction with the token's target and data.
    pub fn insert_processing_instruction(
        &mut self,
        token: &Token<'_>,
        at: Option<&Location<S::Node>>,
    ) {
        if let Some(at) = at {
            let (target, data) = (token.target, token.text);
            let place = self.place(at);
            self.sink
                .insert_processing_instruction(target, data, token.span, &place);
        }
    }

    /// Appends a DOCTYPE with what the token has.
    pub fn append_doctype(&mut self, token: &Token<'_>) {
        if let Some(doctype) = token.doctype {
            let doctype = super::sink::Doctype {
                name: doctype.name.unwrap_or_default(),
                public_identifier: doctype.public_identifier.unwrap_or_default(),
                system_identifier: doctype.system_identifier.unwrap_or_default(),
            };
            self.sink.append_doctype(&doctype, token.span);
        }
    }

    /// Forgets the pending characters.
    pub fn empty_pending(&mut self) {
        self.pending.clear();
        self.waiting.clear();
    }

    /// Adds the token's characters to them.
    pub fn append_pending(&mut self, token: &Token<'_>) {
        let start = self.pending.len();
        self.pending.push_str(token.text);
        self.waiting.push(Waiting {
            start,
            end: self.pending.len(),
            span: token.span,
        });
    }

    /// Whether there are none.
    pub fn has_no_pending(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether one of them is as said.
    pub fn has_pending(&self, is: impl Fn(char) -> bool) -> bool {
        self.pending.chars().any(is)
    }

    /// Runs rules with each of the pending characters.
    pub fn for_pending(&mut self, mut rules: impl FnMut(&mut Self, &mut Token<'_>)) {
        let pending = core::mem::take(&mut self.pending);
        let waiting = core::mem::take(&mut self.waiting);
        for run in &waiting {
            let text = pending.get(run.start..run.end).unwrap_or_default();
            for (at, character) in text.char_indices() {
                let (text, span) = part(text, run.span, at, at + character.len_utf8());
                rules(self, &mut Token::characters(text, span));
            }
        }
        (self.pending, self.waiting) = (pending, waiting);
    }

    /// What the table keeps with an element.
    pub fn property(
        &self,
        number: usize,
        of: Option<&Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        self.properties.get(&(of?.serial, number)).cloned()
    }

    /// Keeps a node with an element, or nothing.
    pub fn set_property(
        &mut self,
        number: usize,
        of: Option<Element<S::Node>>,
        value: Option<Element<S::Node>>,
    ) {
        let Some(of) = of else { return };
        match value {
            Some(value) => self.properties.insert((of.serial, number), value),
            None => self.properties.remove(&(of.serial, number)),
        };
    }

    /// Runs a host step; whether it answers yes.
    #[inline(always)]
    pub fn host<const N: usize>(
        &mut self,
        name: &'static str,
        arguments: [Option<&Element<S::Node>>; N],
    ) -> bool {
        let nodes = arguments.map(|it| it.map(|it| &it.node));
        match self.sink.host_step(name, &nodes) {
            HostAnswer::No => false,
            HostAnswer::Yes => {
                self.keep_properties(arguments.last().copied().flatten());
                true
            }
            HostAnswer::Pause => {
                self.pauses = true;
                false
            }
        }
    }

    /// Keeps with an element what a host step found.
    #[cold]
    fn keep_properties(&mut self, of: Option<&Element<S::Node>>) {
        for (number, name) in R::PROPERTIES.iter().enumerate() {
            if let (Some(of), Some(node)) = (of, self.sink.host_property(name)) {
                if self.depths.are_limited() {
                    self.puts_inside(of.serial, &node);
                }
                self.set_property(number, Some(of.clone()), Some(Self::foreign(node)));
            }
        }
    }

    /// What is parsed in an open element may get into a node, or beside it: it is not deeper than in the node.
    fn puts_inside(&mut self, element: u32, node: &S::Node) {
        let limit = self.depths.limit.cast_signed();
        let (mut inside, mut at) = (0, node.clone());
        while let Some(parent) = self.sink.parent(&at)
            && inside <= limit
        {
            (inside, at) = (inside + 1, parent);
        }
        let mut depth = 0;
        for open in self.stack.iter() {
            depth += 1;
            if open.serial == element || depth > limit {
                break;
            }
            depth += self.depths.below(open.serial);
        }
        let more = inside - depth - self.depths.below(element);
        if more > 0 {
            self.depths.add_inside(element, more);
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

impl<S: TreeSink, R: Rules<SCOPES>, const SCOPES: usize> Sink for Builder<S, R, SCOPES> {
    const ERRORS: bool = S::ERRORS;
    // So each character has a place.
    const ERRORS_IN_ORDER: bool = true;
    const FEEDBACK: bool = false;

    fn characters(&mut self, data: &str, span: Span) {
        self.text(data, span);
    }

    #[inline(always)]
    fn start_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::StartTag, token, span)
    }

    #[inline(always)]
    fn end_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::EndTag, token, span)
    }

    fn empty_tag(&mut self, token: &Tag<'_>, span: Span) -> Answer {
        self.tag(Kind::EmptyTag, token, span)
    }

    fn short_end_tag(&mut self, span: Span) {
        self.other(Token::new(Kind::ShortEndTag, span));
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        let mut token = Token::new(Kind::Comment, span);
        token.text = comment.data;
        self.other(token);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        let mut token = Token::new(Kind::Doctype, span);
        if let Some(name) = doctype.name.and_then(|name| self.names.find(name)) {
            token.name = name;
        }
        token.doctype = Some(doctype);
        self.other(token);
    }

    fn processing_instruction(&mut self, instruction: &ProcessingInstruction<'_>, span: Span) {
        let mut token = Token::new(Kind::ProcessingInstruction, span);
        token.text = instruction.data;
        token.target = instruction.target;
        self.other(token);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        let mut token = Token::new(Kind::EntityReference, span);
        token.text = reference.name;
        self.other(token);
    }

    fn end_of_file(&mut self, at: u64) {
        self.other(Token::new(Kind::EndOfFile, Span { start: at, end: at }));
    }

    fn error(&mut self, error: ParseError) {
        self.sink.tokenizer_error(error);
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        R::cdata_sections_are_allowed(self)
    }
}
