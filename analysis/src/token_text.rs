//! A token as people read it.

use std::fmt::{self, Display, Formatter};

use speclex_codegen::{escape, machine::Machine};

use crate::token::{Token, Value};

/// A token in one line. It is written piece by piece: a token may be as long as the document.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// Its fields have their names from here.
    pub machine: &'a Machine,
    /// The token.
    pub token: &'a Token,
}

impl Display for Described<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (kind, fields) = match self.token {
            Token::Characters(text) => return write!(f, "characters {text:?}"),
            Token::Declared { kind, fields } => (kind, fields),
        };
        f.write_str(kind)?;
        let mut tokens = self.machine.vocabulary.tokens.iter();
        let declared = tokens.find(|token| token.kinds.iter().any(|k| k.name == *kind));
        for (field, value) in declared.iter().flat_map(|t| &t.fields).zip(fields) {
            match value {
                // The first texts of most tokens need no label.
                Value::Text(text) if ["name", "target", "data"].contains(&field.name.as_str()) => {
                    write!(f, " {text:?}")?;
                }
                Value::Text(text) => write!(f, " {}={text:?}", field.name)?,
                Value::Missing | Value::Flag(false) => {}
                Value::Flag(true) => write!(f, " [{}]", field.name)?,
                Value::Attributes(attributes) => {
                    for (name, value) in attributes {
                        write!(f, " {}={value:?}", escape::line(name))?;
                    }
                }
            }
        }
        Ok(())
    }
}
