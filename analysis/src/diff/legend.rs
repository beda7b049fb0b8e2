//! What the words of examples mean in the tables: the fields of tokens, and the elements that have a content.

use std::collections::BTreeMap;

use speclex_codegen::machine::{FieldType, Machine};

/// Keyed by the names that examples use.
#[derive(Clone, Debug, Default)]
pub(super) struct Legend {
    /// The fields of each kind of token, in order.
    pub(super) fields: BTreeMap<String, Vec<String>>,
    /// The elements with each content, in the order of the table.
    pub(super) elements: BTreeMap<String, Vec<String>>,
}

impl Legend {
    /// Of two tables; where both say something, it is what the second says.
    pub(super) fn of(tables: [&Machine; 2]) -> Self {
        let mut legend = Self::default();
        for machine in tables {
            for token in &machine.vocabulary.tokens {
                let fields = token.fields.iter().map(|field| match field.ty {
                    FieldType::Flag => format!("[{}]", field.name),
                    _ => field.name.clone(),
                });
                let fields: Vec<String> = fields.collect();
                let kinds = token.kinds.iter();
                let kinds = kinds.map(|kind| (kind.name.clone(), fields.clone()));
                legend.fields.extend(kinds);
            }
            for (index, content) in (0..).zip(&machine.vocabulary.contents) {
                let elements = machine.contents_after.elements.iter();
                let elements = elements.filter(|element| element.content == index);
                let elements = elements.map(|element| element.name.clone());
                let elements: Vec<String> = elements.collect();
                if !elements.is_empty() {
                    legend.elements.insert(content.clone(), elements);
                }
            }
        }
        legend
    }
}
