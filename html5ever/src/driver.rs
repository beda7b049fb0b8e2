//! The parser: html5ever's interface on top of this crate's tokenizer and tree builder.

use std::borrow::Cow;

pub use crate::base::driver::ParseOpts;

use crate::base::interface::create_element;
use crate::base::tendril::stream::{TendrilSink, Utf8LossyDecoder};
use crate::base::tendril::{StrTendril, fmt};
use crate::base::{Attribute, QualName, TokenizerResult};
use crate::revision::Revision;
use crate::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use crate::tree_builder::{TreeBuilder, TreeSink};

/// Parses a document, as html5ever's function of this name does.
///
/// What it returns is a [`TendrilSink`]: give it text at once with `one`, or in pieces. For bytes there is
/// [`Parser::from_utf8`].
pub fn parse_document<Sink>(sink: Sink, opts: ParseOpts) -> Parser<Sink>
where
    Sink: TreeSink,
{
    parse_document_as(Revision::default(), sink, opts)
}

/// Parses a document as a revision of the standard says. Tokens are those of the revision; what becomes of them is always what the
/// text of 24 June 2026 says.
///
/// ```
/// use speclex_html5ever::tendril::TendrilSink;
/// use speclex_html5ever::{ParseOpts, Revision, driver::parse_document_as, serialize};
/// use markup5ever_rcdom::{RcDom, SerializableHandle};
///
/// let dom = parse_document_as(Revision::HtmlLiving, RcDom::default(), ParseOpts::default())
///     .one("<?a b?><p>x");
/// let mut html = Vec::new();
/// serialize(&mut html, &SerializableHandle::from(dom.document), Default::default())?;
/// assert_eq!(html, b"<!--?a b--><html><head></head><body><p>x</p></body></html>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn parse_document_as<Sink>(revision: Revision, sink: Sink, opts: ParseOpts) -> Parser<Sink>
where
    Sink: TreeSink,
{
    let builder = TreeBuilder::new(sink, opts.tree_builder);
    Parser::new(Tokenizer::new_as(revision, builder, opts.tokenizer))
}

/// Parses a fragment in the context of an element, as html5ever's function of this name does.
pub fn parse_fragment<Sink>(
    sink: Sink,
    opts: ParseOpts,
    context_name: QualName,
    context_attrs: Vec<Attribute>,
    context_element_allows_scripting: bool,
) -> Parser<Sink>
where
    Sink: TreeSink,
{
    let revision = Revision::default();
    parse_fragment_as(
        revision,
        sink,
        opts,
        context_name,
        context_attrs,
        context_element_allows_scripting,
    )
}

/// Parses a fragment as a revision of the standard says.
pub fn parse_fragment_as<Sink>(
    revision: Revision,
    sink: Sink,
    opts: ParseOpts,
    context_name: QualName,
    context_attrs: Vec<Attribute>,
    context_element_allows_scripting: bool,
) -> Parser<Sink>
where
    Sink: TreeSink,
{
    let context = create_element(&sink, context_name, context_attrs);
    fragment(
        revision,
        sink,
        opts,
        (context, context_element_allows_scripting),
        None,
    )
}

/// As [`parse_fragment`], with a context element that there is already, and perhaps a form element.
pub fn parse_fragment_for_element<Sink>(
    sink: Sink,
    opts: ParseOpts,
    context_element: Sink::Handle,
    context_element_allows_scripting: bool,
    form_element: Option<Sink::Handle>,
) -> Parser<Sink>
where
    Sink: TreeSink,
{
    let context = (context_element, context_element_allows_scripting);
    fragment(Revision::default(), sink, opts, context, form_element)
}

fn fragment<Sink: TreeSink>(
    revision: Revision,
    sink: Sink,
    opts: ParseOpts,
    (context, allows_scripting): (Sink::Handle, bool),
    form: Option<Sink::Handle>,
) -> Parser<Sink> {
    let builder = TreeBuilder::new_for_fragment(sink, context, form, opts.tree_builder);
    let state = builder.tokenizer_state_for_context_elem(allows_scripting);
    let opts = TokenizerOpts {
        initial_state: Some(state),
        ..opts.tokenizer
    };
    Parser::new(Tokenizer::new_as(revision, builder, opts))
}

/// A parser, which takes text through the methods of [`TendrilSink`].
pub struct Parser<Sink>
where
    Sink: TreeSink,
{
    /// The tokenizer; its sink is the tree builder, whose sink is yours.
    pub tokenizer: Tokenizer<TreeBuilder<Sink::Handle, Sink>>,
    /// Text that is not used yet.
    pub input_buffer: BufferQueue,
}

thread_local! {
    /// A queue to clone: a new one takes an allocation, and the clone of an empty one none.
    static NO_INPUT: BufferQueue = BufferQueue::default();
}

impl<Sink: TreeSink> Parser<Sink> {
    fn new(tokenizer: Tokenizer<TreeBuilder<Sink::Handle, Sink>>) -> Self {
        Self {
            tokenizer,
            input_buffer: NO_INPUT.with(BufferQueue::clone),
        }
    }

    /// The parser as a [`TendrilSink`] of bytes in UTF-8. Each malformed sequence becomes U+FFFD.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_utf8(self) -> Utf8LossyDecoder<Self> {
        Utf8LossyDecoder::new(self)
    }

    /// Goes on after scripts and encoding indicators, as html5ever's parser does.
    fn feed_all(&self) {
        while !matches!(
            self.tokenizer.feed(&self.input_buffer),
            TokenizerResult::Done
        ) {}
    }
}

impl<Sink: TreeSink> TendrilSink<fmt::UTF8> for Parser<Sink> {
    type Output = Sink::Output;

    fn process(&mut self, text: StrTendril) {
        // Where nothing waits, the text need not: in the queue it would take an allocation.
        if self.input_buffer.is_empty() {
            self.tokenizer.feed_text(text);
        } else {
            self.input_buffer.push_back(text);
            self.feed_all();
        }
    }

    fn error(&mut self, description: Cow<'static, str>) {
        self.tokenizer.sink.sink.parse_error(description);
    }

    fn finish(self) -> Self::Output {
        self.feed_all();
        self.tokenizer.end();
        self.tokenizer.sink.sink.finish()
    }
}
