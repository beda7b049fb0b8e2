//! What actions, guards and bodies may refer to.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::Context;
use super::flow::PutBack;
use super::patterns;
use crate::analyse::deferred_append::creates_for_next;
use crate::analyse::emission;
use crate::charset::CharSet;
use crate::machine::{Arm, Next, StateId, Target, TokenId};

/// What the state consumed before the body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consumed {
    /// The character from `at` to `end`.
    Character,
    /// A CR, with its LF if it has one, from `at` to `end`.
    Newline,
    /// A literal from `at` to `end`.
    Literal,
    /// A character from `at` to `end`, put back at once.
    Peeked,
    /// A named character reference from `at` to `end`.
    Reference,
    /// Nothing: the position is `at`.
    Nothing,
    /// Nothing: it is the end of the input, at `at`.
    Eof,
}

/// A look-ahead for the name of the last start tag.
#[derive(Debug)]
pub(crate) struct LastStartTagAhead {
    /// The position of the next input character.
    pub(crate) at: TokenStream,
    /// What must follow the name.
    pub(crate) followed_by: CharSet,
    /// Whether the end of the input may.
    pub(crate) eof: bool,
    /// It matters only if all of these hold when the body starts.
    pub(crate) only_if: Vec<TokenStream>,
    /// The variable with its answer.
    pub(crate) variable: Ident,
}

impl LastStartTagAhead {
    /// Asks for it; its answer is an `Ahead`.
    pub(crate) fn ask(&self, scope: &Scope<'_, '_>) -> TokenStream {
        let set = scope.as_read(&self.followed_by);
        let some = patterns::chars(&set).map(|set| quote!(Some(#set)));
        let none = self.eof.then(|| quote!(None));
        let pattern = match (some, none) {
            (Some(some), Some(none)) => Some(quote!(#some | #none)),
            (some, none) => some.or(none),
        };
        let (at, followed_by) = (&self.at, patterns::holds(pattern));
        let newlines = scope.context.machine.preprocessing.normalize_newlines;
        quote!(t.core.last_start_tag_ahead(input, #at, #newlines, #followed_by))
    }
}

/// What a body may refer to, and what it needs to be in scope.
pub(crate) struct Scope<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    pub(super) state: StateId,
    pub(super) consumed: Consumed,
    /// Whether the character is a newline, of which a CR stands in the input.
    is_newline: bool,
    /// Whether what was consumed is one byte.
    pub(super) one_byte: bool,
    /// Whether it may be U+0000.
    pub(super) takes_null: bool,
    /// Whether the next state is called: where both are hot, the compiler then knows what has just been done.
    pub(super) calls_next: bool,
    /// Whether `end` is used.
    pub(crate) needs_end: bool,
    /// Whether the value of the matched reference is used.
    pub(crate) needs_value: bool,
    /// Whether the body looks at the next input character.
    pub(crate) waits_for_next: bool,
    /// The look-aheads for the last start tag's name that the body needs.
    pub(crate) last_start_tag_ahead: Vec<LastStartTagAhead>,
    /// Whether nothing has been done yet, so that what holds now did so when the body started.
    pub(crate) at_start: bool,
    /// What holds where a guard's part is asked.
    pub(crate) holds: Vec<TokenStream>,
    /// The token that is being emitted: none of its attributes is under construction any more.
    pub(crate) emitted: Option<TokenId>,
}

impl<'c, 'm> Scope<'c, 'm> {
    pub(crate) fn new(context: &'c Context<'m>, state: StateId, consumed: Consumed) -> Self {
        Self {
            context,
            state,
            consumed,
            is_newline: consumed == Consumed::Newline,
            one_byte: false,
            takes_null: false,
            calls_next: false,
            needs_end: false,
            needs_value: false,
            waits_for_next: false,
            last_start_tag_ahead: Vec::new(),
            at_start: true,
            holds: Vec::new(),
            emitted: None,
        }
    }

    /// What an arm consumed.
    pub(crate) fn of_arm(context: &'c Context<'m>, state: StateId, arm: &Arm) -> Self {
        let consumed = if arm.peeked {
            Consumed::Peeked
        } else {
            Consumed::Character
        };
        let is_hot = |id: &StateId| context.hot.contains(id);
        let next = match arm.body.next {
            Next::Go {
                target: Target::State(next),
                ..
            } => Some(next),
            _ => None,
        };
        let hot = is_hot(&state) && next.as_ref().is_some_and(is_hot);
        Self {
            one_byte: emission::consumes_ascii(arm),
            takes_null: arm.set.contains('\0'),
            calls_next: hot && creates_for_next(context.machine, state, arm),
            ..Self::new(context, state, consumed)
        }
    }

    /// What an arm makes of a CR, with its LF if it has one.
    pub(crate) fn of_newline(context: &'c Context<'m>, state: StateId, arm: &Arm) -> Self {
        let consumed = if arm.peeked {
            Consumed::Peeked
        } else {
            Consumed::Newline
        };
        Self {
            is_newline: true,
            ..Self::new(context, state, consumed)
        }
    }

    pub(crate) fn is_newline(&self) -> bool {
        self.is_newline
    }

    /// Whether the current character, if nothing is put back, is emitted as it stands in the input.
    pub(crate) fn is_as_it_stands(&self) -> bool {
        !self.is_newline && self.consumed != Consumed::Peeked
    }

    pub(crate) fn uses_end(&mut self) {
        self.needs_end = true;
    }

    /// The set as it must be asked of the raw input: where newlines are normalised, a CR is an LF.
    pub(crate) fn as_read(&self, set: &CharSet) -> CharSet {
        let set = self.context.without_cr(set);
        if self.context.machine.preprocessing.normalize_newlines && set.contains('\n') {
            set.union(&CharSet::single('\r'))
        } else {
            set
        }
    }

    /// Where the input goes on when nothing is put back.
    pub(crate) fn position(&mut self) -> TokenStream {
        match self.consumed {
            Consumed::Character | Consumed::Newline | Consumed::Literal | Consumed::Reference => {
                self.needs_end = true;
                quote!(end)
            }
            Consumed::Peeked | Consumed::Nothing | Consumed::Eof => quote!(at),
        }
    }

    /// Where an error is, on a way that puts back what was consumed or not.
    pub(super) fn error_position(&mut self, reconsume: bool) -> TokenStream {
        match self.consumed {
            Consumed::Literal if !reconsume => {
                self.needs_end = true;
                // Literals are ASCII: their last character is one byte.
                quote!(end - 1)
            }
            Consumed::Reference => {
                self.needs_end = true;
                quote!(end)
            }
            _ => quote!(at),
        }
    }

    /// Where the input goes on, and where a token emitted now ends.
    pub(super) fn place_after(&mut self, put_back: PutBack) -> TokenStream {
        match put_back {
            PutBack::Nothing => self.position(),
            PutBack::Character => quote!(at),
            PutBack::ToMark => quote!(t.mark),
        }
    }
}

/// Makes a buffer empty; `at` is where its first characters are expected.
pub(super) fn clear(place: &TokenStream, at: &TokenStream, optional: bool) -> TokenStream {
    if optional {
        quote!(#place.set_empty(#at);)
    } else {
        quote!(#place.clear(#at);)
    }
}
