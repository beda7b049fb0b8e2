//! Two tokenizers over real documents: which differ, where first, and why.
//!
//! A [`Surveyor`] compares one document at a time; a [`Survey`] adds up what came of it, and with other
//! surveys of the same tables. Documents are read as pages: the tables say what follows start tags, so that what is in
//! `script`, `style` or `textarea` is tokenized as a browser does. CDATA sections are not allowed, as outside of foreign content.

mod compare;
mod excerpt;
mod first_difference;
mod report;
mod text;

pub use compare::Surveyor;
pub use report::{
    CauseRow, Difference, Differing, FORM, LISTED, Mismatch, Name, Shown, Survey, Tables, Unread,
};
pub use text::Text;
