//! What the caller looks up, since this crate reads no files: a base by its name, a data file by its name.

use crate::source::Source;

/// Looks up a base by the name that `extends` gives.
pub type Resolve<'r> = dyn Fn(&str) -> Option<Source> + 'r;

/// Looks up a data file of named character references: the name as written after `&`, and what it
/// stands for.
pub type References<'r> = dyn Fn(&str) -> Option<Vec<(String, String)>> + 'r;
