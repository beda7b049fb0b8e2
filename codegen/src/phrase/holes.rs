//! Holes that both phrases and guards have.

use super::Name;
use super::cursor::Cursor;
use super::rows::Hole;
use crate::lexer::number;

pub(super) const TOKEN: Hole<Name> = name("a token");
pub(super) const NUMBER: Hole<Name> = name("a number register");

pub(super) const N: Hole<u32> = Hole {
    expected: "a number",
    read: |text| number(text.typed()),
};

/// A name of the table's own.
pub(crate) const fn name(expected: &'static str) -> Hole<Name> {
    let read = |text: Cursor<'_>| text.name();
    Hole { expected, read }
}
