//! Tokens in the form of html5lib-tests, and back.

use std::collections::HashSet;

use serde::ser::{Serialize, SerializeSeq, Serializer};
use serde_json::Value as Json;
use speclex_codegen::machine::{Action, Machine};

use crate::token::{Token, Value};

/// How tokens are written. The shared vocabulary has the form of html5lib-tests and, for XML, of
/// xml5lib-tests; the tokens of a table's own vocabulary are `[kind, field values...]` in order of
/// declaration, a missing string as null and attributes as a list of pairs. Of the shared vocabulary, attributes are such a list
/// only if two have the same name: no shipped table keeps both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether the tokens are those of the shared vocabulary.
    pub markup: bool,
    /// Whether a DOCTYPE says that it is correct, that is, that its force-quirks flag is unset. It does
    /// if the machine ever sets that flag: for a machine that has no notion of it (XML has no quirks)
    /// the answer would always be the same, and xml5lib-tests leave it out.
    pub correctness: bool,
}

impl Form {
    /// The form of a machine's tokens.
    pub fn of(machine: &Machine) -> Self {
        let correctness = machine.all_actions().any(|action| match action {
            Action::SetFlag(field, true) => {
                let token = machine.vocabulary.tokens.get(field.token.0 as usize);
                token.is_some_and(|token| token.name == "DOCTYPE")
            }
            _ => false,
        });
        Self {
            markup: machine.vocabulary.shared.as_deref() == Some("markup"),
            correctness,
        }
    }

    /// A token in this form, to be serialized.
    pub(crate) fn of_token(self, token: &Token) -> Formed<'_> {
        Formed { form: self, token }
    }

    /// A token as a JSON value.
    pub fn to_json(self, token: &Token) -> Json {
        // Serializing strings, flags, lists and maps with string keys cannot fail.
        serde_json::to_value(self.of_token(token)).unwrap_or_default()
    }

    /// Whether two runs of tokens have the same form, which leaves out what html5lib-tests do: the order
    /// of attributes, and the attributes of end tags.
    pub(crate) fn is_same<'a>(
        self,
        one: impl IntoIterator<Item = &'a Token>,
        other: impl IntoIterator<Item = &'a Token>,
    ) -> bool {
        let one = one.into_iter().map(|token| self.to_json(token));
        let other = other.into_iter().map(|token| self.to_json(token));
        one.eq(other)
    }
}

/// A token in the form of html5lib-tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formed<'a> {
    form: Form,
    token: &'a Token,
}

/// Attributes as an object; as a list of pairs if two have the same name, which a table may keep.
struct Object<'a>(&'a [(String, String)]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names = HashSet::new();
        match self.0.iter().all(|(name, _)| names.insert(name)) {
            true => serializer.collect_map(self.0.iter().map(|(name, value)| (name, value))),
            false => serializer.collect_seq(self.0),
        }
    }
}

/// What an XML declaration says.
#[derive(serde::Serialize)]
struct XmlDeclaration<'a> {
    version: &'a Value,
    encoding: &'a Value,
    standalone: &'a Value,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Missing => serializer.serialize_none(),
            Self::Flag(set) => serializer.serialize_bool(*set),
            Self::Attributes(attributes) => serializer.collect_seq(attributes),
        }
    }
}

impl Serialize for Formed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        match self.token {
            Token::Characters(text) => {
                seq.serialize_element("Character")?;
                seq.serialize_element(text)?;
            }
            Token::Declared { kind, fields } => {
                if !self.form.markup || !self.serialize_markup(kind, fields, &mut seq)? {
                    seq.serialize_element(kind)?;
                    for field in fields {
                        seq.serialize_element(field)?;
                    }
                }
            }
        }
        seq.end()
    }
}

impl Formed<'_> {
    /// Writes a token of the shared vocabulary; `false` if it is none.
    fn serialize_markup<S: SerializeSeq>(
        &self,
        kind: &str,
        fields: &[Value],
        seq: &mut S,
    ) -> Result<bool, S::Error> {
        match (kind, fields) {
            ("start tag", [name, self_closing, Value::Attributes(attributes)]) => {
                seq.serialize_element("StartTag")?;
                seq.serialize_element(name)?;
                seq.serialize_element(&Object(attributes))?;
                if *self_closing == Value::Flag(true) {
                    seq.serialize_element(&true)?;
                }
            }
            ("end tag", [name, ..]) => {
                seq.serialize_element("EndTag")?;
                seq.serialize_element(name)?;
            }
            ("empty tag", [name, _, Value::Attributes(attributes)]) => {
                seq.serialize_element("EmptyTag")?;
                seq.serialize_element(name)?;
                seq.serialize_element(&Object(attributes))?;
            }
            ("short end tag", []) => {
                seq.serialize_element("ShortTag")?;
                seq.serialize_element("")?;
            }
            ("comment", [data]) => {
                seq.serialize_element("Comment")?;
                seq.serialize_element(data)?;
            }
            ("DOCTYPE", [name, public, system, Value::Flag(force_quirks)]) => {
                seq.serialize_element("DOCTYPE")?;
                seq.serialize_element(name)?;
                seq.serialize_element(public)?;
                seq.serialize_element(system)?;
                if self.form.correctness {
                    seq.serialize_element(&!force_quirks)?;
                }
            }
            ("processing instruction", [target, data]) => {
                seq.serialize_element("PI")?;
                seq.serialize_element(target)?;
                seq.serialize_element(data)?;
            }
            ("XML declaration", [version, encoding, standalone]) => {
                seq.serialize_element("XmlDeclaration")?;
                seq.serialize_element(&XmlDeclaration {
                    version,
                    encoding,
                    standalone,
                })?;
            }
            ("entity reference", [name]) => {
                seq.serialize_element("EntityRef")?;
                seq.serialize_element(name)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads a token in the form of html5lib-tests.
///
/// # Errors
/// What is wrong with it.
pub fn read_token(json: &Json) -> Result<Token, String> {
    let bad = || format!("not a token: {json}");
    let items = json.as_array().ok_or_else(bad)?;
    let (kind, fields) = items.split_first().ok_or_else(bad)?;
    let kind = kind.as_str().ok_or_else(bad)?;
    let (kind, fields) = match (kind, fields) {
        ("Character", [Json::String(text)]) => return Ok(Token::Characters(text.clone())),
        ("StartTag", [name, attributes, self_closing @ ..]) if self_closing.len() < 2 => {
            let self_closing = self_closing.first().is_some_and(|set| *set == true);
            let fields = [
                read_value(name),
                Some(Value::Flag(self_closing)),
                read_value(attributes),
            ];
            ("start tag", fields.into())
        }
        ("EndTag", [name]) => {
            let none = Value::Attributes(Vec::new());
            (
                "end tag",
                vec![read_value(name), Some(Value::Flag(false)), Some(none)],
            )
        }
        ("EmptyTag", [name, attributes]) => {
            let fields = [
                read_value(name),
                Some(Value::Flag(false)),
                read_value(attributes),
            ];
            ("empty tag", fields.into())
        }
        ("ShortTag", [_]) => ("short end tag", Vec::new()),
        ("Comment", [data]) => ("comment", vec![read_value(data)]),
        ("DOCTYPE", [name, public, system, correctness @ ..]) if correctness.len() < 2 => {
            let force_quirks = correctness.first().is_some_and(|correct| *correct == false);
            let strings = [name, public, system].map(read_value).into_iter();
            let force_quirks = Some(Value::Flag(force_quirks));
            ("DOCTYPE", strings.chain([force_quirks]).collect())
        }
        ("PI", [target, data]) => {
            let fields = [target, data].map(read_value);
            ("processing instruction", fields.into())
        }
        ("XmlDeclaration", [said]) => {
            let fields = ["version", "encoding", "standalone"].map(|key| read_value(&said[key]));
            ("XML declaration", fields.into())
        }
        ("EntityRef", [name]) => ("entity reference", vec![read_value(name)]),
        (own, fields) => (own, fields.iter().map(read_value).collect()),
    };
    Ok(Token::Declared {
        kind: kind.to_owned(),
        fields: fields.into_iter().collect::<Option<_>>().ok_or_else(bad)?,
    })
}

fn read_value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::String(text) => Value::Text(text.clone()),
        Json::Null => Value::Missing,
        Json::Bool(set) => Value::Flag(*set),
        Json::Object(attributes) => {
            let attributes = attributes.iter();
            let attribute =
                |(name, value): (&String, &Json)| Some((name.clone(), value.as_str()?.to_owned()));
            Value::Attributes(attributes.map(attribute).collect::<Option<_>>()?)
        }
        Json::Array(attributes) => {
            let attribute = |pair: &Json| match pair.as_array()?.as_slice() {
                [Json::String(name), Json::String(value)] => Some((name.clone(), value.clone())),
                _ => None,
            };
            Value::Attributes(attributes.iter().map(attribute).collect::<Option<_>>()?)
        }
        Json::Number(_) => return None,
    })
}
