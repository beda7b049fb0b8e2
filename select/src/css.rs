//! What the crate `selectors` needs to know to read selectors.

use std::fmt;
use std::ops::BitOr as _;

use cssparser::{ParseError, ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{
    Component, NonTSPseudoClass, NthType, Parser, PseudoElement, Selector, SelectorImpl,
    SelectorParseErrorKind,
};

/// Selectors of trees.
#[derive(Clone, Debug)]
pub(crate) struct Css;

/// A name or a string of a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word(pub(crate) Box<str>);

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        // For Bloom filters, of which there are none.
        0
    }
}

/// A pseudo-class or pseudo-element beside those of `selectors`: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pseudo {}

impl ToCss for Pseudo {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl NonTSPseudoClass for Pseudo {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl PseudoElement for Pseudo {}

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = Word;
    type BorrowedLocalName = Word;
    type NonTSPseudoClass = Pseudo;
    type PseudoElement = Pseudo;
}

/// How selectors are read.
pub(crate) struct Reader;

impl<'i> Parser<'i> for Reader {
    type Impl = Css;
    type Error = SelectorParseErrorKind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    /// A wrong selector is an error wherever it is.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        matches!(&*prefix.0, "html" | "svg" | "math" | "xlink").then(|| prefix.clone())
    }
}

/// An error of a selector.
pub(crate) type Fault = ParseError<SelectorParseErrorKind>;

/// A selector looks to elements by combinators, so that those above an element may matter.
pub(crate) const OUTWARDS: u8 = 1;
/// It looks to siblings.
pub(crate) const SIBLINGS: u8 = 2;
/// It looks to what comes after an element's start.
pub(crate) const AHEAD: u8 = 4;

/// How far from an element selectors look: these three.
pub(crate) fn reach(selectors: &[Selector<Css>]) -> u8 {
    let components = selectors.iter().flat_map(Selector::iter_raw_match_order);
    components.map(reach_of).fold(0, u8::bitor)
}

fn reach_of(component: &Component<Css>) -> u8 {
    match component {
        Component::Combinator(_) => OUTWARDS,
        Component::Nth(nth) => reach_of_nth(nth.ty),
        Component::NthOf(nth) => reach_of_nth(nth.nth_data().ty) | reach(nth.selectors()),
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
            reach(list.slice())
        }
        Component::Has(list) => {
            let components = list
                .iter()
                .flat_map(|it| it.selector.iter_raw_match_order());
            // Its own combinators lead away from the element.
            let others = components.filter(|it| !it.is_combinator());
            others.map(reach_of).fold(AHEAD, u8::bitor)
        }
        _ => 0,
    }
}

fn reach_of_nth(ty: NthType) -> u8 {
    match ty.is_from_end() || ty.is_only() {
        true => SIBLINGS | AHEAD,
        false => SIBLINGS,
    }
}
