//! The form of html5lib-tests: tokens as JSON, and the test files.

mod case;
mod files;
mod form;
mod lines;

pub use case::{Case, ExpectedError, ExpectedErrors, Skip, Skipped, Start, Suite};
pub use files::{read_folder, read_tests};
pub use form::Form;
pub(crate) use form::Formed;
pub use lines::read_lines;
