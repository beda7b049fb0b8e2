//! The tokens that tree construction gets from a tokenizer.

use crate::machine::{self, Machine};

/// The tokens that tree construction gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The vocabulary of the tokenizer.
    pub of_tokenizer: machine::Vocabulary,
    /// The names of the kinds that the tokenizer creates. Only these need arms.
    pub created: Vec<String>,
}

impl From<&Machine> for Vocabulary {
    fn from(tokenizer: &Machine) -> Self {
        let created = tokenizer.kinds_created().into_iter();
        Self {
            of_tokenizer: tokenizer.vocabulary.clone(),
            created: created.map(str::to_owned).collect(),
        }
    }
}
