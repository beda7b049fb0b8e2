//! Why an edit is refused.

use alloc::string::String;
use core::fmt;

use crate::dom::{DomLimit, NodeId};
use crate::span::Span;

/// An edit for which there is no text: parsed, it would be another tree than the one that was meant.
///
/// ```
/// let dom = speclex::parse("<p>One");
/// let mut edits = speclex::Edits::new(&dom);
/// edits.append(dom.elements("p").next().unwrap(), "<div>Two</div>"); // A `div` ends a `p`.
/// let error = edits.apply().unwrap_err();
/// assert_eq!(error.edit(), 0);
/// assert_eq!(error.span().map(|span| span.range()), Some(0..3));
/// assert!(matches!(error.kind(), speclex::EditErrorKind::Differs { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    pub(super) edit: usize,
    pub(super) node: NodeId,
    pub(super) span: Option<Span>,
    pub(super) kind: EditErrorKind,
}

impl EditError {
    /// Which edit: the number of calls of other methods of [`Edits`](crate::Edits) before. It is the last of those that were tried together, if
    /// all before it are possible: edits may depend on each other.
    pub const fn edit(&self) -> usize {
        self.edit
    }

    /// The node that was to be edited.
    pub const fn node(&self) -> NodeId {
        self.node
    }

    /// The place of that node in the input: [`Node::span`](crate::Node::span).
    pub const fn span(&self) -> Option<Span> {
        self.span
    }

    /// What is wrong.
    pub const fn kind(&self) -> &EditErrorKind {
        &self.kind
    }
}

/// Why an edit is refused: [`EditError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The text would mean another tree. Both are shown where they differ, as a few tags and texts.
    Differs {
        /// The reader to whom it would be another tree.
        reader: EditReader,
        /// The tree that was meant.
        meant: String,
        /// That of the text.
        found: String,
    },
    /// The node is not in the tree of another reader, so that it is not known what the edit means there.
    Absent(EditReader),
    /// The node has no place in the text, as a copy that the parser made of an element.
    NoPlace,
    /// Nodes of this kind cannot be edited so: a text has no name, a comment has no attributes, and the contents of a template are no text.
    Node,
    /// No tag or attribute can have this name.
    Name,
    /// It is a node of another tree.
    OtherTree,
    /// The tree was not made of the whole text, or that of the result would not be.
    Limit(DomLimit),
    /// The bytes are not those of the tree, they are in ISO-2022-JP, or the result would be read in another encoding.
    Encoding,
    /// It was not tried: too many others were refused before ([`Edits::apply_possible`](crate::Edits::apply_possible)).
    NotTried,
}

/// Who reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditReader {
    /// The parser of the tree that is edited.
    Same,
    /// The same with scripting, if that has none, or without it: one of them reads the text in `noscript` elements as elements.
    OtherScripting,
    /// That of a call of [`Edits::also`](crate::Edits::also), by its number.
    Also(usize),
}

/// An edit that was not possible, by its number.
pub(super) struct Refused {
    pub(super) number: usize,
    pub(super) kind: EditErrorKind,
}

impl Refused {
    /// Whether the text is right where it is read as the tree was.
    pub(super) const fn is_of_others(&self) -> bool {
        use EditErrorKind::{Absent, Differs};
        match self.kind {
            Differs { reader, .. } | Absent(reader) => !matches!(reader, EditReader::Same),
            _ => false,
        }
    }

    /// Whether the text was written, and means something else.
    pub(super) const fn is_different(&self) -> bool {
        let kind = &self.kind;
        matches!(
            kind,
            EditErrorKind::Differs { .. } | EditErrorKind::Absent(_) | EditErrorKind::Limit(_)
        )
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit {}", self.edit)?;
        if let Some(span) = self.span {
            write!(f, " of the node at {}..{}", span.start, span.end)?;
        }
        f.write_str(" is not possible: ")?;
        match &self.kind {
            EditErrorKind::Differs {
                reader,
                meant,
                found,
            } => {
                write!(f, "the text would be another tree{reader}")?;
                write!(f, "\n meant: {meant}\n found: {found}")
            }
            EditErrorKind::Absent(reader) => {
                write!(f, "the tree has no such node{reader}")
            }
            EditErrorKind::NoPlace => f.write_str("the node has no place in the text"),
            EditErrorKind::Node => f.write_str("there is no such edit for such a node"),
            EditErrorKind::Name => f.write_str("no tag can have that name"),
            EditErrorKind::OtherTree => f.write_str("the node is in another tree"),
            EditErrorKind::Limit(limit) => limit.fmt(f),
            EditErrorKind::Encoding => f.write_str("the bytes would be another text"),
            EditErrorKind::NotTried => f.write_str("too many edits were refused before"),
        }
    }
}

impl fmt::Display for EditReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => Ok(()),
            Self::OtherScripting => f.write_str(" where `noscript` is read the other way"),
            Self::Also(number) => write!(f, " for parser {number} of `also`"),
        }
    }
}

#[cfg(feature = "std")]
impl std::error::Error for EditError {}
