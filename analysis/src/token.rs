//! Tokens of any vocabulary, as values.

use std::ops::Range;

use speclex_codegen::machine::Machine;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Character tokens: a run of them.
    Characters(String),
    /// A token that the vocabulary declares.
    Declared {
        /// The kind it was emitted as: `start tag`, `comment`.
        kind: String,
        /// Its fields, in order of declaration.
        fields: Vec<Value>,
    },
}

/// What a field of an emitted token holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// No string, which differs from an empty one.
    Missing,
    /// Whether a flag is set.
    Flag(bool),
    /// Attributes, each a name and a value.
    Attributes(Vec<(String, String)>),
}

impl Value {
    /// The string, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A token and where in the input it comes from.
///
/// A token starts at the character with which the machine left an entry state, or where the emission
/// before it ended if that is later, and ends with the last character consumed that is not reconsumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The token.
    pub token: Token,
    /// Byte offsets in the original input.
    pub span: Range<u64>,
}

/// A parse error, or an error of the input stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Its code, such as `eof-in-tag`.
    pub code: String,
    /// Byte offset in the original input: before newline normalisation, byte order mark included.
    pub offset: u64,
}

/// A token that exceeds a limit, so that the output has only its beginning, or nothing of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Byte offset in the original input of its first character.
    pub offset: u64,
    /// The limit: `token-bytes` or `attributes`.
    pub limit: &'static str,
    /// How many bytes or attributes it allows.
    pub allowed: usize,
    /// What becomes of the token: `truncate` or `drop`.
    pub excess: &'static str,
}

/// What a tokenizer made of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The tokens; the end-of-file token is left out.
    pub tokens: Vec<Emitted>,
    /// The errors, in the order in which they were reported.
    pub errors: Vec<ParseError>,
}

impl Output {
    /// Adds character tokens. They join those right before them where the run is then the input as it stands,
    /// so that each character has its place.
    pub fn push_characters(&mut self, characters: &str, span: Range<u64>) {
        // A newline of two characters may come with what follows it.
        if span.start + characters.len() as u64 + 1 == span.end
            && let Some(rest) = characters.strip_prefix('\n')
            && !rest.is_empty()
        {
            let newline_end = span.start + 2;
            self.push_characters("\n", span.start..newline_end);
            self.push_characters(rest, newline_end..span.end);
            return;
        }
        if characters.is_empty() {
            return;
        }
        if let Some(Emitted {
            token: Token::Characters(before),
            span: before_span,
        }) = self.tokens.last_mut()
            && before_span.end == span.start
            && span.end - before_span.start == (before.len() + characters.len()) as u64
        {
            before.push_str(characters);
            before_span.end = span.end;
        } else {
            self.tokens.push(Emitted {
                token: Token::Characters(characters.to_owned()),
                span,
            });
        }
    }

    /// Joins adjacent character tokens and drops empty ones: only then is output independent of how the
    /// input was cut into chunks. Where a character of a run stands is not known any more if one of them is
    /// a reference, a newline of two characters, or the first of a CDATA section.
    #[must_use]
    pub fn coalesced(self) -> Self {
        let mut joined: Vec<Emitted> = Vec::with_capacity(self.tokens.len());
        for emitted in self.tokens {
            match (&emitted.token, joined.last_mut()) {
                (Token::Characters(text), _) if text.is_empty() => {}
                (
                    Token::Characters(text),
                    Some(Emitted {
                        token: Token::Characters(before),
                        span,
                    }),
                ) => {
                    before.push_str(text);
                    span.end = span.end.max(emitted.span.end);
                }
                _ => joined.push(emitted),
            }
        }
        Self {
            tokens: joined,
            errors: self.errors,
        }
    }

    /// Sorts the errors by position. At the same position those of the input stream come first; others stay in the order of
    /// their reports.
    #[must_use]
    pub fn with_sorted_errors(mut self, stream: &StreamErrors) -> Self {
        self.errors
            .sort_by_key(|error| (error.offset, !stream.contain(&error.code)));
        self
    }
}

/// The codes of a machine's errors of the input stream.
#[derive(Clone, Debug)]
pub struct StreamErrors(Vec<String>);

impl StreamErrors {
    pub(crate) fn contain(&self, code: &str) -> bool {
        self.0.iter().any(|of_stream| of_stream == code)
    }

    /// Those of a machine.
    pub fn of(machine: &Machine) -> Self {
        let codes = machine.preprocessing.errors.iter();
        Self(
            codes
                .filter_map(|(_, id)| machine.errors.get(id.0 as usize).cloned())
                .collect(),
        )
    }
}
