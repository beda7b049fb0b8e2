//! What the emitter knows of a machine beyond its arms. Each analysis reads the lowered machine, so
//! that every table gets its result.

pub mod attribute;
pub(crate) mod checkpoint;
pub(crate) mod deferred_append;
pub(crate) mod emission;
mod finished_attribute;
pub mod hot;
pub(crate) mod live;
pub mod newline;
mod paths;
pub mod rewind;
pub mod scan;
pub mod token_start;
pub mod whole_tag;

pub use crate::uses::bodies;
pub use live::live_unanswered;
pub(crate) use paths::emits;
pub use paths::{
    Event, FIRST, Path, decided, next_number, paths, states_in_registers, uses_last_start_tag,
};
