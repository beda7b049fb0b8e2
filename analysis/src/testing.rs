//! What the tests of this workspace need of the insides.

mod walk;

pub use crate::diff::{Neighbours, first_difference, reference_difference};
pub use crate::html5lib::read_token;
pub use crate::interpreter::effects;
pub use crate::json_escapes::{LoneSurrogate, has_lone_surrogate, unescape};
pub use walk::{ActOn, Claimed, Seen, Watched};

use speclex_codegen::machine::{Action, Machine, StateId};

use crate::error_comparison::ErrorComparison;
use crate::interpreter::{Found, Host, Input, Interpreter, find};
use crate::position::{self, Window};
use crate::spelling::Spelling;

/// How many bytes of a text share one entry of the column index.
pub const BLOCK: usize = position::BLOCK;
/// What a window lets go of is at least this long.
pub const LEAST_LET_GO: usize = position::LEAST_LET_GO;

/// The state that an interpreter is in, if it is in one.
pub fn state_of<H: Host>(interpreter: &Interpreter<'_, H>) -> Option<StateId> {
    interpreter.state()
}

/// An action in the words of reports.
pub fn words(machine: &Machine, action: &Action) -> String {
    Spelling::new(machine).action(action)
}

/// How many bytes a window keeps.
pub fn kept(window: &Window) -> usize {
    window.bytes.len()
}

/// Whether two bags of error codes are equal.
pub fn errors_agree(compared: ErrorComparison, one: &[&str], other: &[&str]) -> bool {
    compared.agree(one, other)
}

/// Which reference it is depends on text that has not come yet.
#[derive(Debug, PartialEq, Eq)]
pub struct NeedsMore;

/// The index of the longest of these sorted names that a text begins with, and the name's length.
pub fn longest_reference(
    names: &[(String, String)],
    text: &str,
    ended: bool,
) -> Result<Option<(usize, usize)>, NeedsMore> {
    let mut input = Input::new(false, false);
    input.push(text);
    if ended {
        input.finish();
    }
    match find(names, &input, 0) {
        Found::Name(index, length) => Ok(Some((index, length))),
        Found::None => Ok(None),
        Found::Unknown => Err(NeedsMore),
    }
}
