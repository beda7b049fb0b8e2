//! Tokens, what takes them, and the options of a tokenizer.

use std::borrow::Cow;

use markup5ever::LocalName;
use markup5ever::interface::Attribute;
use markup5ever::tendril::StrTendril;

pub use TagKind::{EndTag, StartTag};
pub use Token::{
    CharacterTokens, CommentToken, DoctypeToken, EOFToken, NullCharacterToken, ParseError, TagToken,
};
pub use markup5ever::buffer_queue::{BufferQueue, FromSet, NotFromSet, SetResult};

/// The states in which a tokenizer can start.
pub mod states {
    pub use RawKind::*;
    pub use ScriptEscapeKind::*;
    pub use State::*;

    /// How a script is escaped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ScriptEscapeKind {
        /// After `<!--`.
        Escaped,
        /// After another `<script`.
        DoubleEscaped,
    }

    /// A kind of text in which most markup is none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RawKind {
        /// That of `title` and `textarea`.
        Rcdata,
        /// That of `style` and others.
        Rawtext,
        /// That of `script`.
        ScriptData,
        /// That of a script with comments. No tokenizer starts there.
        ScriptDataEscaped(ScriptEscapeKind),
    }

    /// A state in which a tokenizer can start.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum State {
        /// The data state.
        Data,
        /// The PLAINTEXT state.
        Plaintext,
        /// The RCDATA, RAWTEXT or script data state.
        RawData(RawKind),
        /// The CDATA section state.
        CdataSection,
    }
}

/// A DOCTYPE.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doctype {
    /// Its name.
    pub name: Option<StrTendril>,
    /// Its public identifier.
    pub public_id: Option<StrTendril>,
    /// Its system identifier.
    pub system_id: Option<StrTendril>,
    /// Whether it puts the document into quirks mode.
    pub force_quirks: bool,
}

/// What a tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagKind {
    /// A start tag.
    StartTag,
    /// An end tag.
    EndTag,
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// What it is.
    pub kind: TagKind,
    /// Its name.
    pub name: LocalName,
    /// Whether it ends in `/>`.
    pub self_closing: bool,
    /// Its attributes, without those that it has already.
    pub attrs: Vec<Attribute>,
    /// Whether it had an attribute twice.
    pub had_duplicate_attributes: bool,
}

impl Tag {
    /// Whether both tags have the same kind, name and attributes, in any order.
    pub fn equiv_modulo_attr_order(&self, other: &Self) -> bool {
        let sorted = |tag: &Self| {
            let mut attributes = tag.attrs.clone();
            attributes.sort_unstable();
            attributes
        };
        (self.kind, &self.name) == (other.kind, &other.name) && sorted(self) == sorted(other)
    }
}

/// A token.
#[derive(Debug, PartialEq, Eq)]
pub enum Token {
    /// A DOCTYPE.
    DoctypeToken(Doctype),
    /// A tag.
    TagToken(Tag),
    /// A comment.
    CommentToken(StrTendril),
    /// Text without U+0000.
    CharacterTokens(StrTendril),
    /// U+0000.
    NullCharacterToken,
    /// The end of the file.
    EOFToken,
    /// A parse error: its code.
    ParseError(Cow<'static, str>),
}

/// What a sink makes of a tag.
#[derive(Debug, PartialEq)]
#[must_use]
pub enum TokenSinkResult<Handle> {
    /// The tokenizer continues.
    Continue,
    /// It stops, so that the caller runs this script.
    Script(Handle),
    /// It continues in the PLAINTEXT state.
    Plaintext,
    /// It continues in this state.
    RawData(states::RawKind),
    /// It stops, so that the caller may read the page in another encoding: its label, as the page has it.
    EncodingIndicator(StrTendril),
}

/// Takes tokens.
pub trait TokenSink {
    /// A node.
    type Handle;

    /// Takes a token and the number of the line in which it ends.
    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<Self::Handle>;

    /// The stream has ended.
    fn end(&self) {}

    /// Whether CDATA sections are allowed: there is an adjusted current node, and it is not in the namespace of HTML.
    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        false
    }
}

/// Options of a tokenizer.
#[derive(Clone, Debug)]
pub struct TokenizerOpts {
    /// Whether errors of the input stream are reported: control characters and noncharacters.
    pub exact_errors: bool,
    /// Whether U+FEFF at the start of the stream is dropped; yes, if nothing else is said.
    pub discard_bom: bool,
    /// Does nothing.
    pub profile: bool,
    /// Where it starts; in data, if nothing else is said.
    pub initial_state: Option<states::State>,
    /// The name that an end tag must have before there is a start tag.
    pub last_start_tag_name: Option<String>,
}

impl Default for TokenizerOpts {
    fn default() -> Self {
        Self {
            exact_errors: false,
            discard_bom: true,
            profile: false,
            initial_state: None,
            last_start_tag_name: None,
        }
    }
}
