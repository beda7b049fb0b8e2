//! A compact tree: nodes of 32 bytes, strings as ranges of the input.

#[cfg(feature = "parse")]
mod alike;
mod attributes;
mod dump;
mod edges;
mod host;
mod known;
mod limit;
mod links;
mod names;
mod node;
mod order;
mod parse;
mod patching;
mod room;
mod selected;
mod serialize;
mod sink;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod texts;
mod walk;
mod watched;

use alloc::vec::Vec;
use core::fmt;

use crate::span::{ParseError, Span};
use crate::tree::{Doctype, DocumentMode, Names, Options, TreeError};

use links::Links;
use names::AttributeNames;
use strings::{Part, Strings};

pub use edges::Edge;
pub use limit::DomLimit;
pub use links::NodeId;
pub use node::{Attribute, Node, NodeKind};
#[doc(hidden)]
pub use parse::parse;
#[cfg(any(feature = "parse", feature = "xml"))]
pub(crate) use parse::run;
pub use serialize::{Keep, OutputTooLong, SerializeOptions, escape_attribute, escape_text};
pub use sink::{DomSink, KeptAttributes};
pub use text::TextOptions;
pub use walk::{DocumentOrder, Walk};

/// An attribute.
#[derive(Clone, Copy, Debug)]
struct RawAttribute {
    name: u32,
    value: Part,
}

const _: () = assert!(size_of::<RawAttribute>() == 12);

/// What is kept of an element beside its node.
#[derive(Clone, Copy, Debug)]
struct Tags {
    /// The index of the first attribute; of the list, if there are [`EXTENDED`] ones.
    attributes: u32,
    start: Place,
    end: Place,
}

/// The attributes of a tag, in the list of all.
#[derive(Clone, Copy, Debug, Default)]
struct AttributeRange {
    first: u32,
    count: u32,
}

/// The length that marks an element whose attributes are in a list of their own, because it got some later.
const EXTENDED: u32 = u32::MAX;

/// Where a token starts and ends.
type Place = (u32, u32);

/// Of a token that is not there.
const NOWHERE: Place = (u32::MAX, u32::MAX);

/// The place of a span. Documents that are too long for it are refused.
#[inline(always)]
const fn place(span: Span) -> Place {
    (span.start as u32, span.end as u32)
}

/// The span of a place.
fn span((start, end): Place) -> Option<Span> {
    (end != u32::MAX).then_some(Span {
        start: start.into(),
        end: end.into(),
    })
}

/// The place of a copy: it says of which node.
const fn place_of_copy(of: u32) -> Place {
    (of, u32::MAX)
}

/// The node of which something with this place is a copy.
fn copied((of, end): Place) -> Option<u32> {
    (end == u32::MAX && of != u32::MAX).then_some(of)
}

/// A gap in the input between two parts of a Text node.
#[derive(Clone, Copy, Debug)]
struct Gap {
    text: u32,
    /// How many bytes of its text come before.
    at: u32,
    /// Where the piece before ends; [`u32::MAX`] if it is a copy.
    start: u32,
    /// Where the next one starts.
    end: u32,
}

/// A document or fragment: its nodes, and the text that they stand in.
///
/// A node takes 32 bytes, an element 20 more and an attribute 12. Text and values are ranges of the input, which the tree
/// borrows or owns; only what does not stand there as it is, like text with character references, is copied. Usual documents
/// take one to two times their length beside themselves: [`memory`](Self::memory). A tree has room for 2 GiB of input:
/// [`limit`](Self::limit).
///
/// The tree is made by a [`DomSink`]. It is read through [`Node`]s:
///
/// ```
/// # use speclex::tree::{ElementName, NameTable, Names, Place, Space, TagAttributes, Text, TreeSink};
/// # use speclex::{Dom, DomSink, Span};
/// # static NAMES: NameTable = NameTable::new(&["body", "h1", "p", "b"]);
/// # // A parser as simple as possible: it knows start tags, end tags and text.
/// # fn parse(html: &str) -> Dom<'_> {
/// #     let mut sink = DomSink::<false>::new(html, &NAMES);
/// #     let (mut names, mut open, mut at) = (Names::new(&NAMES), vec![sink.document()], 0);
/// #     while let Some(rest) = html.get(at..).filter(|rest| !rest.is_empty()) {
/// #         let length = match rest.starts_with('<') {
/// #             true => rest.find('>').unwrap() + 1,
/// #             false => rest.find('<').unwrap_or(rest.len()),
/// #         };
/// #         let (text, end) = (&rest[..length], Place::LastChild(*open.last().unwrap()));
/// #         let span = Span { start: at as u64, end: (at + length) as u64 };
/// #         if text.starts_with("</") {
/// #             sink.end_tag(&open.pop().unwrap(), span);
/// #         } else if text.starts_with('<') {
/// #             let local = &text[1..length - 1];
/// #             let name = ElementName { space: Space::Html, local, number: names.intern(local) };
/// #             open.push(sink.create_element(name, &TagAttributes::NONE, Some(span)));
/// #             sink.insert(open.last().unwrap(), &end);
/// #         } else {
/// #             sink.insert_text(Text { text, span }, &end);
/// #         }
/// #         at += length;
/// #     }
/// #     sink.finish()
/// # }
/// let dom = parse("<body><h1>News</h1><p>Good <b>morning</b></p></body>");
/// for heading in dom.elements("h1") {
///     assert_eq!(heading.text(), "News");
/// }
/// let body = dom.elements("body").next().unwrap();
/// let names: Vec<_> = body.children().filter_map(|node| node.name()).collect();
/// assert_eq!(names, ["h1", "p"]);
/// let paragraph = body.last_child().unwrap();
/// assert_eq!(paragraph.text(), "Good morning");
/// assert_eq!(paragraph.outer_html(), "<p>Good <b>morning</b></p>");
/// assert_eq!(paragraph.span().unwrap().start, 19);
/// ```
#[derive(Clone)]
pub struct Dom<'t> {
    strings: Strings<'t>,
    links: Links,
    tags: Vec<Tags>,
    attributes: Vec<RawAttribute>,
    extended: Vec<Vec<RawAttribute>>,
    /// Three of a DOCTYPE, two of a processing instruction.
    parts: Vec<Part>,
    /// The gaps in texts, sorted by text and place.
    gaps: Vec<Gap>,
    names: Names,
    attribute_names: AttributeNames,
    /// The node whose children are the result.
    root: u32,
    /// The context element of a fragment.
    context: u32,
    mode: DocumentMode,
    /// What it was parsed with, as far as the sink knows.
    options: Options,
    limit: Option<DomLimit>,
    errors: Vec<TreeError>,
    tokenizer_errors: Vec<ParseError>,
}

impl Dom<'_> {
    /// The tree with an input of its own, which is a copy if the tree borrows from it.
    pub fn into_owned(self) -> Dom<'static> {
        Dom {
            strings: self.strings.into_owned(),
            ..self
        }
    }

    /// What it was parsed with.
    #[cfg(feature = "parse")]
    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// The element in which a fragment was parsed, and whether that is in a form.
    #[cfg(feature = "parse")]
    pub(crate) fn context(&self) -> Option<(Node<'_>, bool)> {
        let context = self.node(NodeId(self.context))?;
        // A form is created just before.
        let before = self.at(context.id.0.saturating_sub(1));
        let is_form = before.is("form") && before.parent().is_none();
        Some((context, is_form))
    }

    /// How many bytes the tree takes beside its input.
    pub fn memory(&self) -> usize {
        fn of<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let extended = self.extended.iter().map(of).sum::<usize>() + of(&self.extended);
        let names = self.names.memory() + self.attribute_names.memory();
        let errors = of(&self.errors) + of(&self.tokenizer_errors);
        let lists = of(&self.links.nodes) + of(&self.tags) + of(&self.attributes) + of(&self.parts);
        let lists = lists + of(&self.gaps);
        self.strings.memory() + lists + extended + names + errors
    }

    /// The attributes of an element.
    #[inline]
    fn raw_attributes(&self, id: u32) -> &[RawAttribute] {
        let node = self.links.node(id);
        if !node.what.is_element() || node.length == 0 {
            return &[];
        }
        let first = self.tags[node.start as usize].attributes as usize;
        match node.length {
            EXTENDED => &self.extended[first],
            length => &self.attributes[first..first + length as usize],
        }
    }

    /// The string of a text or comment.
    fn string(&self, id: u32) -> &str {
        let node = self.links.node(id);
        self.strings.get(Part {
            start: node.start,
            length: node.length,
        })
    }

    /// The place of the token that a node is made for, or of the node that it is a copy of.
    fn place(&self, id: u32) -> Place {
        let node = self.links.node(id);
        match node.what {
            what if what.is_element() => self.tags[node.start as usize].start,
            what if what.has_children() => NOWHERE,
            _ => (node.first, node.last),
        }
    }

    fn gaps_of(&self, text: u32) -> &[Gap] {
        let start = self.gaps.partition_point(|gap| gap.text < text);
        let rest = &self.gaps[start..];
        &rest[..rest.partition_point(|gap| gap.text == text)]
    }

    fn parts(&self, id: u32) -> &[Part] {
        let node = self.links.node(id);
        &self.parts[node.start as usize..][..node.length as usize]
    }

    /// What a DOCTYPE says.
    fn doctype(&self, id: u32) -> Doctype<'_> {
        let strings = &self.strings;
        let part = |index: usize| {
            self.parts(id)
                .get(index)
                .map_or("", |&part| strings.get(part))
        };
        Doctype {
            name: part(0),
            public_identifier: part(1),
            system_identifier: part(2),
        }
    }

    /// Target and data of a processing instruction.
    fn instruction(&self, id: u32) -> (&str, &str) {
        match self.parts(id) {
            &[target, data] => (self.strings.get(target), self.strings.get(data)),
            _ => ("", ""),
        }
    }

    /// Gives back the memory that is not needed.
    fn shrink(&mut self) {
        fn shrink<T>(list: &mut Vec<T>) {
            if list.capacity() - list.len() > list.len() / 8 {
                list.shrink_to_fit();
            }
        }
        self.strings.shrink();
        shrink(&mut self.links.nodes);
        shrink(&mut self.tags);
        shrink(&mut self.attributes);
        shrink(&mut self.extended);
        self.extended.iter_mut().for_each(shrink);
        shrink(&mut self.parts);
        shrink(&mut self.gaps);
    }
}

impl fmt::Debug for Dom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.links.nodes.len();
        f.debug_struct("Dom")
            .field("nodes", &nodes)
            .finish_non_exhaustive()
    }
}
