//! Tree construction: tables run over the tokens of a tokenizer, and what they build.

mod arena;
mod builder;
mod document;
mod dump;
pub mod errors;
mod evaluate;
mod follow;
mod guards;
mod json;
mod log;
mod note;
mod outside;
mod passed;
mod received;
mod selected;
pub mod shortcuts;
mod slot;
mod stack;
mod steps;

pub use arena::{Attribute, Element, Event, Events, Node, NodeId, Tree};
pub use builder::{Builder, Fault, Loop};
pub use document::{Parsed, Parser, Refusal, construct, parse};
pub use follow::Follower;
pub use log::{HostEvent, TakenArm, TokenStep};
pub use outside::{Context, ContextMode, Environment, Scripting};
pub use passed::Passed;
