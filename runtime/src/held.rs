//! How much a machine keeps, which the limits are compared with, and how it is told to keep no more.

use crate::limits::{Excess, LEAST, Limits};

/// What a token is, for the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A token with attributes.
    Tag,
    /// A comment.
    Comment,
    /// A DOCTYPE.
    Doctype,
    /// Any other.
    Other,
}

impl TokenKind {
    /// What happens to such a token when it exceeds a limit.
    pub(crate) fn excess(self, limits: &Limits) -> Excess {
        match self {
            Self::Tag => limits.tags,
            Self::Comment => limits.comments,
            Self::Doctype => limits.doctypes,
            Self::Other => limits.others,
        }
    }
}

/// How much a machine keeps for what it has not emitted yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Strings and lists under construction.
    parts: usize,
    /// The bytes of their characters. Those of a token that is complete do not count: its limit was kept.
    pub(crate) bytes: usize,
    /// The attributes of a tag.
    pub(crate) attributes: usize,
    /// The token under construction; of several the first.
    pub(crate) kind: Option<TokenKind>,
    /// What becomes of that token's strings, if they are to grow no more.
    seal: Option<Seal>,
    /// Whether that is said for the first time.
    is_first: bool,
    /// Whether registers of [`LEAST`] bytes and more are to grow no more.
    seals_registers: bool,
    /// What the strings belong to that come.
    owner: Owner,
    /// Whether the next token is under construction.
    is_next_built: bool,
    /// Whether comments are dropped.
    drops_comments: bool,
}

/// What strings belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    /// A register.
    #[default]
    Register,
    /// A token under construction.
    Token(TokenKind),
    /// A token that is complete, though it may be used once more.
    Complete,
}

/// What becomes of strings that grow no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seal {
    /// They stay as they are.
    Cut,
    /// They become empty, and their token is not emitted. A tag is emitted, without attributes.
    Drop,
}

impl Held {
    /// Says to keep comments or none.
    #[inline(always)]
    pub(crate) fn keeping(comments: bool) -> Self {
        Self {
            drops_comments: !comments,
            ..Self::default()
        }
    }

    /// Says that the strings of the token under construction are to grow no more, for the first time or once more.
    pub(crate) fn sealing(seal: Seal, is_first: bool) -> Self {
        Self {
            seal: Some(seal),
            is_first,
            ..Self::default()
        }
    }

    /// Says that long registers are to grow no more.
    pub(crate) fn sealing_registers(mut self) -> Self {
        self.seals_registers = true;
        self
    }

    /// Says that the next token is under construction.
    #[inline]
    pub fn construct(&mut self) {
        self.is_next_built = true;
    }

    /// Says that the strings that come belong to a token.
    #[inline]
    pub fn start_token(&mut self, kind: TokenKind) {
        if core::mem::take(&mut self.is_next_built) {
            self.kind.get_or_insert(kind);
            self.owner = Owner::Token(kind);
        } else {
            self.owner = Owner::Complete;
        }
    }

    /// Says that the token has no more strings.
    #[inline]
    pub fn end_token(&mut self) {
        self.owner = Owner::Register;
    }

    /// What becomes of the list of attributes that comes, if it is to grow no more, and whether that is said for the first time.
    #[inline]
    pub(crate) fn seal_of_list(&self) -> Option<(Seal, bool)> {
        match self.owner {
            Owner::Token(_) => self.seal.map(|seal| (seal, self.is_first)),
            Owner::Register | Owner::Complete => None,
        }
    }

    /// What becomes of the string that comes, if it is to grow no more. A tag keeps its name.
    #[inline]
    pub(crate) fn seal_of_string(&self) -> Option<Seal> {
        match self.owner {
            Owner::Token(TokenKind::Comment) if self.drops_comments => Some(Seal::Drop),
            Owner::Token(TokenKind::Tag) => self.seal.and(Some(Seal::Cut)),
            Owner::Token(_) => self.seal,
            Owner::Register | Owner::Complete => None,
        }
    }

    /// Whether the string that comes is a register that is to grow no more.
    #[inline]
    pub(crate) fn seals_register(&self, bytes: usize) -> bool {
        self.seals_registers && bytes >= LEAST && self.owner == Owner::Register
    }

    /// Counts a string.
    #[inline]
    pub(crate) fn string(&mut self, bytes: usize) {
        self.parts += 1;
        if self.owner != Owner::Complete {
            self.bytes = self.bytes.saturating_add(bytes);
        }
    }

    /// Counts attributes whose characters take these bytes.
    #[inline]
    pub(crate) fn attributes(&mut self, attributes: usize, bytes: usize) {
        self.string(bytes);
        if self.owner != Owner::Complete {
            self.attributes += attributes;
        }
    }

    /// Whether nothing is under construction.
    #[inline(always)]
    pub(crate) fn is_nothing(&self) -> bool {
        self.parts == 0
    }
}
