//! Values, places to write to, and tokens, as sentences name them.

use super::cursor::Cursor;
use super::facts::{Piece, Target};
use super::machine::CODE;

/// The text variable of the character reference states and of script data.
pub(crate) const BUFFER: &str = "temporary buffer";
/// Where references return to.
pub(crate) const RETURN_STATE: &str = "return state";
/// The variable of XML declarations.
pub(crate) const ATTRIBUTE_NAME: &str = "current XML declaration attribute name";

/// Kinds of tokens with their token, as the sentences call them.
pub(crate) const KINDS: &[(&str, &str, &str)] = &[
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
            return Some(super::facts::literal(text));
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
    pub(crate) fn target(&mut self, it: &mut Option<String>) -> Option<Target> {
        let field = |token: &str, name: &str| Target::Field(token.to_owned(), name.to_owned());
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
            return Some(Target::AttributeName);
        }
        if self.eat("that|current attribute's value") || self.eat("current? attribute value") {
            return Some(Target::AttributeValue);
        }
        if self.eat("temporary buffer") {
            return Some(Target::Register(BUFFER.to_owned()));
        }
        if self.eat("current xml declaration attribute name") {
            return Some(Target::Register(ATTRIBUTE_NAME.to_owned()));
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
