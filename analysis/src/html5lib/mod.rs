//! The form of html5lib-tests: tokens as JSON, and what a test says.

mod case;
mod file;
mod form;
pub mod trees;

pub(crate) use case::all_found;
pub use case::{Case, ExpectedError, ExpectedErrors, Skip, Skipped, Start, Suite};
pub use file::{read_folder, read_tests};
pub use form::Form;
pub(crate) use form::Formed;
#[doc(hidden)]
pub use form::read_token;
