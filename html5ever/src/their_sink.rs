//! Speclex's tree builder on top of a sink of html5ever's.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::rc::Rc;
use std::sync::OnceLock;

use speclex::tree::{
    Doctype, DocumentMode, ElementName, HostAnswer, HtmlHost, Name, NameTable, Place as At, Space,
    TagAttributes, Text, TreeError, TreeSink,
};
use speclex::{ParseError, Span};
use speclex_tokenizers::html_2026_06::errors;

use crate::base::interface::{NodeOrText, QuirksMode};
use crate::base::tendril::StrTendril;
use crate::base::tree_builder::{ElementFlags, TreeSink as Sink, create_element_with_flags};
use crate::base::{Attribute, LocalName, Namespace, Prefix, QualName, ns};
use crate::host::tendril;
use crate::names::local_name;
use crate::place::Place;
use crate::spans::{Origin, Spans};

/// A node of the sink.
#[derive(Clone)]
pub(crate) struct Node<H> {
    pub(crate) handle: H,
    /// Each element that was created has a number of its own.
    number: u32,
}

/// A node that was not created for a builder, which may be used as a parent only.
const NOT_CREATED: u32 = u32::MAX;
/// The Document. It takes no text.
const DOCUMENT: u32 = u32::MAX - 1;

impl<H> Node<H> {
    pub(crate) const fn of(handle: H) -> Self {
        Self {
            handle,
            number: NOT_CREATED,
        }
    }
}

// Handles need not be printable.
impl<H> fmt::Debug for Node<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Node").field(&self.number).finish()
    }
}

/// What is kept of a start tag.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// None, if there are none.
    attributes: Option<Rc<[Attribute]>>,
    had_duplicates: bool,
    /// Where the tag stands.
    span: Option<Span>,
}

impl Kept {
    fn attributes(&self) -> &[Attribute] {
        self.attributes.as_deref().unwrap_or_default()
    }
}

/// What a sink wants besides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    pub(crate) exact_errors: bool,
    pub(crate) drops_doctype: bool,
}

/// A sink of html5ever's as one of Speclex's.
pub(crate) struct Their<S: Sink> {
    /// Lent to it while it runs.
    sink: Option<Rc<S>>,
    /// Where that sees spans.
    pub(crate) spans: Option<Spans>,
    wishes: Wishes,
    /// The names of the table, by their numbers.
    names: &'static [LocalName],
    /// The names of elements that may have flags.
    flagged: [Option<Name>; 2],
    /// The chunk that is tokenized.
    pub(crate) chunk: StrTendril,
    /// How many elements were created.
    created: u32,
    /// The number of the element that was created last, until it is inserted.
    fresh: Option<u32>,
    /// Where the last attribute stands that its tag has twice.
    duplicate_at: Option<u64>,
    /// Whether the tag of the element that was created last has one.
    had_duplicates: bool,
    /// Where that tag stands.
    span: Option<Span>,
    /// Whether the document's mode is the document's own: a fragment has that of its context element.
    pub(crate) sets_mode: bool,
    /// Whether the parser pauses at scripts and encoding indicators.
    pub(crate) pauses: bool,
    /// The script at which it does.
    pub(crate) script: Option<Handle<S>>,
    /// Whether it does for a `meta` element.
    pub(crate) is_at_meta: bool,
    /// Makes hashes that a document cannot foresee.
    seed: u64,
}

type Handle<S> = <S as Sink>::Handle;

impl<S: Sink> Their<S> {
    pub(crate) fn new(sink: Rc<S>, table: &'static NameTable, wishes: Wishes) -> Self {
        static NAMES: OnceLock<Vec<LocalName>> = OnceLock::new();
        let names = NAMES.get_or_init(|| table.names().iter().map(|it| (*it).into()).collect());
        Self {
            sink: Some(sink),
            spans: None,
            wishes,
            names,
            flagged: ["template", "annotation-xml"].map(|name| table.find(name)),
            chunk: StrTendril::new(),
            created: 0,
            fresh: None,
            duplicate_at: None,
            had_duplicates: false,
            span: None,
            sets_mode: false,
            pauses: false,
            script: None,
            is_at_meta: false,
            seed: RandomState::new().hash_one(0),
        }
    }

    /// Lends it the sink, for what a chunk makes.
    pub(crate) fn start(
        &mut self,
        sink: &Rc<S>,
        spans: Option<&Spans>,
        chunk: Option<&StrTendril>,
    ) {
        self.sink = Some(Rc::clone(sink));
        self.spans = spans.cloned();
        self.chunk = chunk.cloned().unwrap_or_default();
    }

    /// Lets go of what it was lent: the sink has one owner again.
    pub(crate) fn leave(&mut self) {
        self.sink = None;
        self.spans = None;
        self.chunk = StrTendril::new();
    }

    #[inline(always)]
    pub(crate) fn sink(&self) -> &S {
        self.sink.as_deref().expect("a sink while it runs")
    }

    /// A hash that a document cannot foresee. Attributes in another order have the same.
    fn hash_of(&self, attributes: &[Attribute]) -> u64 {
        let hashes = attributes.iter().map(|it| {
            let name = self.seed ^ it.name.local.get_hash();
            let (words, rest) = it.value.as_bytes().as_chunks::<8>();
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            let words = words.iter().chain([&last]);
            words.fold(name, |hash, word| mix(hash, u64::from_le_bytes(*word)))
        });
        hashes.fold(0, u64::wrapping_add)
    }

    #[inline(always)]
    fn tendril(&self, string: &str) -> StrTendril {
        tendril(string, &self.chunk, &self.chunk)
    }

    #[inline(always)]
    fn name(&self, name: &str) -> LocalName {
        let text = &*self.chunk;
        local_name(name, text, Place::of(name, text).start)
    }

    #[inline(always)]
    fn element_name(&self, name: &ElementName<'_>) -> QualName {
        let known = self.names.get(name.number.0 as usize).cloned();
        let local = known.unwrap_or_else(|| self.name(name.local));
        QualName::new(None, namespace(name.space), local)
    }

    fn attributes(&self, attributes: &TagAttributes<'_>) -> Vec<Attribute> {
        let text: &str = &self.chunk;
        let mut all = Vec::with_capacity(attributes.len());
        // Unlike `for`, this compiles to one loop.
        attributes.iter().for_each(|(name, value)| {
            let local = local_name(name.local, text, Place::of(name.local, text).start);
            all.push(Attribute {
                name: QualName::new(name.prefix.map(Prefix::from), namespace(name.space), local),
                value: tendril(value, &self.chunk, text),
            });
        });
        all
    }

    #[inline(always)]
    fn create(
        &mut self,
        name: &ElementName<'_>,
        attributes: Vec<Attribute>,
        had_duplicates: bool,
        origin: Origin,
    ) -> Node<Handle<S>> {
        // Of all others the name need not be compared.
        let may_have_flags = self.flagged.contains(&Some(name.number));
        let name = self.element_name(name);
        if let Some(spans) = &self.spans {
            spans.show_origin(origin);
        }
        let handle = if may_have_flags {
            create_element_with_flags(self.sink(), name, attributes, had_duplicates)
        } else {
            let mut flags = ElementFlags::default();
            flags.had_duplicate_attributes = had_duplicates;
            self.sink().create_element(name, attributes, flags)
        };
        if let Some(spans) = &self.spans {
            spans.hide_origin();
        }
        let number = self.created;
        self.created = (number + 1) % DOCUMENT;
        self.fresh = Some(number);
        self.had_duplicates = had_duplicates;
        Node { handle, number }
    }

    #[inline(always)]
    fn put(&self, child: NodeOrText<Handle<S>>, place: &At<Node<Handle<S>>>) {
        match place {
            At::LastChild(parent) => self.sink().append(&parent.handle, child),
            At::Before { sibling, above } => {
                let (sibling, above) = (&sibling.handle, &above.handle);
                self.sink()
                    .append_based_on_parent_node(sibling, above, child);
            }
        }
    }
}

/// Mixes a word into a hash.
#[inline(always)]
fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word) * u128::from(0x9E37_79B9_7F4A_7C15_u64 ^ hash.rotate_left(32));
    product as u64 ^ (product >> 64) as u64
}

/// A namespace as html5ever has it.
#[inline(always)]
fn namespace(space: Space) -> Namespace {
    match space {
        Space::Html => ns!(html),
        Space::MathMl => ns!(mathml),
        Space::Svg => ns!(svg),
        Space::XLink => ns!(xlink),
        Space::Xml => ns!(xml),
        Space::Xmlns => ns!(xmlns),
        Space::None => ns!(),
    }
}

/// A namespace as Speclex has it.
pub(crate) fn space(namespace: &Namespace) -> Space {
    match *namespace {
        ns!(html) => Space::Html,
        ns!(mathml) => Space::MathMl,
        ns!(svg) => Space::Svg,
        _ => Space::None,
    }
}

impl<S: Sink> TreeSink for Their<S> {
    type Node = Node<Handle<S>>;
    type Kept = Kept;
    const ERRORS: bool = true;

    fn is_same_node(&self, one: &Self::Node, other: &Self::Node) -> bool {
        self.sink().same_node(&one.handle, &other.handle)
    }

    fn document(&mut self) -> Self::Node {
        Node {
            handle: self.sink().get_document(),
            number: DOCUMENT,
        }
    }

    #[inline]
    fn create_element(
        &mut self,
        name: ElementName<'_>,
        attributes: &TagAttributes<'_>,
        span: Option<Span>,
    ) -> Self::Node {
        let attributes = match attributes.is_empty() {
            true => Vec::new(),
            false => self.attributes(attributes),
        };
        let had_duplicates = self.duplicate_at.zip(span);
        let had_duplicates = had_duplicates.is_some_and(|(at, span)| span.start <= at);
        self.span = span;
        let origin = span.map_or(Origin::Implied, Origin::Own);
        self.create(&name, attributes, had_duplicates, origin)
    }

    fn keep(&mut self, _: &Self::Node, attributes: &TagAttributes<'_>) -> Kept {
        let attributes = self.attributes(attributes);
        Kept {
            attributes: (!attributes.is_empty()).then(|| attributes.into()),
            had_duplicates: self.had_duplicates,
            span: self.span,
        }
    }

    fn create_again(&mut self, name: ElementName<'_>, kept: &Kept) -> Self::Node {
        let attributes = kept.attributes().to_vec();
        let origin = kept.span.map_or(Origin::Implied, Origin::CopyOf);
        self.create(&name, attributes, kept.had_duplicates, origin)
    }

    fn hash(&self, kept: &Kept) -> u64 {
        self.hash_of(kept.attributes())
    }

    fn is_alike(&self, one: &Kept, other: &Kept) -> bool {
        let all = [one, other].map(Kept::attributes);
        let [one, other] = all;
        one.len() == other.len()
            && (one == other || {
                let [mut these, mut those] = all.map(|all| all.iter().collect::<Vec<_>>());
                these.sort_unstable();
                those.sort_unstable();
                these == those
            })
    }

    #[inline]
    fn insert(&mut self, node: &Self::Node, place: &At<Self::Node>) {
        // A new element has no parent yet.
        if self.fresh.take() != Some(node.number) {
            self.sink().remove_from_parent(&node.handle);
        }
        self.put(NodeOrText::AppendNode(node.handle.clone()), place);
    }

    #[inline]
    fn insert_text(&mut self, text: Text<'_>, place: &At<Self::Node>) {
        if !matches!(place, At::LastChild(parent) if parent.number == DOCUMENT) {
            let data = NodeOrText::AppendText(self.tendril(text.text));
            match &self.spans {
                // The text of a table comes with a token behind it.
                Some(spans) => spans.show_for(text.span, || self.put(data, place)),
                None => self.put(data, place),
            }
        }
    }

    fn insert_comment(&mut self, data: &str, _: Span, place: &At<Self::Node>) {
        let comment = self.sink().create_comment(self.tendril(data));
        self.put(NodeOrText::AppendNode(comment), place);
    }

    fn insert_processing_instruction(
        &mut self,
        target: &str,
        data: &str,
        _: Span,
        place: &At<Self::Node>,
    ) {
        let (target, data) = (self.tendril(target), self.tendril(data));
        let instruction = self.sink().create_pi(target, data);
        self.put(NodeOrText::AppendNode(instruction), place);
    }

    fn append_doctype(&mut self, doctype: &Doctype<'_>, _: Span) {
        if !self.wishes.drops_doctype {
            self.sink().append_doctype_to_document(
                self.tendril(doctype.name),
                self.tendril(doctype.public_identifier),
                self.tendril(doctype.system_identifier),
            );
        }
        // The table says only what is not so.
        self.sink().set_quirks_mode(QuirksMode::NoQuirks);
    }

    fn has_parent(&mut self, _: &Self::Node) -> bool {
        true
    }

    fn template_contents(&mut self, template: &Self::Node) -> Self::Node {
        Node::of(self.sink().get_template_contents(&template.handle))
    }

    fn move_children(&mut self, from: &Self::Node, to: &Self::Node) {
        self.sink().reparent_children(&from.handle, &to.handle);
    }

    fn detach(&mut self, node: &Self::Node) {
        self.sink().remove_from_parent(&node.handle);
    }

    fn add_missing_attributes(&mut self, element: &Self::Node, attributes: &TagAttributes<'_>) {
        let attributes = self.attributes(attributes);
        self.sink()
            .add_attrs_if_missing(&element.handle, attributes);
    }

    #[inline]
    fn popped(&mut self, element: &Self::Node) {
        self.sink().pop(&element.handle);
    }

    #[inline]
    fn set_document_mode(&mut self, mode: DocumentMode) {
        if self.sets_mode {
            self.sink().set_quirks_mode(match mode {
                DocumentMode::Quirks => QuirksMode::Quirks,
                DocumentMode::LimitedQuirks => QuirksMode::LimitedQuirks,
                DocumentMode::NoQuirks => QuirksMode::NoQuirks,
            });
        }
    }

    fn tokenizer_error(&mut self, error: ParseError) {
        if error.code == errors::DUPLICATE_ATTRIBUTE {
            self.duplicate_at = Some(error.offset);
        }
        self.sink().parse_error(Cow::Borrowed(error.code.as_str()));
    }

    #[cold]
    fn error(&mut self, error: TreeError) {
        let TreeError {
            code, mode, kind, ..
        } = error;
        self.sink().parse_error(match code {
            Some(code) => Cow::Borrowed(code),
            None if self.wishes.exact_errors => Cow::Owned(format!(
                "unexpected {kind} in the insertion mode \"{mode}\""
            )),
            None => Cow::Borrowed("unexpected token"),
        });
    }
}

// html5ever does not stop at the scripts of `svg`, and its sinks do nothing else that the text asks for.
impl<S: Sink> HtmlHost for Their<S> {
    fn maybe_clone_an_option_into_selectedcontent(&mut self, option: Option<&Self::Node>) {
        if let Some(option) = option {
            self.sink()
                .maybe_clone_an_option_into_selectedcontent(&option.handle);
        }
    }

    fn run_the_reset_algorithm_of_a_resettable_element(&mut self, _: Option<&Self::Node>) {}

    fn associate_a_form_associated_element_with_its_form_owner(
        &mut self,
        element: Option<&Self::Node>,
        form: Option<&Self::Node>,
        parent: Option<&Self::Node>,
    ) {
        if let (Some(element), Some(form), Some(parent)) = (element, form, parent) {
            let place = (&parent.handle, None);
            self.sink()
                .associate_with_form(&element.handle, &form.handle, place);
        }
    }

    fn change_the_encoding_if_the_meta_element_says_so(
        &mut self,
        _: Option<&Self::Node>,
    ) -> HostAnswer {
        if !self.pauses {
            return HostAnswer::No;
        }
        self.is_at_meta = true;
        HostAnswer::Pause
    }

    fn set_the_parser_document(&mut self, _: Option<&Self::Node>) {}

    fn set_force_async_to_false(&mut self, _: Option<&Self::Node>) {}

    fn set_already_started_to_true(&mut self, script: Option<&Self::Node>) {
        if let Some(script) = script {
            self.sink().mark_script_already_started(&script.handle);
        }
    }

    fn run_the_script_and_wait_for_the_pending_parsing_blocking_script(
        &mut self,
        script: Option<&Self::Node>,
    ) -> HostAnswer {
        let (Some(script), true) = (script, self.pauses) else {
            return HostAnswer::No;
        };
        self.script = Some(script.handle.clone());
        HostAnswer::Pause
    }

    fn process_the_svg_script_element(&mut self, _: Option<&Self::Node>) -> HostAnswer {
        HostAnswer::No
    }

    fn attach_a_declarative_shadow_root(
        &mut self,
        _: Option<&Self::Node>,
        _: Option<&Self::Node>,
    ) -> bool {
        false
    }

    fn prepare_content_patching(&mut self, _: Option<&Self::Node>, _: Option<&Self::Node>) -> bool {
        false
    }

    fn insertion_target(&mut self) -> Option<Self::Node> {
        None
    }

    fn insertion_start_marker(&mut self) -> Option<Self::Node> {
        None
    }

    fn insertion_end_marker(&mut self) -> Option<Self::Node> {
        None
    }
}
