//! The shared `markup` vocabulary: one set of tokens, so that one sink serves every markup table.

use crate::machine::{Field, FieldType, Kind, Token, Vocabulary};

fn token(name: &str, kinds: &[(&str, bool)], fields: &[(&str, FieldType)]) -> Token {
    let kinds = if kinds.is_empty() {
        &[(name, false)]
    } else {
        kinds
    };
    Token {
        name: name.to_owned(),
        kinds: kinds
            .iter()
            .map(|&(name, answers)| Kind {
                name: name.to_owned(),
                answers,
                is_start_tag: name == "start tag",
            })
            .collect(),
        fields: fields
            .iter()
            .map(|&(name, ty)| Field {
                name: name.to_owned(),
                ty,
            })
            .collect(),
    }
}

/// The shared vocabulary: tags, comments, DOCTYPEs, processing instructions and what XML adds.
pub fn markup() -> Vocabulary {
    use FieldType::{Attributes, Flag, OptionalText, Text};
    Vocabulary {
        shared: Some("markup".to_owned()),
        tokens: vec![
            token(
                "tag",
                &[("start tag", true), ("end tag", true), ("empty tag", true)],
                &[
                    ("name", Text),
                    ("self-closing flag", Flag),
                    ("attributes", Attributes),
                ],
            ),
            token("short end tag", &[], &[]),
            token("comment", &[], &[("data", Text)]),
            token(
                "DOCTYPE",
                &[],
                &[
                    ("name", OptionalText),
                    ("public identifier", OptionalText),
                    ("system identifier", OptionalText),
                    ("force-quirks flag", Flag),
                ],
            ),
            token(
                "processing instruction",
                &[],
                &[("target", Text), ("data", Text)],
            ),
            token(
                "XML declaration",
                &[],
                &[
                    ("version", OptionalText),
                    ("encoding", OptionalText),
                    ("standalone", OptionalText),
                ],
            ),
            token("entity reference", &[], &[("name", Text)]),
        ],
        contents: [
            "data",
            "RCDATA",
            "RAWTEXT",
            "script data",
            "PLAINTEXT",
            "CDATA section",
        ]
        .map(str::to_owned)
        .to_vec(),
        questions: vec!["CDATA sections are allowed".to_owned()],
    }
}
