//! What a tokenizer made of a text, in few pieces of memory: making two of them and comparing them takes little more time than
//! tokenizing. [`Output`] has the same, with strings of its own for each token.

use std::borrow::Cow;
use std::ops::Range;

use crate::token::{Emitted, Output, ParseError, StreamErrors, Token, Value};

/// What a token is: a number for its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(u32);

impl Kind {
    const CHARACTERS: Self = Self(u32::MAX);
    /// "start tag"
    pub const START_TAG: Self = Self(0);
    /// "end tag"
    pub const END_TAG: Self = Self(1);
    /// "empty tag"
    pub const EMPTY_TAG: Self = Self(2);
    /// "short end tag"
    pub const SHORT_END_TAG: Self = Self(3);
    /// "comment"
    pub const COMMENT: Self = Self(4);
    /// "DOCTYPE"
    pub const DOCTYPE: Self = Self(5);
    /// "processing instruction"
    pub const PROCESSING_INSTRUCTION: Self = Self(6);
    /// "XML declaration"
    pub const XML_DECLARATION: Self = Self(7);
    /// "entity reference"
    pub const ENTITY_REFERENCE: Self = Self(8);

    /// Their names. A table may declare further kinds.
    const NAMES: [&str; 9] = [
        "start tag",
        "end tag",
        "empty tag",
        "short end tag",
        "comment",
        "DOCTYPE",
        "processing instruction",
        "XML declaration",
        "entity reference",
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    kind: Kind,
    /// Where its values begin; they end where those of the next one begin.
    values: usize,
    start: u64,
    end: u64,
}

/// A value of a token: a string by its place, or something else by a number in the place of the length. Characters have any
/// number of strings, which follow one another.
type Part = [usize; 2];

/// Set in the start of a string that is not a part of the text.
const OWN: usize = 1 << (usize::BITS - 1);
/// No string has this length.
const MISSING: usize = usize::MAX;
const FLAG: usize = usize::MAX - 1;
/// So many pairs of strings follow.
const ATTRIBUTES: usize = usize::MAX - 2;

/// Tokens and errors of a text. What is in the text as it stands is not copied: methods that read tokens are given the text again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenStream {
    /// Where the text is in memory. Empty if it may not stay there.
    text: Range<usize>,
    entries: Vec<Entry>,
    values: Vec<Part>,
    /// The strings that are not parts of the text.
    own: String,
    errors: Vec<(u64, Cow<'static, str>)>,
    /// Kinds that only the table declares.
    kinds: Vec<String>,
}

impl TokenStream {
    /// Forgets everything but memory. From now on there are the tokens of this text, which stays where it is until they have been read.
    pub fn begin(&mut self, text: &str) {
        let start = text.as_ptr().addr();
        self.text = start..start + text.len();
        self.entries.clear();
        self.values.clear();
        self.own.clear();
        self.errors.clear();
        self.kinds.clear();
    }

    #[inline]
    fn part(&mut self, string: &str) -> Part {
        let start = string.as_ptr().addr().wrapping_sub(self.text.start);
        let length = self.text.len();
        if start < length && string.len() <= length - start {
            return [start, string.len()];
        }
        let start = self.own.len();
        self.own.push_str(string);
        [start | OWN, string.len()]
    }

    /// Adds a token; its fields follow.
    #[inline]
    pub fn token(&mut self, kind: Kind, start: u64, end: u64) {
        self.entries.push(Entry {
            kind,
            values: self.values.len(),
            start,
            end,
        });
    }

    /// Adds a string to the last token.
    #[inline]
    pub fn string(&mut self, string: &str) {
        let part = self.part(string);
        self.values.push(part);
    }

    /// Adds a string that may be missing.
    pub fn optional(&mut self, string: Option<&str>) {
        match string {
            Some(string) => self.string(string),
            None => self.values.push([0, MISSING]),
        }
    }

    /// Adds a flag.
    #[inline]
    pub fn flag(&mut self, flag: bool) {
        self.values.push([usize::from(flag), FLAG]);
    }

    /// Adds a list of attributes.
    #[inline]
    fn attributes<'a>(&mut self, all: impl ExactSizeIterator<Item = (&'a str, &'a str)>) {
        self.values.push([all.len(), ATTRIBUTES]);
        for (name, value) in all {
            let parts = [self.part(name), self.part(value)];
            self.values.extend_from_slice(&parts);
        }
    }

    /// Adds a tag: a name, a flag and attributes.
    #[inline]
    pub fn tag<'a>(
        &mut self,
        kind: Kind,
        (name, flag): (&str, bool),
        attributes: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
        (start, end): (u64, u64),
    ) {
        self.token(kind, start, end);
        let head = [self.part(name), [usize::from(flag), FLAG]];
        self.values.extend_from_slice(&head);
        self.attributes(attributes);
    }

    /// Adds character tokens, each call by itself.
    pub fn characters(&mut self, data: &str, start: u64, end: u64) {
        self.token(Kind::CHARACTERS, start, end);
        self.string(data);
    }

    /// Adds character tokens to those right before them.
    #[inline]
    pub fn joined_characters(&mut self, data: &str, start: u64, end: u64) {
        if data.is_empty() {
            return;
        }
        match self.entries.last_mut() {
            Some(last) if last.kind == Kind::CHARACTERS => last.end = last.end.max(end),
            _ => return self.characters(data, start, end),
        }
        let [start, length] = self.part(data);
        match self.values.last_mut() {
            Some(last) if last[0] + last[1] == start => last[1] += length,
            _ => self.values.push([start, length]),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, code: impl Into<Cow<'static, str>>, offset: u64) {
        self.errors.push((offset, code.into()));
    }

    /// Adds the tokens and errors of an output, adjacent characters joined.
    pub fn extend(&mut self, output: Output) {
        for Emitted { token, span } in output.tokens {
            let (kind, fields) = match token {
                Token::Characters(text) => {
                    self.joined_characters(&text, span.start, span.end);
                    continue;
                }
                Token::Declared { kind, fields } => (self.kind(kind), fields),
            };
            self.token(kind, span.start, span.end);
            for field in fields {
                match field {
                    Value::Text(text) => self.string(&text),
                    Value::Missing => self.optional(None),
                    Value::Flag(flag) => self.flag(flag),
                    Value::Attributes(all) => {
                        self.attributes(all.iter().map(|(name, value)| (&**name, &**value)));
                    }
                }
            }
        }
        for ParseError { code, offset } in output.errors {
            self.error(code, offset);
        }
    }

    fn kind(&mut self, name: String) -> Kind {
        let known = Kind::NAMES.len();
        let kinds = Kind::NAMES
            .into_iter()
            .chain(self.kinds.iter().map(|it| &**it));
        let number = kinds.into_iter().position(|it| it == name);
        let number = number.unwrap_or_else(|| {
            self.kinds.push(name);
            known + self.kinds.len() - 1
        });
        Kind(number as u32)
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The bytes that a token comes from.
    pub(crate) fn span(&self, index: usize) -> Option<Range<u64>> {
        self.entries.get(index).map(|it| it.start..it.end)
    }

    /// How many tokens end before a place, or there, before the first that does not.
    pub(crate) fn before(&self, place: u64) -> usize {
        self.entries.iter().take_while(|it| it.end <= place).count()
    }

    /// The number of the first token that does not start before a place.
    pub(crate) fn starting_at(&self, place: u64) -> usize {
        self.entries.partition_point(|it| it.start < place)
    }

    /// Whether a token is a start or end tag.
    pub(crate) fn is_tag(&self, index: usize) -> bool {
        let kind = self.entries.get(index).map(|it| it.kind);
        matches!(kind, Some(Kind::START_TAG | Kind::END_TAG))
    }

    /// The name of a start tag.
    pub(crate) fn start_tag<'a>(&'a self, text: &'a str, index: usize) -> Option<&'a str> {
        let is_start = self.entries.get(index)?.kind == Kind::START_TAG;
        let name = self
            .values(index)
            .first()
            .filter(|name| name[1] < ATTRIBUTES);
        name.filter(|_| is_start).map(|name| self.get(text, *name))
    }

    /// A string.
    fn get<'a>(&'a self, text: &'a str, [start, length]: Part) -> &'a str {
        let (from, start) = match start & OWN {
            0 => (text, start),
            _ => (&*self.own, start & !OWN),
        };
        // It is always there.
        from.get(start..start + length).unwrap_or_default()
    }

    fn values(&self, index: usize) -> &[Part] {
        let start = |index: usize| {
            self.entries
                .get(index)
                .map_or(self.values.len(), |it| it.values)
        };
        &self.values[start(index)..start(index + 1)]
    }

    /// A token as a value.
    pub(crate) fn emitted(&self, text: &str, index: usize) -> Option<Emitted> {
        let entry = self.entries.get(index)?;
        let mut values = self.values(index).iter();
        let mut string = |part: &Part| self.get(text, *part).to_owned();
        let token = match entry.kind {
            Kind::CHARACTERS => Token::Characters(values.map(string).collect()),
            Kind(number) => {
                let (number, mut fields) = (number as usize, Vec::new());
                while let Some(part) = values.next() {
                    fields.push(match *part {
                        [_, MISSING] => Value::Missing,
                        [flag, FLAG] => Value::Flag(flag != 0),
                        [count, ATTRIBUTES] => {
                            let mut next = || values.next().map(&mut string).unwrap_or_default();
                            let pairs = (0..count).map(|_| (next(), next()));
                            Value::Attributes(pairs.collect())
                        }
                        _ => Value::Text(string(part)),
                    });
                }
                let own = || self.kinds[number - Kind::NAMES.len()].as_str();
                let kind = Kind::NAMES.get(number).copied().unwrap_or_else(own);
                Token::Declared {
                    kind: kind.to_owned(),
                    fields,
                }
            }
        };
        Some(Emitted {
            token,
            span: entry.start..entry.end,
        })
    }

    /// Whether two tokens are the same, wherever they come from: one of each.
    pub(crate) fn is_same(&self, other: &Self, text: &str, [index, its]: [usize; 2]) -> bool {
        let same = |(one, its): (&Part, &Part)| match one[1].max(its[1]) < ATTRIBUTES {
            true if one == its && one[0] & OWN == 0 => true,
            true => self.get(text, *one) == other.get(text, *its),
            false => one == its,
        };
        let kinds = [self.entries.get(index), other.entries.get(its)];
        let [Some(kind), Some(its_kind)] = kinds.map(|it| it.map(|entry| entry.kind)) else {
            return false;
        };
        let [values, theirs] = [self.values(index), other.values(its)];
        let is_known = kind == Kind::CHARACTERS || (kind.0 as usize) < Kind::NAMES.len();
        if is_known && kind == its_kind && values.len() == theirs.len() {
            let mut pairs = values.iter().zip(theirs);
            if pairs.all(same) {
                return true;
            }
        }
        let [one, other] = [self.emitted(text, index), other.emitted(text, its)];
        one.map(|it| it.token) == other.map(|it| it.token)
    }

    /// Whether all tokens are the same, and where they come from. `false` does not say that they are not: strings of one may be parts
    /// of the text, and of the other copies.
    pub(crate) fn is_the_same_at_once(&self, other: &Self) -> bool {
        self.entries == other.entries
            && self.values == other.values
            && self.own == other.own
            && self.kinds == other.kinds
    }

    /// The errors in the order of their reports: the codes and offsets.
    pub(crate) fn errors(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.errors.iter().map(|(offset, code)| (&**code, *offset))
    }

    /// The errors, [sorted](Output::with_sorted_errors).
    pub(crate) fn sorted_errors(&self, of_input: &StreamErrors) -> Vec<ParseError> {
        let errors = self.errors.iter().map(|(offset, code)| ParseError {
            code: code.clone().into_owned(),
            offset: *offset,
        });
        let output = Output {
            tokens: Vec::new(),
            errors: errors.collect(),
        };
        output.with_sorted_errors(of_input).errors
    }

    /// Takes everything out as values.
    pub fn take_output(&mut self) -> Output {
        let mut output = Output::default();
        for index in 0..self.len() {
            match self.emitted("", index) {
                Some(Emitted {
                    token: Token::Characters(text),
                    span,
                }) => {
                    output.push_characters(&text, span);
                }
                emitted => output.tokens.extend(emitted),
            }
        }
        let errors = self.errors.drain(..);
        output.errors = errors
            .map(|(offset, code)| ParseError {
                code: code.into_owned(),
                offset,
            })
            .collect();
        self.begin("");
        output
    }
}
