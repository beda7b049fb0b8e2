//! The phrases and guards of the tree language: a row each.

use super::machine::{Content, Elements, Guard, Location, Step};
use crate::lexer::{Kind, Token};
use crate::phrase::{Cursor, Hole, Name, Row, name, rows};

/// What one step says, with the names in it not yet looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    /// A step without names.
    Step(Step),
    Push(Name),
    Pop(Name),
    PopUntil(Elements, Name),
    SwitchTo(Name),
    /// Ends the arm.
    ReprocessIn(Name),
    /// Ends the arm.
    Ignore,
    /// Ends the arm.
    StopParsing,
}

impl Phrase {
    /// Whether nothing can follow it.
    pub(super) fn is_end(&self) -> bool {
        match self {
            Self::ReprocessIn(_) | Self::Ignore | Self::StopParsing => true,
            Self::Step(_)
            | Self::Push(_)
            | Self::Pop(_)
            | Self::PopUntil(..)
            | Self::SwitchTo(_) => false,
        }
    }
}

/// What a guard asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// One without names.
    Guard(Guard),
    Has(Name, Elements),
    IsEmpty(Name),
}

const MODE: Hole<Name> = name("an insertion mode");
const STACK: Hole<Name> = name("a stack of elements");

const LOCATION: Hole<Location> = Hole {
    expected: "`the Document` or `the current element`",
    read: |text| {
        let is = |words| text.rest_is(words);
        let all = [
            ("Document", Location::Document),
            ("current element", Location::CurrentElement),
        ];
        all.into_iter()
            .find_map(|(words, it)| is(words).then_some(it))
    },
};

const ELEMENTS: Hole<Elements> = Hole {
    expected: "`an element with the same tag name as the token`",
    read: |text| {
        let words = "element with the same tag name as the token";
        text.rest_is(words).then_some(Elements::SameName)
    },
};

const CODE_POINT: Hole<char> = Hole {
    expected: "a character, such as `U+0026 (&)`",
    read: |text: Cursor<'_>| match text.only()? {
        // What is wrong with it has been said; any character will do.
        Token {
            kind: Kind::CodePoint(character),
            ..
        } => Some(character.unwrap_or_default()),
        _ => None,
    },
};

const TEXT: Hole<String> = Hole {
    expected: "a name in quotes",
    read: |text| text.quoted().map(str::to_owned),
};

/// All phrases.
pub(crate) const PHRASES: &[Row<Phrase>] = rows! {
    /// Report an error at the token. It names the token, if it has a name, and the current element.
    "parse error" = "parse error"
        => Phrase::Step(Step::ParseError);
    /// Do nothing more with the token. Ends the arm.
    "ignore the token" = "ignore the token"
        => Phrase::Ignore;
    /// Make an element with the token's name and attributes: the new element.
    "create an element for the token" = "create an element for the token"
        => Phrase::Step(Step::CreateElement);
    /// Append the element created last.
    "append the new element to LOCATION" with to: LOCATION = "append the new element to the Document"
        => Phrase::Step(Step::Append(Content::NewElement, to));
    /// It becomes the current element.
    "push the new element onto STACK" with stack: STACK = "push the new element onto the stack of open elements"
        => Phrase::Push(stack);
    /// Pop the element pushed last, if there is one.
    "pop an element from STACK" with stack: STACK = "pop an element from the stack of open elements"
        => Phrase::Pop(stack);
    /// Pop up to and with the nearest of these; without one, all.
    "pop elements from STACK until ELEMENTS has been popped" with stack: STACK, elements: ELEMENTS =
        "pop elements from the stack of open elements until an element with the same tag name as the token has been popped"
        => Phrase::PopUntil(elements, stack);
    /// Append the token's character. Consecutive characters become one Text node: those between which nothing else is
    /// appended and no element is pushed or popped.
    "append the character to LOCATION" with to: LOCATION = "append the character to the current element"
        => Phrase::Step(Step::Append(Content::Character, to));
    /// Append a character as if it were that of the token.
    "append CHARACTER to LOCATION" with character: CODE_POINT, to: LOCATION = "append U+0026 (&) to the current element"
        => Phrase::Step(Step::Append(Content::CodePoint(character), to));
    /// Append a reference with the token's name, whose text is not known.
    "append an EntityReference node to LOCATION" with to: LOCATION =
        "append an EntityReference node to the current element"
        => Phrase::Step(Step::Append(Content::EntityReference, to));
    /// Append a comment with the token's data.
    "append a Comment node to LOCATION" with to: LOCATION = "append a Comment node to the current element"
        => Phrase::Step(Step::Append(Content::Comment, to));
    /// Append a processing instruction with the token's target and data.
    "append a ProcessingInstruction node to LOCATION" with to: LOCATION =
        "append a ProcessingInstruction node to the Document"
        => Phrase::Step(Step::Append(Content::ProcessingInstruction, to));
    /// Append a DOCTYPE with the token's name, public and system identifier.
    "append a DocumentType node to LOCATION" with to: LOCATION = "append a DocumentType node to the Document"
        => Phrase::Step(Step::Append(Content::DocumentType, to));
    /// The insertion mode takes the next token; the steps after this one are done.
    "switch to MODE" with mode: MODE = "switch to main"
        => Phrase::SwitchTo(mode);
    /// The insertion mode takes this token, and those after it. Ends the arm.
    "reprocess the token in MODE" with mode: MODE = "reprocess the token in end"
        => Phrase::ReprocessIn(mode);
    /// Take no more tokens. Ends the arm.
    "stop parsing" = "stop parsing"
        => Phrase::StopParsing;
};

/// All guards.
pub(crate) const GUARDS: &[Row<Question>] = rows! {
    /// Whether the token has this name.
    "the name of the token is TEXT" with name: TEXT = "the name of the token is \"amp\""
        => Question::Guard(Guard::TokenIsNamed(name));
    /// Whether the current element is one of these; not so if there is none.
    "the current element is ELEMENTS" with elements: ELEMENTS =
        "the current element is an element with the same tag name as the token"
        => Question::Guard(Guard::CurrentIs(elements));
    /// Whether one of these is on the stack.
    "STACK has ELEMENTS" with stack: STACK, elements: ELEMENTS =
        "the stack of open elements has an element with the same tag name as the token"
        => Question::Has(stack, elements);
    /// Whether no element is left on the stack.
    "STACK is empty" with stack: STACK = "the stack of open elements is empty"
        => Question::IsEmpty(stack);
};
