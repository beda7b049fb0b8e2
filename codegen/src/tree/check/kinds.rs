//! The kinds of tokens, and where each has what steps read.

use crate::machine::{Field, FieldType, Vocabulary};
use crate::tree::keys;
use crate::tree::machine::{Kind, Part};

/// Character, end-of-file, then the vocabulary's.
pub(super) fn kinds(vocabulary: Vocabulary) -> Vec<Kind> {
    let kind = |name: &str, fields: &[Field]| Kind {
        name: name.to_owned(),
        fields: Part::ALL.map(|part| {
            let mut fields = fields.iter();
            fields.position(|field| field.name == part.as_str() && fits(part, field.ty))
        }),
    };
    let mut kinds = vec![kind(keys::CHARACTER, &[]), kind(keys::END_OF_FILE, &[])];
    for token in &vocabulary.tokens {
        let names = token.kinds.iter();
        kinds.extend(names.map(|it| kind(&it.name, &token.fields)));
    }
    kinds
}

fn fits(part: Part, ty: FieldType) -> bool {
    let is_text = matches!(ty, FieldType::Text | FieldType::OptionalText);
    match part {
        Part::Attributes => ty == FieldType::Attributes,
        Part::SelfClosing | Part::ForceQuirks => ty == FieldType::Flag,
        Part::Name
        | Part::Data
        | Part::Target
        | Part::PublicIdentifier
        | Part::SystemIdentifier => is_text,
    }
}
