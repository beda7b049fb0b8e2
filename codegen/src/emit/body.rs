//! Bodies as Rust blocks.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::Context;
use super::flow::{self, End, Flow, Part, PutBack};
use super::patterns::{self, holds};
use super::scope::{Consumed, Scope, clear};
use crate::charset::CharSet;
use crate::machine::{Action, Body, Guard, StateId, Target, TokenId};

impl<'c> Scope<'c, '_> {
    /// The statements of a body, ending with a `Step` (at the end of the input: an option of one).
    pub(crate) fn body(&mut self, body: &Body) -> TokenStream {
        let flow = Flow::of(self.context.machine, body);
        self.flow(&flow, false)
    }

    /// The statements of an arm that leaves the character to the next state, whose scan takes it.
    pub(crate) fn leaving(
        &mut self,
        before: &[Action],
        last: &Action,
        next: StateId,
    ) -> TokenStream {
        // As if nothing were consumed: what is appended begins with the character.
        self.consumed = Consumed::Peeked;
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
        // Nothing comes after the end of the input, whatever the sink answers.
        let ends = matches!(&flow.end, End::Go { target, .. } if *target == Target::End);
        let mut statements = TokenStream::new();
        self.at_start &= own == 0;
        for part in &flow.parts[..own] {
            let statement = self.part(part, put_back);
            statements.extend(match part {
                Part::Do(Action::Emit(token)) if !ends && self.context.answers(*token) => {
                    if core::mem::replace(&mut answered, true) {
                        // As a pair: the statement borrows `t`, and then `both` does.
                        quote!(let answer = (answer, #statement); let answer = t.both(answer);)
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
                Consumed::Literal => quote!(#statements return #step;),
                _ => quote!(#statements #step),
            };
        }
        let next = match &flow.end {
            End::Go { target, put_back } => {
                let step = self.go(*target, *put_back, answered);
                match self.consumed {
                    // Other literals come after it.
                    Consumed::Literal => quote!(return #step;),
                    _ => step,
                }
            }
            End::Branch {
                guard: Guard::NextAre { run, then: end },
                then,
                otherwise,
            } => self.error_if_ahead((run, end), then, otherwise, answered),
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
        (!flow::answers(self.context.machine, before)).then_some(&shared.variant)
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
    fn error_if_ahead(
        &mut self,
        (run, end): (&CharSet, &CharSet),
        then: &Flow<'_>,
        otherwise: &Flow<'_>,
        answered: bool,
    ) -> TokenStream {
        let position = self.position();
        let at = self.error_position(otherwise.put_back() == PutBack::Character);
        let rt = &self.context.runtime;
        let (run, end) = (self.as_read(run), self.as_read(end));
        let [run, end] = [run, end].map(|set| holds(patterns::chars(&set)));
        // The checker lets only errors stand in front of what both ways do.
        let own = then.parts.len() - otherwise.parts.len();
        let errors: Vec<_> = (then.parts[..own].iter())
            .filter_map(|part| match part {
                Part::Do(Action::Error(id)) => Some(self.context.error(*id)),
                _ => None,
            })
            .map(|code| quote!(t.core.error_if_ahead(input, #position, &PATTERN, (#code, #at));))
            .collect();
        let rest = self.flow(otherwise, answered);
        quote! {
            {
                static PATTERN: #rt::rt::Pattern = #rt::rt::Pattern {
                    run: #run,
                    then: #end,
                };
                #(#errors)*
            }
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
