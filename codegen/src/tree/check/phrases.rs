//! The phrases and guards of the tree language: a row each.

use super::Checker;
use crate::diagnostic::Span;
use crate::lexer::{Kind, Token};
use crate::phrase::holes::name;
use crate::phrase::{self, Cursor, Hole, Name, Row, fits, rows};
use crate::tree::machine::{Content, Elements, Exit, Guard, Location, Step};

/// Builds what a row means of what stands in its holes. `None` after a fault.
pub(crate) type Means<T> = fn(&mut Checker<'_, '_>, &[Cursor<'_>], Span) -> Option<T>;

/// What a phrase says, and where faults of it are shown: what leads to an insertion mode, at the name of the mode.
pub(crate) struct Says {
    pub(super) what: What,
    pub(super) span: Span,
}

pub(super) enum What {
    Step(Step),
    /// The end of the arm.
    End(Exit),
}

fn does(step: Step, span: Span) -> Option<Says> {
    let what = What::Step(step);
    Some(Says { what, span })
}

fn ends(exit: Exit, span: Span) -> Option<Says> {
    let what = What::End(exit);
    Some(Says { what, span })
}

/// Whether a text is a phrase, as far as the names in it exist.
pub(crate) fn is_phrase(text: &str) -> bool {
    fits(PHRASES, text)
}

/// Whether the value of a key is a phrase, or a list in brackets that begins with one.
pub(crate) fn is_steps(value: &str) -> bool {
    phrase::is_steps(value, is_phrase)
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
    read: |text| match text.only()? {
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
pub(crate) const PHRASES: &[Row<Means<Says>>] = rows! {
    /// Report an error at the token. It names the token, if it has a name, and the current element.
    "parse error" = "parse error"
        => |_, span| does(Step::ParseError, span);
    /// Do nothing more with the token. Ends the arm.
    "ignore the token" = "ignore the token"
        => |_, span| ends(Exit::Done, span);
    /// Make an element with the token's name and attributes: the new element.
    "create an element for the token" = "create an element for the token"
        => |_, span| does(Step::CreateElement, span);
    /// Append the element created last.
    "append the new element to LOCATION" = "append the new element to the Document"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::NewElement, to), span);
    /// It becomes the current element.
    "push the new element onto STACK" = "push the new element onto the stack of open elements"
        with stack: STACK
        => |c, span| does(Step::Push(c.stack(&stack)), span);
    /// Pop the element pushed last, if there is one.
    "pop an element from STACK" = "pop an element from the stack of open elements"
        with stack: STACK
        => |c, span| does(Step::Pop(c.stack(&stack)), span);
    /// Pop up to and with the nearest of these; without one, all.
    "pop elements from STACK until ELEMENTS has been popped" = "pop elements from the stack of open elements until an element with the same tag name as the token has been popped"
        with stack: STACK, elements: ELEMENTS
        => |c, span| does(Step::PopUntil(elements, c.stack(&stack)), span);
    /// Append the token's character. Consecutive characters become one Text node: those between which nothing else is
    /// appended and no element is pushed or popped.
    "append the character to LOCATION" = "append the character to the current element"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::Character, to), span);
    /// Append a character as if it were that of the token.
    "append CHARACTER to LOCATION" = "append U+0026 (&) to the current element"
        with character: CODE_POINT, to: LOCATION
        => |_, span| does(Step::Append(Content::CodePoint(character), to), span);
    /// Append a reference with the token's name, whose text is not known.
    "append an EntityReference node to LOCATION" = "append an EntityReference node to the current element"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::EntityReference, to), span);
    /// Append a comment with the token's data.
    "append a Comment node to LOCATION" = "append a Comment node to the current element"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::Comment, to), span);
    /// Append a processing instruction with the token's target and data.
    "append a ProcessingInstruction node to LOCATION" = "append a ProcessingInstruction node to the Document"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::ProcessingInstruction, to), span);
    /// Append a DOCTYPE with the token's name, public and system identifier.
    "append a DocumentType node to LOCATION" = "append a DocumentType node to the Document"
        with to: LOCATION
        => |_, span| does(Step::Append(Content::DocumentType, to), span);
    /// The insertion mode takes the next token; the steps after this one are done.
    "switch to MODE" = "switch to main"
        with mode: MODE
        => |c, _| does(Step::SwitchTo(c.mode_named(&mode.text, mode.span)), mode.span);
    /// The insertion mode takes this token, and those after it. Ends the arm.
    "reprocess the token in MODE" = "reprocess the token in end"
        with mode: MODE
        => |c, _| ends(Exit::ReprocessIn(c.mode_named(&mode.text, mode.span)), mode.span);
    /// Take no more tokens. Ends the arm.
    "stop parsing" = "stop parsing"
        => |_, span| ends(Exit::StopParsing, span);
};

/// All guards.
pub(crate) const GUARDS: &[Row<Means<Guard>>] = rows! {
    /// Whether the token has this name.
    "the name of the token is TEXT" = "the name of the token is \"amp\""
        with name: TEXT
        => |_, _| Some(Guard::TokenIsNamed(name));
    /// Whether the current element is one of these; not so if there is none.
    "the current element is ELEMENTS" = "the current element is an element with the same tag name as the token"
        with elements: ELEMENTS
        => |_, _| Some(Guard::CurrentIs(elements));
    /// Whether one of these is on the stack.
    "STACK has ELEMENTS" = "the stack of open elements has an element with the same tag name as the token"
        with stack: STACK, elements: ELEMENTS
        => |c, _| Some(Guard::Has(c.stack(&stack), elements));
    /// Whether no element is left on the stack.
    "STACK is empty" = "the stack of open elements is empty"
        with stack: STACK
        => |c, _| Some(Guard::IsEmpty(c.stack(&stack)));
};
