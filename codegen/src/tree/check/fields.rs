//! The kinds of tokens and their fields.

use crate::machine::{Field, FieldType, Vocabulary};
use crate::tree::keys;

/// A vocabulary by the numbers of its kinds.
pub(super) struct Fields {
    /// Character, end-of-file, then the vocabulary's.
    kinds: Vec<String>,
    /// The fields of each kind.
    fields: Vec<Vec<Field>>,
}

impl Fields {
    pub(super) fn new(vocabulary: Vocabulary) -> Self {
        let mut all = Self {
            kinds: vec![keys::CHARACTER.to_owned(), keys::END_OF_FILE.to_owned()],
            fields: vec![Vec::new(), Vec::new()],
        };
        for token in vocabulary.tokens {
            for kind in token.kinds {
                all.kinds.push(kind.name);
                all.fields.push(token.fields.clone());
            }
        }
        all
    }

    pub(super) fn kinds(&self) -> &[String] {
        &self.kinds
    }

    pub(super) fn into_kinds(self) -> Vec<String> {
        self.kinds
    }

    /// The number of a kind.
    pub(super) fn number(&self, kind: &str) -> Option<usize> {
        self.kinds.iter().position(|name| name == kind)
    }

    /// The number of a text field of a kind.
    pub(super) fn text(&self, kind: usize, name: &str) -> Option<usize> {
        self.field(kind, name, |ty| {
            matches!(ty, FieldType::Text | FieldType::OptionalText)
        })
    }

    /// The number of the attributes of a kind.
    pub(super) fn attributes(&self, kind: usize) -> Option<usize> {
        self.field(kind, "attributes", |ty| ty == FieldType::Attributes)
    }

    fn field(&self, kind: usize, name: &str, is: impl Fn(FieldType) -> bool) -> Option<usize> {
        let mut fields = self.fields.get(kind)?.iter();
        fields.position(|field| field.name == name && is(field.ty))
    }
}
