//! html5ever's own tree builder on this crate's tokenizer, as [`parse_document`](crate::parse_document) was in the versions before:
//! it stays for one release.
//!
//! ```
//! use speclex_html5ever::tendril::TendrilSink;
//! use speclex_html5ever::{ParseOpts, their_builder};
//! use markup5ever_rcdom::RcDom;
//!
//! let parser = their_builder::parse_document(RcDom::default(), ParseOpts::default());
//! assert_eq!(parser.one("<p>Fish &amp; chips").document.children.borrow().len(), 1);
//! ```

use std::borrow::Cow;

pub use html5ever::tree_builder::TreeBuilder;

use html5ever::interface::create_element;
use html5ever::tendril::stream::{TendrilSink, Utf8LossyDecoder};
use html5ever::tendril::{StrTendril, fmt};
use html5ever::tree_builder::TreeSink;
use html5ever::{Attribute, ParseOpts, QualName};

use crate::revision::Revision;
use crate::tokenizer::{Tokenizer, TokenizerOpts};

/// Parses a document.
pub fn parse_document<Sink: TreeSink>(sink: Sink, opts: ParseOpts) -> Parser<Sink> {
    parse_document_as(Revision::default(), sink, opts)
}

/// Parses a document as a revision of the standard says.
pub fn parse_document_as<Sink: TreeSink>(
    revision: Revision,
    sink: Sink,
    opts: ParseOpts,
) -> Parser<Sink> {
    let builder = TreeBuilder::new(sink, opts.tree_builder);
    Parser {
        tokenizer: Tokenizer::new_as(revision, builder, opts.tokenizer),
    }
}

/// Parses a fragment in the context of an element.
pub fn parse_fragment<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_name: QualName,
    context_attrs: Vec<Attribute>,
    context_element_allows_scripting: bool,
) -> Parser<Sink> {
    let context = create_element(&sink, context_name, context_attrs);
    parse_fragment_for_element(sink, opts, context, context_element_allows_scripting, None)
}

/// As [`parse_fragment`], with a context element that there is already, and perhaps a form element.
pub fn parse_fragment_for_element<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_element: Sink::Handle,
    context_element_allows_scripting: bool,
    form_element: Option<Sink::Handle>,
) -> Parser<Sink> {
    let builder =
        TreeBuilder::new_for_fragment(sink, context_element, form_element, opts.tree_builder);
    let state = builder.tokenizer_state_for_context_elem(context_element_allows_scripting);
    let opts = TokenizerOpts {
        initial_state: Some(state),
        ..opts.tokenizer
    };
    Parser {
        tokenizer: Tokenizer::new(builder, opts),
    }
}

/// A parser, which takes text through the methods of [`TendrilSink`].
pub struct Parser<Sink: TreeSink> {
    /// The tokenizer; its sink is the tree builder, whose sink is yours.
    pub tokenizer: Tokenizer<TreeBuilder<Sink::Handle, Sink>>,
}

impl<Sink: TreeSink> Parser<Sink> {
    /// The parser as a [`TendrilSink`] of bytes in UTF-8. Each malformed sequence becomes U+FFFD.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_utf8(self) -> Utf8LossyDecoder<Self> {
        Utf8LossyDecoder::new(self)
    }
}

impl<Sink: TreeSink> TendrilSink<fmt::UTF8> for Parser<Sink> {
    type Output = Sink::Output;

    fn process(&mut self, text: StrTendril) {
        self.tokenizer.feed_text(text);
    }

    fn error(&mut self, description: Cow<'static, str>) {
        self.tokenizer.sink.sink.parse_error(description);
    }

    fn finish(self) -> Self::Output {
        self.tokenizer.end();
        self.tokenizer.sink.sink.finish()
    }
}
