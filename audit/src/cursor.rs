//! Reads the words of a sentence from left to right: phrases, sets of characters, values, places to write to and
//! tokens.

use speclex_codegen::charset::CharSet;

use crate::facts::{ATTRIBUTE_NAME, BUFFER, CODE, Piece, Place};
use crate::words::{Word, sentences};

/// Names that sentences use: the states, as the headings have them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    states: Vec<(Vec<Word>, String)>,
}

impl Names {
    /// The longest names first, so that a name that begins another is not taken for it.
    pub(crate) fn of<'s>(states: impl Iterator<Item = &'s str>) -> Self {
        let mut states: Vec<_> = states
            .map(|name| (words_of(name), name.to_owned()))
            .collect();
        states.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        Self { states }
    }
}

fn words_of(name: &str) -> Vec<Word> {
    sentences(0, name)
        .into_iter()
        .flat_map(|sentence| sentence.words)
        .collect()
}

/// A place in a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'w> {
    pub(crate) words: &'w [Word],
    pub(crate) at: usize,
    pub(crate) names: &'w Names,
}

impl<'w> Cursor<'w> {
    pub(crate) fn new(words: &'w [Word], names: &'w Names) -> Self {
        Self {
            words,
            at: 0,
            names,
        }
    }

    pub(crate) fn rest(&self) -> &'w [Word] {
        self.words.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.words.len()
    }

    /// Takes a phrase, or nothing: words with a blank between them, `a|b` for one or the other, `a?` for
    /// one that may be left out.
    pub(crate) fn eat(&mut self, phrase: &str) -> bool {
        let mut at = self.at;
        for wanted in phrase.split(' ') {
            let (wanted, optional) = match wanted.strip_suffix('?') {
                Some(wanted) => (wanted, true),
                None => (wanted, false),
            };
            let found = match self.words.get(at) {
                Some(Word::Plain(word)) => wanted.split('|').any(|one| one == word),
                Some(Word::Mark(mark)) => wanted.len() == 1 && wanted.starts_with(*mark),
                _ => false,
            };
            match (found, optional) {
                (true, _) => at += 1,
                (false, true) => {}
                (false, false) => return false,
            }
        }
        self.at = at;
        true
    }

    /// Whether a phrase follows.
    pub(crate) fn sees(&self, phrase: &str) -> bool {
        let mut ahead = *self;
        ahead.eat(phrase)
    }

    pub(crate) fn quoted(&mut self) -> Option<&'w str> {
        let Some(Word::Quoted(text)) = self.words.get(self.at) else {
            return None;
        };
        self.at += 1;
        Some(text)
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let number = match self.words.get(self.at) {
            Some(Word::Number(number)) => *number,
            Some(Word::Plain(word)) if word == "zero" => 0,
            _ => return None,
        };
        self.at += 1;
        Some(number)
    }

    pub(crate) fn plain(&mut self) -> Option<&'w str> {
        let Some(Word::Plain(word)) = self.words.get(self.at) else {
            return None;
        };
        self.at += 1;
        Some(word)
    }

    pub(crate) fn character(&mut self) -> Option<char> {
        let Some(Word::Character(character)) = self.words.get(self.at) else {
            return None;
        };
        self.at += 1;
        Some(*character)
    }

    /// A state's name, with or without the word "state".
    pub(crate) fn state(&mut self) -> Option<String> {
        let rest = self.rest();
        let same = |a: &Word, b: &Word| match (a, b) {
            (Word::Plain(a), Word::Plain(b)) => a == b,
            (a, b) => a == b,
        };
        let (words, name) = self.names.states.iter().find(|(words, _)| {
            words.len() <= rest.len() && words.iter().zip(rest).all(|(a, b)| same(a, b))
        })?;
        self.at += words.len();
        self.eat("state");
        Some(name.clone())
    }

    /// A class of characters that has a name.
    pub(crate) fn class(&mut self) -> Option<CharSet> {
        const UPPER: (u32, u32) = (0x41, 0x5A);
        const LOWER: (u32, u32) = (0x61, 0x7A);
        const DIGIT: (u32, u32) = (0x30, 0x39);
        const UPPER_HEX: (u32, u32) = (0x41, 0x46);
        const LOWER_HEX: (u32, u32) = (0x61, 0x66);
        let classes: &[(&str, &[(u32, u32)])] = &[
            ("uppercase ascii hex digit", &[DIGIT, UPPER_HEX]),
            ("lowercase ascii hex digit", &[DIGIT, LOWER_HEX]),
            ("ascii upper hex digit", &[DIGIT, UPPER_HEX]),
            ("ascii lower hex digit", &[DIGIT, LOWER_HEX]),
            ("ascii hex digits|digit", &[DIGIT, UPPER_HEX, LOWER_HEX]),
            ("ascii digits|digit", &[DIGIT]),
            ("uppercase ascii letter", &[UPPER]),
            ("lowercase ascii letter", &[LOWER]),
            ("ascii upper alpha", &[UPPER]),
            ("ascii lower alpha", &[LOWER]),
            ("ascii alphanumeric", &[DIGIT, UPPER, LOWER]),
            (
                "alphanumeric ascii character|characters",
                &[DIGIT, UPPER, LOWER],
            ),
            ("ascii alpha|letter", &[UPPER, LOWER]),
        ];
        let (_, ranges) = classes.iter().find(|(phrase, _)| self.eat(phrase))?;
        Some(CharSet::from_ranges(ranges.iter().copied()))
    }

    /// A list of characters, ranges and classes; whether the end of the file is in it.
    pub(crate) fn set(&mut self) -> Option<(CharSet, bool)> {
        let mut set = CharSet::new();
        let (mut eof, mut any) = (false, false);
        loop {
            let before = self.at;
            if any {
                // Between two items of the list.
                self.eat(",");
                self.eat("or|and");
                self.eat("in range|ranges");
                self.eat("characters");
            } else {
                self.eat("either");
                self.eat("in range|ranges");
                self.eat("one of");
            }
            if let Some(class) = self.class() {
                set = set.union(&class);
            } else if self.eat("eof") {
                eof = true;
            } else if let Some(first) = self.character() {
                self.eat("character|characters");
                let from = self.at;
                self.eat(",");
                let last = match self.eat("through? to") {
                    true => self.character()?,
                    false => {
                        self.at = from;
                        first
                    }
                };
                set = set.union(&CharSet::from_ranges([(first as u32, last as u32)]));
            } else {
                self.at = before;
                break;
            }
            any = true;
        }
        any.then_some((set, eof))
    }
}

/// Kinds of tokens with their token, as the sentences call them.
const KINDS: &[(&str, &str, &str)] = &[
    ("start tag", "start tag", "tag"),
    ("short end tag", "short end tag", "short end tag"),
    ("end tag", "end tag", "tag"),
    ("empty tag", "empty tag", "tag"),
    ("tag", "tag", "tag"),
    ("comment", "comment", "comment"),
    ("doctype", "DOCTYPE", "DOCTYPE"),
    (
        "processing instruction",
        "processing instruction",
        "processing instruction",
    ),
    ("pi", "processing instruction", "processing instruction"),
    ("xml declaration", "XML declaration", "XML declaration"),
    ("entity reference", "entity reference", "entity reference"),
];

/// A kind and its token.
pub(crate) fn kind(cursor: &mut Cursor<'_>) -> Option<(&'static str, &'static str)> {
    let found = KINDS.iter().find(|(words, ..)| cursor.eat(words))?;
    Some((found.1, found.2))
}

impl Cursor<'_> {
    /// What is appended or set: several, with commas and "and" between them.
    pub(crate) fn values(&mut self) -> Option<Vec<Piece>> {
        let mut all = self.value()?;
        loop {
            let before = self.at;
            self.eat(",");
            self.eat("and");
            if self.at == before {
                return Some(all);
            }
            let Some(more) = self.value() else {
                self.at = before;
                return Some(all);
            };
            all.extend(more);
        }
    }

    /// One value.
    pub(crate) fn value(&mut self) -> Option<Vec<Piece>> {
        let times = if self.eat("two") { 2 } else { 1 };
        if let Some(character) = self.character() {
            self.eat("character|characters");
            return Some(vec![Piece::Lit(character.to_string().repeat(times))]);
        }
        if times == 2 {
            return None;
        }
        if self.eat("empty string") {
            return Some(Vec::new());
        }
        let lower = self.eat("lowercase version? of");
        if self.eat("current? input character") || self.eat("current character") {
            return Some(vec![match lower {
                true => Piece::LowerCurrent,
                false => Piece::Current,
            }]);
        }
        if lower {
            return None;
        }
        let before = self.at;
        self.eat("string");
        if let Some(text) = self.quoted() {
            self.eat("string");
            return Some(crate::facts::literal(text));
        }
        self.at = before;
        let known: [(&str, Piece); 9] = [
            (
                "each of? characters|character in temporary buffer",
                Piece::Register(BUFFER.to_owned()),
            ),
            ("temporary buffer", Piece::Register(BUFFER.to_owned())),
            (
                "one or two characters corresponding to character reference name",
                Piece::MatchedReplacement,
            ),
            (
                "code point equal to character reference code",
                Piece::Code(CODE.to_owned()),
            ),
            (
                "unicode character with code point equal to character reference code",
                Piece::Code(CODE.to_owned()),
            ),
            ("returned character token|tokens", Piece::Returned),
            ("returned characters", Piece::Returned),
            (
                "current xml declaration attribute name",
                Piece::Register(ATTRIBUTE_NAME.to_owned()),
            ),
            (
                "entity reference name",
                Piece::Field("entity reference".to_owned(), "name".to_owned()),
            ),
        ];
        let (_, piece) = known.into_iter().find(|(words, _)| self.eat(words))?;
        Some(vec![piece])
    }

    /// A place to write to; `it` is the token that was spoken of.
    pub(crate) fn target(&mut self, it: &mut Option<String>) -> Option<Place> {
        let field = |token: &str, name: &str| Place::Field(token.to_owned(), name.to_owned());
        let before = self.at;
        if self.eat("its tag name")
            || self.eat("current tag token's tag name")
            || self.eat("tag name")
        {
            return Some(field("tag", "name"));
        }
        if self.eat("its name") || self.eat("token's name") || self.eat("token name") {
            return Some(field(it.as_deref()?, "name"));
        }
        if self.eat("that|current attribute's name") || self.eat("current? attribute name") {
            return Some(Place::AttributeName);
        }
        if self.eat("that|current attribute's value") || self.eat("current? attribute value") {
            return Some(Place::AttributeValue);
        }
        if self.eat("temporary buffer") {
            return Some(Place::Register(BUFFER.to_owned()));
        }
        if self.eat("current xml declaration attribute name") {
            return Some(Place::Register(ATTRIBUTE_NAME.to_owned()));
        }
        for words in [
            "comment token's data",
            "comment data",
            "current comment token's data",
        ] {
            if self.eat(words) {
                return Some(field("comment", "data"));
            }
        }
        // Slips of one letter.
        if self.eat("comment's token data") || self.eat("comment tokens data") {
            return Some(field("comment", "data"));
        }
        self.eat("that|current|new");
        if self.eat("doctype token's") || self.eat("its") {
            for name in ["name", "public identifier", "system identifier"] {
                if self.eat(name) {
                    // Doubled in a draft: "the DOCTYPE token's public identifier current DOCTYPE token".
                    self.eat("current doctype token");
                    *it = Some("DOCTYPE".to_owned());
                    return Some(field("DOCTYPE", name));
                }
            }
        }
        if self.eat("pi's data")
            || self.eat("processing instruction token's data")
            || self.eat("processing instruction's data")
            || self.eat("processing instruction data")
        {
            return Some(field("processing instruction", "data"));
        }
        if self.eat("processing instruction token's target")
            || self.eat("processing instruction's target")
            || self.eat("processing instruction target")
        {
            return Some(field("processing instruction", "target"));
        }
        for name in ["version", "encoding", "standalone"] {
            if self.eat("xml declaration token's") && self.eat(name) {
                return Some(field("XML declaration", name));
            }
        }
        self.at = before;
        None
    }
}
