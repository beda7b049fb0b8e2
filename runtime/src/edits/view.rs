//! The tree of a text as somebody reads it.

use crate::dom::{Dom, NodeKind};
use crate::parse::{Context, in_context, parse_with};
use crate::tree::{Options, Scripting, Space};

use super::error::EditReader;
use super::extents::Extents;
use super::plan::Plan;

/// A parser of documents.
pub(super) type Parser = for<'t> fn(&'t str) -> Dom<'t>;

/// A text as somebody reads it.
pub(super) struct View<'v> {
    pub(super) dom: &'v Dom<'v>,
    pub(super) tree: Extents<'v>,
    options: Options,
    parser: Option<Parser>,
    pub(super) reader: EditReader,
}

/// The options with which the other half of browsers reads a text.
pub(super) fn other_scripting(dom: &Dom<'_>) -> Options {
    let mut options = dom.options().clone();
    options.scripting = match options.scripting {
        Scripting::Disabled => Scripting::Normal,
        Scripting::Normal | Scripting::Inert | Scripting::Fragment => Scripting::Disabled,
    };
    options
}

/// Parses a text as a tree was made: as a document, or in the same context.
pub(super) fn parse<'t>(text: &'t str, like: &Dom<'_>, options: &Options) -> Dom<'t> {
    match like.context() {
        Some((node, is_in_form)) => {
            let context = Context::of(node, None, like.document_mode(), is_in_form);
            in_context(text, &context, options)
        }
        None => parse_with(text, options),
    }
}

impl<'v> View<'v> {
    pub(super) fn new(
        dom: &'v Dom<'v>,
        options: Options,
        parser: Option<Parser>,
        reader: EditReader,
    ) -> Self {
        Self {
            dom,
            tree: Extents::new(dom),
            options,
            parser,
            reader,
        }
    }

    /// HTML as it is parsed in a node, as `insertAdjacentHTML` does ([8.5.4]).
    ///
    /// [8.5.4]: https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#the-insertadjacenthtml()-method
    pub(super) fn fragment<'h>(&self, html: &'h str, parent: usize, plan: &Plan<'_>) -> Dom<'h> {
        let (node, mode) = (self.tree.node(parent), self.dom.document_mode());
        let context = match node.kind() {
            _ if parent == self.tree.root && parent != 0 => match self.dom.context() {
                Some((context, in_form)) => Context::of(context, None, mode, in_form),
                None => Context::html("template", mode, false),
            },
            NodeKind::Element if node.is("html") && node.namespace() == Space::Html => {
                Context::html("body", mode, false)
            }
            NodeKind::Element => {
                let rename = plan.get(parent).and_then(|asked| asked.rename);
                let around = self.dom.context();
                let around = around.is_some_and(|(context, in_form)| in_form || context.is("form"));
                let in_form = self.tree.in_form(parent) || around;
                Context::of(node, rename.map(|name| name.1), mode, in_form)
            }
            _ => Context::html("template", mode, false),
        };
        let mut options = Options::default();
        if self.options.scripting != Scripting::Disabled {
            options.scripting = Scripting::Inert;
        }
        in_context(html, &context, &options)
    }

    /// Parses another text as this one was.
    pub(super) fn parse<'t>(&self, text: &'t str) -> Dom<'t> {
        match self.parser {
            Some(parser) => parser(text),
            None => parse(text, self.dom, &self.options),
        }
    }
}
