//! The parser on Speclex's own tree builder, which is generated from a table, as the tokenizer is. Functions and sinks are
//! html5ever's; only its tree builder is not used.
//!
//! ```
//! use speclex_html5ever::tendril::TendrilSink;
//! use speclex_html5ever::{ParseOpts, generated};
//! use markup5ever_rcdom::RcDom;
//!
//! let dom = generated::parse_document(RcDom::default(), ParseOpts::default()).one("<p>Fish &amp; chips");
//! assert_eq!(dom.document.children.borrow().len(), 1);
//! ```
//!
//! Trees are those that the text of 24 June 2026 describes: where html5ever's differ, `docs/tree-conformance.md` says how. Nested
//! elements and nested formatting elements take time that is linear in their number; end tags without a start tag inside many unknown
//! elements take quadratic time, as with html5ever's builder. The tokenizer is that of the [default](crate::Revision) revision, with
//! the same differences. Besides:
//!
//! | where | html5ever's builder | here |
//! |---|---|---|
//! | parse errors of tree construction | messages of its own | "unexpected token", with `exact_errors` the token's kind and the insertion mode |
//! | `exact_errors` of the tokenizer | errors of the input stream come in order | those of a chunk come before its others |
//! | `pop` | is not called for `br`, `img` and others without an end tag | is called for each element |
//! | `same_node` | is called | is not called: the builder knows its elements by numbers |
//! | `append_doctype_to_document` | then `set_quirks_mode` is called once | it may be called twice: with `NoQuirks`, then with what the DOCTYPE says |
//! | `maybe_clone_an_option_into_selectedcontent` | is called at `</option>` | is called whenever an `option` is popped |
//! | `associate_with_form` | has the element above a table where that is the place | never has it |
//! | `attach_declarative_shadow` | is called | is not called: the template is inserted |
//! | `TokenizerResult::EncodingIndicator` | comes of `meta` | does not come |
//! | [`Spans`](crate::Spans) | can be shown | cannot be shown: use [`crate::parse_document`] |
//!
//! Each sink that a program uses compiles a tokenizer and a builder of its own.

use std::borrow::Cow;
use std::fmt;

use html5ever::interface::{ElemName as _, QuirksMode, create_element};
use html5ever::tendril::stream::{TendrilSink, Utf8LossyDecoder};
use html5ever::tendril::{self, StrTendril};
use html5ever::tree_builder::TreeSink;
use html5ever::{Attribute, ParseOpts, QualName, TokenizerResult, expanded_name, local_name, ns};
use speclex::markup::{
    self, Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction,
};
use speclex::rt::Machine as _;
use speclex::rt::tree::{Rules as _, Type};
use speclex::tree::{Context, DocumentMode, Options, Scripting, Space, TagAttributes};
use speclex::{ByteOrderMark, FeedError, Limits, ParseError, Span, Tokenizer};
use speclex_tokenizers::html_2026_06::Machine;
use speclex_tokenizers::html_tree_2026_06::{Builder, Rules};

use crate::engine::Slot;
use crate::lines::Lines;
use crate::their_sink::{Node, Their, Wishes, space};
use crate::tokenizer::{BufferQueue, TokenizerOpts, content_of};

/// Parses a document, as html5ever's function of this name does.
pub fn parse_document<Sink: TreeSink>(sink: Sink, opts: ParseOpts) -> Parser<Sink> {
    let options = options(
        &opts,
        opts.tree_builder.scripting_enabled,
        Scripting::Normal,
    );
    let their = Their::new(sink, Rules::NAMES, wishes(&opts));
    let mut builder = Builder::new(their, &options);
    builder.sink.sets_mode = true;
    let content = opts.tokenizer.initial_state.and_then(content_of);
    Parser::new(builder, opts.tokenizer, content)
}

/// Parses a fragment in the context of an element, as html5ever's function of this name does.
pub fn parse_fragment<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_name: QualName,
    context_attrs: Vec<Attribute>,
    context_element_allows_scripting: bool,
) -> Parser<Sink> {
    let context = create_element(&sink, context_name, context_attrs);
    let scripting = context_element_allows_scripting;
    parse_fragment_for_element(sink, opts, context, scripting, None)
}

/// As [`parse_fragment`], with a context element that there is already, and perhaps a form element.
pub fn parse_fragment_for_element<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_element: Sink::Handle,
    context_element_allows_scripting: bool,
    form_element: Option<Sink::Handle>,
) -> Parser<Sink> {
    let options = options(&opts, opts.tree_builder.scripting_enabled, Scripting::Inert);
    let (space, local, is_noscript) = {
        let name = sink.elem_name(&context_element);
        let is_noscript = name.expanded() == expanded_name!(html "noscript");
        (space(name.ns()), name.local_name().clone(), is_noscript)
    };
    let is_integration_point = sink.is_mathml_annotation_xml_integration_point(&context_element);
    let form = form_element.map(|form| (Space::Html, "form", Node::of(form)));
    let context = Context {
        node: Some(Node::of(context_element)),
        space,
        local: &local,
        attributes: TagAttributes::NONE,
        ancestors: form.as_slice(),
    };
    let their = Their::new(sink, Rules::NAMES, wishes(&opts));
    let mut builder = Builder::for_fragment(their, &options, context);
    if let Some(context) = &mut builder.context
        && is_integration_point
        && let Some(name) = Rules::NAMES.find("desc")
    {
        // The sink knows its attributes. With them it is in the sets in which this one is.
        context.sets |= Rules::sets(Type::new(Space::Svg, name), &TagAttributes::NONE);
    }
    let content = match (is_noscript, context_element_allows_scripting) {
        (true, true) => Some(Content::Rawtext),
        (true, false) => None,
        (false, _) => builder.first_content(),
    };
    Parser::new(builder, opts.tokenizer, content)
}

fn options(opts: &ParseOpts, has_scripting: bool, scripting: Scripting) -> Options {
    let mut options = Options::default();
    options.scripting = match has_scripting {
        true => scripting,
        false => Scripting::Disabled,
    };
    options.context_mode = match opts.tree_builder.quirks_mode {
        QuirksMode::Quirks => DocumentMode::Quirks,
        QuirksMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        QuirksMode::NoQuirks => DocumentMode::NoQuirks,
    };
    options.is_srcdoc = opts.tree_builder.iframe_srcdoc;
    options
}

fn wishes(opts: &ParseOpts) -> Wishes {
    Wishes {
        exact_errors: opts.tree_builder.exact_errors,
        drops_doctype: opts.tree_builder.drop_doctype,
    }
}

/// Gives tokens to the builder, and lines to its sink.
struct Lined<S: TreeSink> {
    builder: Builder<Their<S>>,
    lines: Lines,
    /// What the sink knows.
    line: u64,
}

impl<S: TreeSink> Lined<S> {
    /// Something of the sink's is called for what stands before an offset.
    #[inline(always)]
    fn at(&mut self, offset: u64) {
        let their = &self.builder.sink;
        let line = self.lines.at(their.chunk.as_bytes(), offset);
        if line != self.line {
            self.line = line;
            their.sink.set_current_line(line);
        }
    }
}

impl<S: TreeSink> markup::Sink for Lined<S> {
    const ERRORS: bool = true;
    const ERRORS_IN_ORDER: bool = true;
    const FEEDBACK: bool = false;

    #[inline(always)]
    fn characters(&mut self, data: &str, span: Span) {
        self.at(span.end);
        self.builder.characters(data, span);
    }

    #[inline(always)]
    fn start_tag(&mut self, tag: &markup::Tag<'_>, span: Span) -> Answer {
        self.at(span.end);
        self.builder.start_tag(tag, span)
    }

    #[inline(always)]
    fn end_tag(&mut self, tag: &markup::Tag<'_>, span: Span) -> Answer {
        self.at(span.end);
        self.builder.end_tag(tag, span)
    }

    fn comment(&mut self, comment: &Comment<'_>, span: Span) {
        self.at(span.end);
        self.builder.comment(comment, span);
    }

    fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
        self.at(span.end);
        self.builder.doctype(doctype, span);
    }

    fn processing_instruction(&mut self, instruction: &ProcessingInstruction<'_>, span: Span) {
        self.at(span.end);
        self.builder.processing_instruction(instruction, span);
    }

    fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
        self.builder.entity_reference(reference, span);
    }

    fn end_of_file(&mut self, at: u64) {
        self.at(at);
        self.builder.end_of_file(at);
    }

    fn error(&mut self, error: ParseError) {
        self.at(error.offset);
        markup::Sink::error(&mut self.builder, error);
    }

    #[inline(always)]
    fn cdata_sections_are_allowed(&mut self) -> bool {
        self.builder.cdata_sections_are_allowed()
    }
}

/// A parser, which takes text through the methods of [`TendrilSink`].
pub struct Parser<Sink: TreeSink> {
    tokenizer: Slot<Machine<Lined<Sink>>>,
    /// Whether errors of the input stream are reported.
    reports_input_errors: bool,
    has_failed: bool,
}

impl<Sink: TreeSink> fmt::Debug for Parser<Sink> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser").finish_non_exhaustive()
    }
}

impl<Sink: TreeSink> Parser<Sink> {
    fn new(builder: Builder<Their<Sink>>, opts: TokenizerOpts, content: Option<Content>) -> Self {
        let mut tokenizer = Tokenizer::<Machine<_>>::new(Lined {
            builder,
            lines: Lines::default(),
            line: 1,
        });
        tokenizer.set_limits(Limits::MAX);
        tokenizer.set_byte_order_mark(match opts.discard_bom {
            true => ByteOrderMark::Skip,
            false => ByteOrderMark::Table,
        });
        if let Some(content) = content {
            // Every table of HTML has every content.
            let _ = tokenizer.enter(content);
        }
        if let Some(name) = opts.last_start_tag_name {
            tokenizer.set_last_start_tag(&name);
        }
        Self {
            tokenizer: Slot(Some(tokenizer)),
            reports_input_errors: opts.exact_errors,
            has_failed: false,
        }
    }

    /// The parser as a [`TendrilSink`] of bytes in UTF-8. Each malformed sequence becomes U+FFFD.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_utf8(self) -> Utf8LossyDecoder<Self> {
        Utf8LossyDecoder::new(self)
    }

    /// Looks at the sink.
    pub fn with_sink<T>(&mut self, look: impl FnOnce(&Sink) -> T) -> Option<T> {
        let tokenizer = self.tokenizer.0.as_mut()?;
        Some(look(&tokenizer.sink().builder.sink.sink))
    }

    /// Parses what is in the queue, until it is empty or a script ends; what is not used then is at the front of the queue, and
    /// what the script writes is to be put in front of it.
    pub fn feed(&mut self, input: &BufferQueue) -> TokenizerResult<Sink::Handle> {
        while let Some(mut chunk) = input.pop_front() {
            let used = self.feed_chunk(&chunk, true);
            chunk.pop_front(used as u32);
            if !chunk.is_empty() {
                input.push_front(chunk);
            }
            let tokenizer = self.tokenizer.0.as_mut();
            let script = tokenizer.and_then(|it| it.sink().builder.sink.script.take());
            if let Some(script) = script {
                return TokenizerResult::Script(script);
            }
        }
        TokenizerResult::Done
    }

    /// Parses a chunk to its end or to a pause; returns how many of its bytes are used.
    fn feed_chunk(&mut self, chunk: &StrTendril, pauses: bool) -> usize {
        // There is none after a panic of the sink.
        let Some(mut tokenizer) = self.tokenizer.0.take() else {
            return chunk.len();
        };
        let their = &mut tokenizer.sink().builder.sink;
        their.chunk = chunk.clone();
        their.pauses = pauses;
        if self.reports_input_errors {
            let mut from = 0;
            while let Some((at, code)) = Machine::<Lined<Sink>>::input_error(chunk, from) {
                their.sink.parse_error(Cow::Borrowed(code.as_str()));
                from = at + 1;
            }
        }
        let used = tokenizer.feed_until_pause(chunk).unwrap_or_else(|error| {
            self.fail(&mut tokenizer, error);
            chunk.len()
        });
        let sink = tokenizer.sink();
        sink.lines.leave(chunk.as_bytes(), used);
        sink.builder.sink.chunk = StrTendril::new();
        self.tokenizer.0 = Some(tokenizer);
        used
    }

    /// Reports once why the stream is not read to its end.
    #[cold]
    fn fail(&mut self, tokenizer: &mut Tokenizer<Machine<Lined<Sink>>>, error: FeedError) {
        if !std::mem::replace(&mut self.has_failed, true) {
            let sink = &tokenizer.sink().builder.sink.sink;
            sink.parse_error(Cow::Owned(error.to_string()));
        }
    }
}

impl<Sink: TreeSink> TendrilSink<tendril::fmt::UTF8> for Parser<Sink> {
    type Output = Sink::Output;

    fn process(&mut self, text: StrTendril) {
        self.feed_chunk(&text, false);
    }

    fn error(&mut self, description: Cow<'static, str>) {
        self.with_sink(|sink| sink.parse_error(description));
    }

    fn finish(mut self) -> Self::Output {
        let Some(mut tokenizer) = self.tokenizer.0.take() else {
            panic!("a parser whose sink has panicked has no output");
        };
        tokenizer.sink().builder.sink.pauses = false;
        if let Err(error) = tokenizer.end() {
            self.fail(&mut tokenizer, error);
        }
        tokenizer.reset();
        tokenizer.into_sink().builder.into_sink().sink.finish()
    }
}
