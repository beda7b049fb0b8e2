//! The tree builder: html5ever's interface on top of Speclex's own, which is generated from a table, as the tokenizer is.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::panic::UnwindSafe;
use std::rc::Rc;

use speclex::markup::{self, Answer, Content, Sink as _};
use speclex::rt::tree::Type;
use speclex::tree::{Context, DocumentMode, Options, Scripting, Space, TagAttributes};
use speclex::{ParseError, Span};
use speclex_tokenizers::html_tree_2026_06::{Builder, NAMES};

pub use crate::base::tree_builder::*;

use crate::base::tendril::StrTendril;
use crate::base::tokenizer::TagKind;
use crate::base::tokenizer::states::State;
use crate::base::{TokenizerResult, expanded_name, local_name, ns};
use crate::encoding_label::label_of_meta;
use crate::engine::AnyEngine;
use crate::host::{AnyHost, Chunk, Host, NewTag};
use crate::their_sink::{Node, Their, Wishes, space};
use crate::tokenizer::{Calls, REENTERED, Receiver, Run, state_of};

/// Builds the tree that the text of 24 June 2026 describes.
///
/// It is what a [`Tokenizer`](crate::tokenizer::Tokenizer) gives its tokens to. It is no `TokenSink`: tokens of other tokenizers it
/// does not take.
pub struct TreeBuilder<Handle, Sink: TreeSink<Handle = Handle>> {
    /// Your sink.
    pub sink: Shared<Sink>,
    state: RefCell<Building<Sink>>,
    /// Whether the context element, if there is one, is a `noscript`.
    is_in_noscript: bool,
}

/// A sink, which the tree builder uses while the tokenizer runs. Its fields and methods are those of the sink itself.
pub struct Shared<Sink>(Rc<Sink>);

impl<Sink> Deref for Shared<Sink> {
    type Target = Sink;

    fn deref(&self) -> &Sink {
        &self.0
    }
}

impl<Sink: TreeSink> Shared<Sink> {
    /// What the sink makes of the end, as [`TreeSink::finish`].
    ///
    /// # Panics
    ///
    /// If the tokenizer runs: inside a call of the sink.
    pub fn finish(self) -> Sink::Output {
        let sink = Rc::try_unwrap(self.0).ok();
        sink.expect("a tokenizer that does not run").finish()
    }
}

// A sink that has panicked is not called again but to finish: the tokenizer drops what it is fed.
impl<Handle: UnwindSafe, Sink: TreeSink<Handle = Handle> + UnwindSafe> UnwindSafe
    for TreeBuilder<Handle, Sink>
{
}

// Sinks and handles need not be printable.
impl<Handle, Sink: TreeSink<Handle = Handle>> fmt::Debug for TreeBuilder<Handle, Sink> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeBuilder").finish_non_exhaustive()
    }
}

impl<Handle: Clone, Sink: TreeSink<Handle = Handle>> TreeBuilder<Handle, Sink> {
    /// A builder of a document.
    pub fn new(sink: Sink, opts: TreeBuilderOpts) -> Self {
        let sink = Rc::new(sink);
        let their = Their::new(Rc::clone(&sink), &NAMES, wishes(&opts));
        let mut builder = Builder::new(their, &options(&opts, Scripting::Normal));
        builder.sink.sets_mode = true;
        Self::with(sink, builder, false)
    }

    /// A builder of a fragment in the context of an element, and perhaps of the form element around it.
    pub fn new_for_fragment(
        sink: Sink,
        context_elem: Handle,
        form_elem: Option<Handle>,
        opts: TreeBuilderOpts,
    ) -> Self {
        let sink = Rc::new(sink);
        let (space, local, is_in_noscript) = {
            let name = sink.elem_name(&context_elem);
            let is_noscript = name.expanded() == expanded_name!(html "noscript");
            (space(name.ns()), name.local_name().clone(), is_noscript)
        };
        let is_integration_point = sink.is_mathml_annotation_xml_integration_point(&context_elem);
        let form = form_elem.map(|form| (Space::Html, "form", Node::of(form)));
        let context = Context {
            node: Some(Node::of(context_elem)),
            space,
            local: &local,
            attributes: TagAttributes::NONE,
            ancestors: form.as_slice(),
        };
        let their = Their::new(Rc::clone(&sink), &NAMES, wishes(&opts));
        let mut builder = Builder::for_fragment(their, &options(&opts, Scripting::Inert), context);
        if let (true, Some(name)) = (is_integration_point, NAMES.find("desc")) {
            // The sink knows its attributes. With them it is in the sets in which this one is.
            let sets = builder.sets_of(Type::new(Space::Svg, name));
            if let Some(context) = &mut builder.context {
                context.sets |= sets;
            }
        }
        Self::with(sink, builder, is_in_noscript)
    }

    fn with(sink: Rc<Sink>, mut builder: Builder<Their<Sink>>, is_in_noscript: bool) -> Self {
        builder.sink.leave();
        let state = Building {
            builder,
            line: 1,
            label: None,
        };
        Self {
            sink: Shared(sink),
            state: RefCell::new(state),
            is_in_noscript,
        }
    }

    /// The state in which the tokenizer starts for a fragment.
    pub fn tokenizer_state_for_context_elem(
        &self,
        context_element_allows_scripting: bool,
    ) -> State {
        let content = match (self.is_in_noscript, context_element_allows_scripting) {
            (true, true) => Some(Content::Rawtext),
            (true, false) => None,
            (false, _) => self.state.borrow_mut().builder.first_content(),
        };
        state_of(content.unwrap_or(Content::Data))
    }

    /// Whether it builds a fragment.
    pub fn is_fragment(&self) -> bool {
        self.state.borrow().builder.context.is_some()
    }

    /// Limits the depth of the tree, as browsers do with 512: what would be a child of a deeper element becomes one of the open element at
    /// this depth, where the root element has 1. So no node is deeper than `depth + 1`, also where elements leave the stack of open
    /// elements before what is in them, as `form` does.
    ///
    /// ```
    /// use speclex_html5ever::tendril::TendrilSink;
    /// use speclex_html5ever::{ParseOpts, parse_document};
    /// use markup5ever_rcdom::RcDom;
    ///
    /// let parser = parse_document(RcDom::default(), ParseOpts::default());
    /// parser.tokenizer.sink.limit_depth(512);
    /// let dom = parser.one("<div>".repeat(100_000));
    /// # drop(dom);
    /// ```
    pub fn limit_depth(&self, depth: usize) {
        self.state.borrow_mut().builder.set_depth(Some(depth));
    }

    /// Shows all handles that it has: for a DOM that collects garbage.
    pub fn trace_handles(&self, tracer: &dyn Tracer<Handle = Handle>) {
        let builder = &self.state.borrow().builder;
        let own = &builder.own;
        let others = [
            &builder.document(),
            &builder.context,
            &own.head_element_pointer,
            &own.form_element_pointer,
        ];
        let list = builder.list.iter().map(|entry| &entry.element);
        let all = others.into_iter().flatten().chain(builder.stack.iter());
        for element in all.chain(list) {
            tracer.trace_handle(&element.node.handle);
        }
    }
}

fn options(opts: &TreeBuilderOpts, scripting: Scripting) -> Options {
    let mut options = Options::default();
    options.scripting = match opts.scripting_enabled {
        true => scripting,
        false => Scripting::Disabled,
    };
    options.context_mode = match opts.quirks_mode {
        QuirksMode::Quirks => DocumentMode::Quirks,
        QuirksMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        QuirksMode::NoQuirks => DocumentMode::NoQuirks,
    };
    options.is_srcdoc = opts.iframe_srcdoc;
    options
}

fn wishes(opts: &TreeBuilderOpts) -> Wishes {
    Wishes {
        exact_errors: opts.exact_errors,
        drops_doctype: opts.drop_doctype,
    }
}

/// What changes while the tree is built.
struct Building<Sink: TreeSink> {
    builder: Builder<Their<Sink>>,
    /// The line that the sink knows.
    line: u64,
    /// The label of an encoding at which the tokenizer stops.
    label: Option<StrTendril>,
}

/// The builder while the tokenizer runs. Then the sink has two owners.
struct Running<'a, Sink: TreeSink> {
    state: &'a mut Building<Sink>,
    calls: &'a Calls,
}

impl<Sink: TreeSink> Drop for Running<'_, Sink> {
    fn drop(&mut self) {
        self.state.builder.sink.leave();
    }
}

impl<Handle, Sink: TreeSink<Handle = Handle>> Receiver for TreeBuilder<Handle, Sink> {
    type Handle = Handle;

    fn run(&self, run: Run<'_>) -> (usize, Option<TokenizerResult<Handle>>) {
        // Its tokenizer does not run, or would not have come here.
        let state = &mut *self.state.borrow_mut();
        let their = &mut state.builder.sink;
        their.start(&self.sink.0, run.spans, run.chunk);
        their.pauses = run.stops;
        let mut running = Running {
            state,
            calls: run.calls,
        };
        let used = match (&mut *run.engine, run.chunk) {
            // The usual one is compiled for this sink. Others cost a call for each token.
            (AnyEngine::Html2026June(slot), Some(chunk)) => {
                slot.feed_for(running, run.spans, chunk)
            }
            _ => {
                let used = run.with(AnyHost::Tree(&mut running));
                drop(running);
                used
            }
        };
        let script = state.builder.sink.script.take();
        let label = state.label.take();
        let script = script.map(TokenizerResult::Script);
        let result = script.or_else(|| label.map(TokenizerResult::EncodingIndicator));
        (used, result)
    }

    fn take_complaint(&self, complaint: Cow<'static, str>) {
        self.sink.parse_error(complaint);
    }

    fn take_end(&self) {}
}

impl<Sink: TreeSink> Running<'_, Sink> {
    /// Something of the sink's is called for what stands in a line.
    #[inline(always)]
    fn at(&mut self, line: u64) -> &mut Builder<Their<Sink>> {
        if line != self.state.line {
            self.state.line = line;
            self.state.builder.sink.sink().set_current_line(line);
        }
        &mut self.state.builder
    }

    /// The sink has called the tokenizer back, or a `meta` element came.
    #[cold]
    fn called_back(&mut self, tag: &markup::Tag<'_>, mut answer: Answer) -> Answer {
        let their = &mut self.state.builder.sink;
        if self.calls.reentered.take() {
            their.sink().parse_error(Cow::Borrowed(REENTERED));
        }
        if std::mem::take(&mut their.is_at_meta) {
            self.state.label = label_of_meta(|name| tag.attributes.get(name));
            if self.state.label.is_none() {
                answer = Answer::Continue;
            }
        }
        match answer {
            Answer::Continue if self.calls.plaintext.take() => Answer::Switch(Content::Plaintext),
            answer => answer,
        }
    }
}

impl<Sink: TreeSink> Host for Running<'_, Sink> {
    #[inline(always)]
    fn splits_nul(&self) -> bool {
        false
    }

    #[inline(always)]
    fn tag(&mut self, _: Chunk<'_>, new: NewTag<'_, '_>) -> Answer {
        let tag = new.tag;
        if let Some(spans) = new.spans {
            spans.show_unnamed_tag(new.kind, new.span);
        }
        if let Some(mut known) = new.known {
            for (name, value) in tag.attributes.iter() {
                known.attribute(name, value);
            }
        }
        let builder = self.at(new.line);
        let answer = match new.kind {
            TagKind::StartTag => builder.start_tag(tag, new.span),
            TagKind::EndTag => builder.end_tag(tag, new.span),
        };
        let is_called = self.calls.plaintext.get() || self.calls.reentered.get();
        if is_called || self.state.builder.sink.is_at_meta {
            return self.called_back(tag, answer);
        }
        answer
    }

    #[inline(always)]
    fn characters(&mut self, _: Chunk<'_>, text: &str, span: Span, line: u64) {
        self.at(line).characters(text, span);
    }

    // It is a character as others are.
    fn nul(&mut self, _: u64) {}

    fn comment(&mut self, _: Chunk<'_>, it: &markup::Comment<'_>, span: Span, line: u64) {
        self.at(line).comment(it, span);
    }

    fn doctype(&mut self, _: Chunk<'_>, it: &markup::Doctype<'_>, span: Span, line: u64) {
        self.at(line).doctype(it, span);
    }

    fn end_of_file(&mut self, at: u64, line: u64) {
        self.at(line).end_of_file(at);
    }

    fn error(&mut self, error: ParseError, line: u64) {
        markup::Sink::error(self.at(line), error);
    }

    fn complaint(&mut self, message: Cow<'static, str>, line: u64) {
        self.at(line).sink.sink().parse_error(message);
    }

    fn is_in_foreign_content(&mut self) -> bool {
        self.state.builder.cdata_sections_are_allowed()
    }
}
