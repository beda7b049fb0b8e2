//! What the emitter knows of a machine beyond its arms. Each analysis reads the lowered machine, so
//! that every table gets its result.

pub mod absorb;
pub mod attribute;
pub mod emission;
pub mod hot;
pub mod live;
pub mod newline;
pub mod rewind;
pub mod scan;
mod settled;
pub mod token_start;
mod walk;

pub use walk::{Path, bodies, decided, emits, paths, states_in_registers, uses_last_start_tag};
