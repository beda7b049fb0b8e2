//! Conditions and statements as they are printed, with what is asked about them: how an operator binds, and where statements lead.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::super::machine::BlockId;

/// A condition. Parentheses stand where an operator needs them.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// `true`.
    Always,
    /// Without operators between others: a call, a field, a macro.
    One(TokenStream),
    /// `!x.is_empty()`.
    Not(TokenStream),
    /// `x == y`.
    Compares(TokenStream, Comparison, TokenStream),
    /// `x && y`.
    All(Vec<Condition>),
    /// `x || y`.
    Any(Vec<Condition>),
}

/// An operator that compares.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Greater,
    AtLeast,
    Less,
    AtMost,
}

impl Condition {
    /// A condition that holds when all of these do.
    pub(super) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<_> = parts.into_iter().collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::All(parts),
        }
    }

    /// A condition that holds when one of these does.
    pub(super) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<_> = parts.into_iter().collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::Any(parts),
        }
    }

    /// The contrary. That of `x != y && !z` is `x == y || z`, but that of `x && y` is `!(x && y)`.
    pub(super) fn not(self) -> Self {
        let is_denied = |it: &Self| matches!(it, Self::Not(_) | Self::Compares(..));
        match self {
            Self::One(it) => Self::Not(it),
            Self::Not(it) => Self::One(it),
            Self::Compares(one, operator, other) => Self::Compares(one, operator.contrary(), other),
            Self::All(parts) if parts.iter().all(is_denied) => {
                Self::Any(parts.into_iter().map(Self::not).collect())
            }
            Self::Any(parts) if parts.iter().all(is_denied) => {
                Self::All(parts.into_iter().map(Self::not).collect())
            }
            it => Self::Not(quote!((#it))),
        }
    }

    pub(super) fn is_always(&self) -> bool {
        matches!(self, Self::Always)
    }
}

impl ToTokens for Condition {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let in_all = |it: &Self| match it {
            Self::Any(_) => quote!((#it)),
            it => quote!(#it),
        };
        let in_any = |it: &Self| match it {
            Self::All(_) => quote!((#it)),
            it => quote!(#it),
        };
        tokens.extend(match self {
            Self::Always => quote!(true),
            Self::One(it) => it.clone(),
            Self::Not(it) => quote!(!#it),
            Self::Compares(one, operator, other) => quote!(#one #operator #other),
            Self::All(parts) => {
                let parts = parts.iter().map(in_all);
                quote!(#(#parts)&&*)
            }
            Self::Any(parts) => {
                let parts = parts.iter().map(in_any);
                quote!(#(#parts)||*)
            }
        });
    }
}

impl Comparison {
    const fn contrary(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Greater => Self::AtMost,
            Self::AtLeast => Self::Less,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::Greater,
        }
    }
}

impl ToTokens for Comparison {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Equal => quote!(==),
            Self::Unequal => quote!(!=),
            Self::Greater => quote!(>),
            Self::AtLeast => quote!(>=),
            Self::Less => quote!(<),
            Self::AtMost => quote!(<=),
        });
    }
}

/// Statements, and where they lead.
#[derive(Clone, Debug, Default)]
pub(super) struct Statements {
    tokens: TokenStream,
    /// Whether nothing after them runs: they end with `return`, `break` or `continue`.
    leave: bool,
    /// The blocks to whose labels they jump.
    jumps: BTreeSet<BlockId>,
}

impl Statements {
    /// Statements after which the next ones run.
    pub(super) fn of(tokens: TokenStream) -> Self {
        Self {
            tokens,
            ..Self::default()
        }
    }

    /// Statements that end with `return`, or with a `break` or `continue` to the label of a block.
    pub(super) fn leaving(tokens: TokenStream, to: Option<BlockId>) -> Self {
        Self {
            tokens,
            leave: true,
            jumps: to.into_iter().collect(),
        }
    }

    /// These and the next ones.
    pub(super) fn then(mut self, next: Self) -> Self {
        self.leave = next.leave || self.leave && next.is_empty();
        self.tokens.extend(next.tokens);
        self.jumps.extend(next.jumps);
        self
    }

    /// The same around these statements, such as a loop, after which the next ones run.
    pub(super) fn inside(self, around: impl FnOnce(TokenStream) -> TokenStream) -> Self {
        Self {
            tokens: around(self.tokens),
            leave: false,
            jumps: self.jumps,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Whether they jump to the label of a block.
    pub(super) fn jump_to(&self, block: BlockId) -> bool {
        self.jumps.contains(&block)
    }

    pub(super) fn into_tokens(self) -> TokenStream {
        self.tokens
    }
}

/// `if`, with an `else` only where one is needed.
pub(super) fn choice(condition: Condition, yes: Statements, no: Statements) -> Statements {
    if condition.is_always() {
        return yes;
    }
    let leave = [yes.leave, no.leave];
    let jumps = yes.jumps.union(&no.jumps).copied().collect();
    let (yes, no) = (yes.tokens, no.tokens);
    let tokens = match (yes.is_empty(), no.is_empty()) {
        (true, true) => TokenStream::new(),
        (false, true) => quote!(if #condition { #yes }),
        (true, false) => {
            let not = condition.not();
            quote!(if #not { #no })
        }
        (false, false) if leave[0] => quote!(if #condition { #yes } #no),
        (false, false) if leave[1] => {
            let not = condition.not();
            quote!(if #not { #no } #yes)
        }
        (false, false) => quote!(if #condition { #yes } else { #no }),
    };
    Statements {
        tokens,
        leave: leave == [true; 2],
        jumps,
    }
}
