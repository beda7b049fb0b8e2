//! Settings with sections. `tables/settings.yaml` makes tokens of a text, `tables/settings-tree.yaml` a tree of the tokens, and the
//! build script a parser of both.
#![forbid(unsafe_code)]

use speclex::tree::Options;
use speclex::{Dom, DomSink, Node};

/// The parser that is made of the tables.
#[allow(clippy::all, clippy::pedantic)]
pub mod parser {
    include!(concat!(env!("OUT_DIR"), "/settings_tree.rs"));
}

/// A text with settings.
pub struct Settings<'t> {
    dom: Dom<'t>,
}

impl<'t> Settings<'t> {
    /// Reads a text. It skips what is wrong, and [`errors`](Self::errors) lists it.
    pub fn read(text: &'t str) -> Self {
        let sink = DomSink::<true>::new(text, &parser::NAMES);
        let builder = parser::Builder::new(sink, &Options::default());
        let mut parser = parser::Parser::new(builder);
        // These pause or fail for a sink that wants it, and for limits.
        let _ = parser.feed(text).and_then(|_| parser.end());
        Self {
            dom: parser.into_sink().into_sink().finish(),
        }
    }

    /// The value of a setting: the last one, if a section or a name occurs twice.
    pub fn get(&self, section: &str, name: &str) -> Option<String> {
        let named = |node: &Node<'_>, name: &str| node.name() == Some(name);
        let settings = self.dom.root().children().next()?;
        let sections = settings.children().filter(|it| named(it, section));
        let entries = sections.flat_map(|section| section.children());
        let entry = entries.filter(|it| named(it, name)).last()?;
        Some(entry.text().into_owned())
    }

    /// The offsets of what is wrong, with a code.
    pub fn errors(&self) -> Vec<(u64, &'static str)> {
        let of_tokens = self.dom.tokenizer_errors().iter();
        let of_tokens = of_tokens.map(|error| (error.offset, error.code.as_str()));
        let of_tree = self.dom.errors().iter();
        let of_tree = of_tree.map(|error| (error.offset, "entry-outside-of-sections"));
        let mut errors: Vec<_> = of_tokens.chain(of_tree).collect();
        errors.sort_unstable();
        errors
    }
}
