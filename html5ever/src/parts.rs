//! Where the parts of a tag are, found by reading it once more.

use std::collections::HashSet;

use speclex::Span;

/// The parts of a tag: places in the stream, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagParts {
    /// The name.
    pub name: Span,
    /// The attributes that the element has, in order: without those whose name came before.
    pub attributes: Vec<AttributeParts>,
}

/// The parts of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeParts {
    /// The name.
    pub name: Span,
    /// The value without quotation marks, if there is one.
    pub value: Option<Span>,
    /// The value with its quotation marks, if it has them.
    pub quoted: Option<Span>,
}

/// Reads along a tag.
struct Reader<'s> {
    source: &'s str,
    at: usize,
    /// Offset of the source in the stream.
    offset: u64,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    /// Goes on to the first byte that is among these.
    fn to(&mut self, stop: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        while self.byte().is_some_and(|byte| !stop(byte)) {
            self.at += 1;
        }
        self.span(start, self.at)
    }

    fn skip_space(&mut self) {
        self.to(|byte| !is_space(byte));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            start: self.offset + start as u64,
            end: self.offset + end as u64,
        }
    }

    fn text(&self, span: Span) -> &str {
        let [start, end] = [span.start, span.end].map(|at| (at - self.offset) as usize);
        self.source.get(start..end).unwrap_or_default()
    }

    /// Whether another attribute before has this name.
    fn is_repeated(
        &self,
        before: &[AttributeParts],
        name: Span,
        names: &mut HashSet<String>,
    ) -> bool {
        if before.len() < MANY {
            let name = self.text(name);
            return before
                .iter()
                .any(|other| is_same(self.text(other.name), name));
        }
        let key = |name: Span| {
            self.text(name)
                .to_ascii_lowercase()
                .replace('\0', "\u{FFFD}")
        };
        if names.is_empty() {
            names.extend(before.iter().map(|other| key(other.name)));
        }
        !names.insert(key(name))
    }
}

/// From so many attributes on they are looked up by name.
const MANY: usize = 16;

/// Whether the tokenizer makes the same name of both: of letters in lower case, with U+FFFD for U+0000.
fn is_same(a: &str, b: &str) -> bool {
    let one = |c: char| match c {
        '\0' => '\u{FFFD}',
        c => c.to_ascii_lowercase(),
    };
    a.chars().map(one).eq(b.chars().map(one))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

impl TagParts {
    /// The parts of a tag whose text, from `<` to `>`, starts at an offset in the stream. As in the states of
    /// [13.2.5.8](https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state) and
    /// [13.2.5.32 to 40](https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state).
    pub fn of(source: &str, offset: u64) -> Self {
        let mut reader = Reader {
            source,
            at: if source.starts_with("</") { 2 } else { 1 },
            offset,
        };
        let name = reader.to(|byte| is_space(byte) || matches!(byte, b'/' | b'>'));
        let mut parts = Self {
            name,
            attributes: Vec::new(),
        };
        let mut names = HashSet::new();
        loop {
            reader.to(|byte| !is_space(byte) && byte != b'/');
            if matches!(reader.byte(), None | Some(b'>')) {
                return parts;
            }
            let attribute = attribute(&mut reader);
            if !reader.is_repeated(&parts.attributes, attribute.name, &mut names) {
                parts.attributes.push(attribute);
            }
        }
    }
}

fn attribute(reader: &mut Reader<'_>) -> AttributeParts {
    let start = reader.at;
    // A `=` in the first place belongs to the name.
    reader.at += 1;
    reader.to(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
    let name = reader.span(start, reader.at);
    let mut parts = AttributeParts {
        name,
        value: None,
        quoted: None,
    };
    reader.skip_space();
    if reader.byte() != Some(b'=') {
        return parts;
    }
    reader.at += 1;
    reader.skip_space();
    match reader.byte() {
        Some(quote @ (b'"' | b'\'')) => {
            let start = reader.at;
            reader.at += 1;
            parts.value = Some(reader.to(|byte| byte == quote));
            reader.at += 1;
            parts.quoted = Some(reader.span(start, reader.at));
        }
        None | Some(b'>') => {}
        Some(_) => parts.value = Some(reader.to(|byte| is_space(byte) || byte == b'>')),
    }
    parts
}
