//! How large a table is, and which text it was.

pub(crate) use speclex_codegen::statistics::{header, statistics};
