//! An element as a builder knows it.

use super::names::{Name, Space};

/// The type of an element: a namespace and a local name in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u32);

impl Type {
    /// The contents of a template, or a node of which nothing is known.
    pub const NONE: Self = Self(u32::MAX);
    /// A marker in the list of active formatting elements.
    pub const MARKER: Self = Self(u32::MAX - 1);
    /// The Document.
    pub const DOCUMENT: Self = Self(u32::MAX - 2);

    /// The elements with this name in a namespace of elements: HTML, MathML, SVG or none.
    #[inline(always)]
    pub const fn new(space: Space, name: Name) -> Self {
        let number = match space {
            Space::Html | Space::MathMl | Space::Svg => space as u32,
            Space::XLink | Space::Xml | Space::Xmlns | Space::None => 3,
        };
        Self(number << Name::BITS | name.0)
    }

    /// The HTML elements with this name.
    #[inline(always)]
    pub const fn html(name: Name) -> Self {
        Self::new(Space::Html, name)
    }

    /// As an index: for HTML elements the number of the name.
    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        self.0 as usize
    }

    /// Whether it is that of an HTML element.
    #[inline(always)]
    pub const fn is_html(self) -> bool {
        self.0 >> Name::BITS == 0
    }

    /// The local name.
    #[inline(always)]
    pub const fn name(self) -> Name {
        Name(self.0 & ((1 << Name::BITS) - 1))
    }

    /// The namespace; none for what is no element.
    #[inline(always)]
    pub const fn space(self) -> Space {
        match self.0 >> Name::BITS {
            0 => Space::Html,
            1 => Space::MathMl,
            2 => Space::Svg,
            _ => Space::None,
        }
    }

    /// Whether it is that of an element.
    #[inline(always)]
    pub const fn is_element(self) -> bool {
        self.0 < Self::DOCUMENT.0
    }
}

/// An element, or a marker, with what a builder asks about it.
#[derive(Clone, Debug)]
pub struct Element<N> {
    /// The sink's node. For a marker it means nothing.
    pub node: N,
    /// Each element and each marker has a number of its own, in the order of their creation.
    pub serial: u32,
    /// Its type.
    pub ty: Type,
    /// The sets of the table in which it is, a bit each.
    pub sets: u64,
}

impl<N> Element<N> {
    /// Whether it is of one type.
    #[inline(always)]
    pub fn is(&self, ty: Type) -> bool {
        self.ty == ty
    }

    /// Whether it is in one of the sets, a bit each.
    #[inline(always)]
    pub const fn is_in(&self, sets: u64) -> bool {
        self.sets & sets != 0
    }

    /// Whether it is the Document.
    #[inline(always)]
    pub fn is_document(&self) -> bool {
        self.is(Type::DOCUMENT)
    }

    /// Whether both are one element.
    #[inline(always)]
    pub const fn is_same(&self, other: &Self) -> bool {
        self.serial == other.serial
    }
}
