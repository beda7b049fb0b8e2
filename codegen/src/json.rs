//! Just enough JSON to print a schema: keys keep their order.

use std::fmt::Write;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Bool(bool),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// A mapping.
pub(crate) fn map<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Map(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

impl Json {
    /// The value with this key at the end; it replaces an older entry of the same key.
    pub(crate) fn with(self, key: &str, value: impl Into<Self>) -> Self {
        match self {
            Self::Map(mut entries) => {
                entries.retain(|(it, _)| it != key);
                entries.push((key.to_owned(), value.into()));
                Self::Map(entries)
            }
            other => other,
        }
    }

    /// The value with these keys put last into the mapping that a key of it holds.
    pub(crate) fn with_all<const N: usize>(mut self, key: &str, more: [(&str, Self); N]) -> Self {
        if let Self::Map(entries) = &mut self
            && let Some((_, Self::Map(held))) = entries.iter_mut().find(|(it, _)| it == key)
        {
            held.extend(more.map(|(key, value)| (key.to_owned(), value)));
        }
        self
    }

    /// The value over several lines, with a newline at the end.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Text(text) => quote(text, out),
            Self::List(values) => {
                let items = values.iter().map(|value| (None, value));
                block(out, depth, ['[', ']'], items);
            }
            Self::Map(entries) => {
                let items = entries.iter().map(|(key, value)| (Some(key), value));
                block(out, depth, ['{', '}'], items);
            }
        }
    }
}

fn block<'v>(
    out: &mut String,
    depth: usize,
    [open, close]: [char; 2],
    items: impl ExactSizeIterator<Item = (Option<&'v String>, &'v Json)>,
) {
    out.push(open);
    let last = items.len();
    for (i, (key, value)) in items.enumerate() {
        out.push('\n');
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            quote(key, out);
            out.push_str(": ");
        }
        value.write(out, depth + 1);
        if i + 1 < last {
            out.push(',');
        } else {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    }
    out.push(close);
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
