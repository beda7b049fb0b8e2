//! A token as people read it.

use speclex_analysis::token::{Token, Value};
use speclex_codegen::{escape, machine::Machine};

/// A token in one line.
pub(crate) fn describe(machine: &Machine, token: &Token) -> String {
    match token {
        Token::Characters(text) => format!("characters {text:?}"),
        Token::Declared { kind, fields } => {
            let declared = machine
                .vocabulary
                .tokens
                .iter()
                .find(|token| token.kinds.iter().any(|k| k.name == *kind));
            let mut line = kind.clone();
            for (field, value) in declared.iter().flat_map(|t| &t.fields).zip(fields) {
                match value {
                    // The first text of most tokens needs no label.
                    Value::Text(text) if field.name == "name" || field.name == "data" => {
                        line += &format!(" {text:?}");
                    }
                    Value::Text(text) => line += &format!(" {}={text:?}", field.name),
                    Value::Missing | Value::Flag(false) => {}
                    Value::Flag(true) => line += &format!(" [{}]", field.name),
                    Value::Attributes(attributes) => {
                        for (name, value) in attributes {
                            line += &format!(" {}={value:?}", escape::line(name));
                        }
                    }
                }
            }
            line
        }
    }
}
