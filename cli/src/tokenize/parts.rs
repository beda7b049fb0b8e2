//! Where the parts of a token are, read once more from its text.

use serde_json::{Value as Json, json};
use speclex::Span;
use speclex::parts::{
    DoctypeParts, IdentifierParts, TagParts, WrittenAttribute, attributes_read, comment_data,
};
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::token::{Token, Value};
use speclex_codegen::machine::Machine;

use crate::Failure;

/// Finds parts.
pub(super) struct Parts<'m> {
    /// Reads attributes by themselves.
    engine: Box<dyn Engine + 'm>,
}

/// The parts of a token.
pub(super) enum Found {
    Tag {
        name: Span,
        attributes: Vec<WrittenAttribute>,
        slash: Option<Span>,
    },
    Doctype(DoctypeParts),
    /// Its data.
    Comment(Span),
}

/// The token of an output that has this kind, as the markup vocabulary declares it.
fn fields(token: &Token) -> Option<(&str, &[Value])> {
    match token {
        Token::Declared { kind, fields } => Some((kind, fields)),
        Token::Characters(_) => None,
    }
}

impl<'m> Parts<'m> {
    /// For a table, which an engine runs.
    pub(super) fn new(engine: Box<dyn Engine + 'm>, machine: &Machine) -> Result<Self, Failure> {
        match machine.vocabulary.shared {
            Some(_) => Ok(Self { engine }),
            None => Err(Failure::Other(format!(
                "table `{}` has tokens of its own, and only those of markup have parts: leave out --parts",
                machine.name
            ))),
        }
    }

    /// Whether tokens of this kind have parts.
    pub(super) fn are_in(token: &Token) -> bool {
        let kind = fields(token).map(|(kind, _)| kind);
        let kinds = ["start tag", "end tag", "empty tag", "comment", "DOCTYPE"];
        kind.is_some_and(|kind| kinds.contains(&kind))
    }

    /// The parts of a token whose text starts at an offset. `None` if it has none, or if the token has other text than
    /// the parts: the table reads such a token in another way, or a limit has cut it.
    pub(super) fn of(&mut self, token: &Token, source: &str, offset: u64) -> Option<Found> {
        let text = |Span { start, end }| {
            let [start, end] = [start, end].map(|at: u64| usize::try_from(at - offset));
            source.get(start.ok()?..end.ok()?)
        };
        let is_value = |part: Option<Span>, value: &Value| {
            let part = part.and_then(text).map(normalized);
            part.as_deref() == value.text()
        };
        let is_name = |part: Option<Span>, value: &Value| {
            let part = part.and_then(text).map(normalized);
            match (part, value.text()) {
                (Some(part), Some(name)) => part.eq_ignore_ascii_case(name),
                (part, name) => part.as_deref() == name,
            }
        };
        match fields(token)? {
            ("comment", [data]) => {
                let found = comment_data(source, offset);
                is_value(Some(found), data).then_some(Found::Comment(found))
            }
            ("DOCTYPE", [name, public_id, system_id, _]) => {
                let found = DoctypeParts::of(source, offset);
                let value = |id: Option<IdentifierParts>| id.map(|id| id.value);
                let is_right = is_name(found.name, name)
                    && is_value(value(found.public_id), public_id)
                    && is_value(value(found.system_id), system_id);
                is_right.then_some(Found::Doctype(found))
            }
            (kind, [name, Value::Flag(is_self_closing), Value::Attributes(has)]) => {
                let TagParts {
                    name: found, slash, ..
                } = TagParts::of(source, offset);
                let closes = *is_self_closing || kind == "empty tag";
                if !is_name(Some(found), name) || slash.is_some() != closes {
                    return None;
                }
                let attributes = self.attributes(source, offset)?;
                let kept = attributes.iter().filter(|it| !it.parts.is_duplicate);
                let kept = kept.map(|it| (&it.name, &it.value));
                let is_right = kept.eq(has.iter().map(|(name, value)| (name, value)));
                is_right.then_some(Found::Tag {
                    name: found,
                    attributes,
                    slash,
                })
            }
            _ => None,
        }
    }

    /// The attributes as they are written.
    fn attributes(&mut self, source: &str, offset: u64) -> Option<Vec<WrittenAttribute>> {
        let mut read = |pieces: &[&str]| {
            let mut session = self.engine.start(&Request::default()).ok()?;
            for piece in pieces {
                session.feed(piece).ok()?;
            }
            session.end().ok()?;
            let mut tokens = session.take_output().tokens.into_iter();
            tokens.find_map(|emitted| match emitted.token {
                Token::Declared { fields, .. } => {
                    fields.into_iter().find_map(|field| match field {
                        Value::Attributes(attributes) => Some(attributes),
                        _ => None,
                    })
                }
                Token::Characters(_) => None,
            })
        };
        attributes_read(&mut read, source, offset)
    }
}

/// A text as tokens have it.
fn normalized(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    lines.replace('\0', "\u{FFFD}")
}

impl Found {
    /// Each part with what it is, in the order of the text.
    pub(super) fn named(&self) -> Vec<(&'static str, Span)> {
        match self {
            Self::Tag {
                name,
                attributes,
                slash,
            } => {
                let mut all = vec![("name", *name)];
                for WrittenAttribute { parts, .. } in attributes {
                    let what = match parts.is_duplicate {
                        true => "duplicate",
                        false => "attribute",
                    };
                    all.push((what, parts.name));
                    all.extend(parts.quoted().or(parts.value()).map(|it| ("value", it)));
                }
                all.extend(slash.map(|it| ("slash", it)));
                all
            }
            Self::Doctype(parts) => {
                let quoted = |id: Option<IdentifierParts>| id.map(|id| id.quoted);
                let all = [
                    ("name", parts.name),
                    ("public id", quoted(parts.public_id)),
                    ("system id", quoted(parts.system_id)),
                ];
                let written = all.into_iter();
                written.filter_map(|(what, it)| Some((what, it?))).collect()
            }
            Self::Comment(data) => vec![("data", *data)],
        }
    }

    /// For programs. `place` is an offset's.
    pub(super) fn json(&self, place: impl Fn(u64) -> Json) -> Json {
        let span = |it: Span| json!({"start": place(it.start), "end": place(it.end)});
        let optional = |it: Option<Span>| it.map(span);
        match self {
            Self::Tag {
                name,
                attributes,
                slash,
            } => {
                let attributes = attributes.iter().map(|it| {
                    json!({
                        "name": it.name,
                        "value": it.value,
                        "duplicate": it.parts.is_duplicate,
                        "nameAt": span(it.parts.name),
                        "valueAt": optional(it.parts.value()),
                        "quotedAt": optional(it.parts.quoted()),
                    })
                });
                json!({
                    "name": span(*name),
                    "attributes": attributes.collect::<Vec<_>>(),
                    "slash": optional(*slash),
                })
            }
            Self::Doctype(parts) => {
                let identifier = |id: Option<IdentifierParts>| {
                    id.map(|id| json!({"valueAt": span(id.value), "quotedAt": span(id.quoted)}))
                };
                json!({
                    "name": optional(parts.name),
                    "publicId": identifier(parts.public_id),
                    "systemId": identifier(parts.system_id),
                })
            }
            Self::Comment(data) => json!({"data": span(*data)}),
        }
    }
}
