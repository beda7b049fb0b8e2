//! Bodies as Rust blocks.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::actions::clear;
use super::context::Context;
use super::flow::{self, End, Flow, Part, PutBack};
use super::patterns;
use crate::analyse::deferred_append::creates_for_next;
use crate::analyse::emission;
use crate::charset::CharSet;
use crate::machine::{Action, Arm, Body, Guard, Next, StateId, Target, TokenId};

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
pub(crate) struct LastStartTagAhead {
    /// What must follow the name.
    pub(crate) followed_by: CharSet,
    /// Whether the end of the input may.
    pub(crate) eof: bool,
    /// It matters only if all of these hold when the body starts.
    pub(crate) only_if: Vec<TokenStream>,
}

/// What a body may refer to, and what it needs to be in scope.
pub(crate) struct Scope<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    pub(super) state: StateId,
    pub(super) consumed: Consumed,
    /// Whether what was consumed is one byte.
    one_byte: bool,
    /// Whether the next state is called: where both are hot, the compiler then knows what has just been done.
    calls_next: bool,
    /// Whether `end` is used.
    pub(crate) needs_end: bool,
    /// Whether the value of the matched reference is used.
    pub(crate) needs_value: bool,
    /// Whether the body looks at the next input character.
    pub(crate) waits_for_next: bool,
    /// The look-ahead for the last start tag's name that the body needs.
    pub(crate) last_start_tag_ahead: Option<LastStartTagAhead>,
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
            one_byte: false,
            calls_next: false,
            needs_end: false,
            needs_value: false,
            waits_for_next: false,
            last_start_tag_ahead: None,
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
            calls_next: hot && creates_for_next(context.machine, state, arm),
            ..Self::new(context, state, consumed)
        }
    }

    pub(crate) fn is_newline(&self) -> bool {
        self.consumed == Consumed::Newline
    }

    pub(crate) fn uses_end(&mut self) {
        self.needs_end = true;
    }

    /// The set as it must be asked of the raw input: where newlines are normalised, a CR is an LF.
    pub(crate) fn as_read(&self, set: &CharSet) -> CharSet {
        if self.context.machine.preprocessing.normalize_newlines && set.contains('\n') {
            set.union(&CharSet::single('\r'))
        } else {
            set.clone()
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

    /// The statements of a body, ending with a `Step` (at the end of the input: an option of one).
    pub(crate) fn body(&mut self, body: &Body) -> TokenStream {
        let flow = Flow::of(self.context, body);
        self.flow(&flow, false)
    }

    /// The statements of an arm that leaves the character to the next state, whose scan takes it.
    pub(crate) fn leaving(
        &mut self,
        before: &[Action],
        last: &Action,
        next: StateId,
    ) -> TokenStream {
        let before: TokenStream = (before.iter())
            .map(|action| self.action(action, PutBack::Character))
            .collect();
        let clear = match last {
            Action::Set(field, _) => {
                let (place, optional) =
                    (self.context.field_place(*field), self.is_optional(*field));
                Some(clear(&place, &quote!(at), optional))
            }
            Action::SetAttribute(token, part, _) => Some(clear(
                &self.attribute_part(*token, *part),
                &quote!(at),
                false,
            )),
            _ => None,
        };
        let next = if self.calls_next {
            let function = self.context.function(next);
            quote!(#function(t, input, at))
        } else {
            let next = self.context.state(next);
            quote!(Step::to(#next, at))
        };
        quote!(#before #clear #next)
    }

    /// `answered`: whether `answer` holds the sink's answer to a token emitted before.
    fn flow(&mut self, flow: &Flow<'_>, mut answered: bool) -> TokenStream {
        let put_back = flow.put_back();
        let shared = self.shared_end(flow, answered);
        let own = flow.parts.len() - usize::from(shared.is_some());
        let mut statements = TokenStream::new();
        self.at_start &= own == 0;
        for part in &flow.parts[..own] {
            let statement = self.part(part, put_back);
            statements.extend(match part {
                Part::Do(Action::Emit(token)) if self.context.answers(*token) => {
                    if core::mem::replace(&mut answered, true) {
                        quote!(let answer = answer.or(#statement);)
                    } else {
                        quote!(let answer = #statement;)
                    }
                }
                Part::Do(Action::Emit(_)) => quote!(#statement;),
                _ => statement,
            });
        }
        if let Some(step) = shared {
            let step = quote!(Step::to(State::#step, at));
            return match self.consumed {
                Consumed::Eof => quote!(#statements Some(#step)),
                _ => quote!(#statements #step),
            };
        }
        let next = match &flow.end {
            End::Go { target, put_back } => self.go(*target, *put_back, answered),
            End::Branch {
                guard: Guard::NextAre { run, then: end },
                then,
                otherwise,
            } => self.watch((run, end), then, otherwise, answered),
            End::Branch {
                guard,
                then,
                otherwise,
            } => {
                let condition = self.guard(guard);
                self.at_start = false;
                let then = self.flow(then, answered);
                let otherwise = self.flow(otherwise, answered);
                quote!(if #condition { #then } else { #otherwise })
            }
        };
        quote!(#statements #next)
    }

    /// The step that the end of a flow is, if it shares it with others.
    fn shared_end(&self, flow: &Flow<'_>, answered: bool) -> Option<&'c Ident> {
        let (emission, put_back) = flow.emission()?;
        let kept = match self.consumed {
            Consumed::Eof => put_back != PutBack::ToMark,
            _ => self.one_byte && put_back == PutBack::Nothing,
        };
        if answered || !kept {
            return None;
        }
        let (_, before) = flow.parts.split_last()?;
        let shared = self.context.shared(emission)?;
        (!flow::answers(self.context, before)).then_some(&shared.variant)
    }

    fn part(&mut self, part: &Part<'_>, put_back: PutBack) -> TokenStream {
        let (guard, then, otherwise) = match part {
            Part::Do(action) => return self.action(action, put_back),
            Part::If {
                guard,
                then,
                otherwise,
            } => (guard, then, otherwise),
        };
        let condition = self.guard(guard);
        let then = self.plain(then, put_back);
        let is_question = matches!(&otherwise[..], [Part::If { .. }]);
        let otherwise = self.plain(otherwise, put_back);
        if otherwise.is_empty() {
            quote!(if #condition { #then })
        } else if then.is_empty() {
            let condition = negated(&condition, guard);
            quote!(if #condition { #otherwise })
        } else if is_question {
            quote!(if #condition { #then } else #otherwise)
        } else {
            quote!(if #condition { #then } else { #otherwise })
        }
    }

    /// Parts among which no sink answers.
    fn plain(&mut self, parts: &[Part<'_>], put_back: PutBack) -> TokenStream {
        let parts = parts.iter().map(|part| {
            let statement = self.part(part, put_back);
            match part {
                Part::Do(Action::Emit(_)) => quote!(#statement;),
                _ => statement,
            }
        });
        parts.collect()
    }

    /// An error that depends on input of any length ahead: the rest goes on without waiting for it.
    fn watch(
        &mut self,
        (run, end): (&CharSet, &CharSet),
        then: &Flow<'_>,
        otherwise: &Flow<'_>,
        answered: bool,
    ) -> TokenStream {
        let position = self.position();
        let at = self.error_position(false);
        let rt = &self.context.runtime;
        let (run, end) = (self.as_read(run), self.as_read(end));
        let (run, end) = (patterns::chars(&run), patterns::chars(&end));
        let watches: Vec<_> = then
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Do(Action::Error(id)) => Some(self.context.error(*id)),
                _ => None,
            })
            .map(|code| quote!(t.core.watch(input, #position, &PATTERN, (#code, #at));))
            .collect();
        let rest = self.flow(otherwise, answered);
        quote! {
            static PATTERN: #rt::rt::Pattern = #rt::rt::Pattern {
                run: |c| ::core::matches!(c, #run),
                then: |c| ::core::matches!(c, #end),
            };
            #(#watches)*
            #rest
        }
    }

    fn target(&self, target: Target) -> TokenStream {
        match target {
            Target::State(id) => self.context.state(id),
            Target::Register(id) => {
                let register = self.context.register(id);
                quote!(t.#register)
            }
            // Only bodies for EOF end; see `go`.
            Target::End => self.context.state(self.state),
        }
    }

    fn go(&mut self, target: Target, put_back: PutBack, answered: bool) -> TokenStream {
        let at_end = self.consumed == Consumed::Eof;
        if target == Target::End {
            return if at_end {
                quote!(None)
            } else {
                // The checker lets no other body end; stay where we are.
                quote!(Step::to(State::Suspended, at))
            };
        }
        let mut state = self.target(target);
        if answered {
            state = quote!(t.answer(answer, #state));
        }
        let at = self.place_after(put_back);
        if let (Target::State(next), false, false) = (target, answered, at_end)
            && (self.calls_next || self.context.goes_through(self.state, next))
        {
            let function = self.context.function(next);
            return quote!(#function(t, input, #at));
        }
        if at_end {
            quote!(Some(Step::to(#state, #at)))
        } else {
            quote!(Step::to(#state, #at))
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

fn negated(condition: &TokenStream, guard: &Guard) -> TokenStream {
    match guard {
        Guard::All(_) | Guard::Any(_) | Guard::AppropriateEndTag(_) => quote!(!(#condition)),
        Guard::KindIs(..) | Guard::CurrentIsCharacter(_) | Guard::TextIs { .. } => {
            quote!(!(#condition))
        }
        _ => quote!(!#condition),
    }
}

/// A step that runs when a token is emitted: in a method, with `self` for the machine.
pub(crate) fn hook(
    context: &Context<'_>,
    token: TokenId,
    guard: Option<&Guard>,
    actions: &[Action],
) -> TokenStream {
    let mut scope = Scope::new(context, StateId(0), Consumed::Eof);
    scope.emitted = Some(token);
    let condition = guard.map(|guard| scope.guard(guard));
    let actions: Vec<_> = actions
        .iter()
        .map(|a| scope.action(a, PutBack::Character))
        .collect();
    let step = match condition {
        Some(condition) => quote!(if #condition { #(#actions)* }),
        None => quote!(#(#actions)*),
    };
    quote!({ let t = &mut *self; #step })
}
