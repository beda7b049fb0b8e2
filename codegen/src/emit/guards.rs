//! Questions as Rust conditions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::pascal;
use super::patterns;
use super::scope::{Consumed, LastStartTagAhead, Scope};
use super::vocabulary::{kind_enum, question_method};
use crate::charset::CharSet;
use crate::machine::{FieldId, Guard};

impl Scope<'_, '_> {
    /// The condition of a guard.
    pub(crate) fn guard(&mut self, guard: &Guard) -> TokenStream {
        let context = self.context;
        match guard {
            Guard::AppropriateEndTag(token) => {
                let name = context
                    .token(*token)
                    .fields
                    .iter()
                    .position(|f| f.name == "name");
                let name = context.field_place(FieldId {
                    token: *token,
                    field: name.unwrap_or_default() as u32,
                });
                quote!(t.core.last_start_tag(input) == Some(#name.get(input)))
            }
            Guard::TextIs {
                register,
                any_of,
                ignore_case,
            } => {
                let register = context.register(*register);
                if *ignore_case {
                    let equal = any_of
                        .iter()
                        .map(|s| quote!(t.#register.get(input).eq_ignore_ascii_case(#s)));
                    join(equal.collect(), &quote!(||)).unwrap_or_else(|| quote!(false))
                } else {
                    quote!(::core::matches!(t.#register.get(input), #(#any_of)|*))
                }
            }
            Guard::FiniteIs(register, values) => {
                let field = context.register(*register);
                let values = values.iter().map(|v| context.finite_value(*register, *v));
                quote!(::core::matches!(t.#field, #(#values)|*))
            }
            Guard::StateIs(register, states) => {
                let field = context.register(*register);
                let states = states.iter().map(|s| context.state(*s));
                quote!(::core::matches!(t.#field, #(#states)|*))
            }
            Guard::NumberIn(register, ranges) => {
                let field = context.register(*register);
                let ranges = patterns::numbers(ranges);
                quote!(::core::matches!(t.#field, #ranges))
            }
            Guard::HasReplacement(register) => {
                let field = context.register(*register);
                quote!(replacement(t.#field).is_some())
            }
            Guard::CurrentIn(set) => self.current_in(set),
            Guard::CurrentIsCharacter(register) => {
                let field = context.register(*register);
                let current = self.current_char();
                quote!(t.#field == #current)
            }
            Guard::LastMatchedIn(set) => {
                self.uses_end();
                // A reference has at least one character, and a byte of ASCII is one.
                let (last, set) = match patterns::is_ascii(set) {
                    true => (quote!(input.byte(end - 1)), patterns::bytes(set)),
                    false => (
                        quote!(input.slice(at, end).chars().next_back()),
                        patterns::chars(set),
                    ),
                };
                quote!(::core::matches!(#last, Some(#set)))
            }
            Guard::NextIn { set, eof } => {
                let position = self.position();
                self.waits_for_next = true;
                match patterns::bytes(&self.as_read(set))
                    .filter(|_| !eof && patterns::is_ascii(set))
                {
                    Some(set) => quote!(::core::matches!(input.byte(#position), Some(#set))),
                    None => optional_char(&quote!(input.char(#position)), set, *eof, self),
                }
            }
            // By itself it is no condition: see `Scope::error_if_ahead`. The checker lets it stand nowhere else.
            Guard::NextAre { .. } => quote!(false),
            Guard::NextIsLastStartTag { followed_by, eof } => {
                let known = match self.at_start {
                    true => self.holds.clone(),
                    false => Vec::new(),
                };
                let same = |known: &&mut LastStartTagAhead| {
                    known.followed_by == *followed_by && known.eof == *eof
                };
                if let Some(known) = self.last_start_tag_ahead.iter_mut().find(same) {
                    known.only_if.clear();
                    let variable = &known.variable;
                    return quote!(#variable);
                }
                // With an underscore behind it, it cannot be the name of a state's function.
                let variable = match self.last_start_tag_ahead.len() {
                    0 => format_ident!("last_start_tag_ahead"),
                    others => format_ident!("last_start_tag_ahead_{}_", others + 1),
                };
                let ahead = LastStartTagAhead {
                    at: self.position(),
                    followed_by: followed_by.clone(),
                    eof: *eof,
                    only_if: known,
                    variable: variable.clone(),
                };
                // At the end there is nothing to wait for.
                if self.consumed == Consumed::Eof {
                    let answer = ahead.ask(self);
                    return quote!(::core::matches!(#answer, Ahead::Yes));
                }
                self.last_start_tag_ahead.push(ahead);
                quote!(#variable)
            }
            Guard::StartTagEmitted => quote!(t.core.last_start_tag(input).is_some()),
            Guard::LastConsumed(string) => {
                self.uses_end();
                quote!(t.core.consumed_ends_with(input, end, #string))
            }
            Guard::Question(index) => {
                let vocabulary = &context.machine.vocabulary;
                let question = &vocabulary.questions[*index as usize];
                let question = question_method(vocabulary, question);
                quote!(t.core.asking(input).0.#question())
            }
            Guard::DuplicateAttribute(token) => {
                let attributes = context.attributes_place(*token);
                quote!(#attributes.is_duplicate(input))
            }
            Guard::HasAttributes(token) => {
                let attributes = context.attributes_place(*token);
                match self.emitted == Some(*token) {
                    true => quote!(#attributes.has_complete()),
                    false => quote!(!#attributes.is_empty()),
                }
            }
            Guard::FlagIs(field) => context.field_place(*field),
            Guard::KindIs(token, kind) => {
                let place = context.kind_place(*token);
                let token = context.token(*token);
                let vocabulary = &context.vocabulary;
                let (ty, variant) = (kind_enum(token), pascal(&token.kinds[*kind as usize].name));
                quote!(#place == #vocabulary #ty::#variant)
            }
            Guard::Not(inner) => {
                let inner = self.operand(inner);
                quote!(!#inner)
            }
            Guard::All(guards) => {
                // Each is asked when those before it hold.
                let before = self.holds.len();
                let guards: Vec<_> = (guards.iter())
                    .map(|guard| {
                        let operand = self.operand(guard);
                        self.holds.push(operand.clone());
                        operand
                    })
                    .collect();
                self.holds.truncate(before);
                join(guards, &quote!(&&)).unwrap_or_else(|| quote!(true))
            }
            Guard::Any(guards) => {
                let guards: Vec<_> = guards.iter().map(|g| self.operand(g)).collect();
                join(guards, &quote!(||)).unwrap_or_else(|| quote!(false))
            }
        }
    }

    /// The condition, in parentheses where an operator around it would tear it apart.
    fn operand(&mut self, guard: &Guard) -> TokenStream {
        let condition = self.guard(guard);
        let is_whole = match guard {
            Guard::All(_) | Guard::Any(_) | Guard::CurrentIsCharacter(_) => false,
            Guard::AppropriateEndTag(_) | Guard::KindIs(..) => false,
            Guard::TextIs {
                any_of,
                ignore_case,
                ..
            } => !ignore_case || any_of.len() == 1,
            _ => true,
        };
        if is_whole {
            condition
        } else {
            quote!((#condition))
        }
    }

    fn current_in(&self, set: &CharSet) -> TokenStream {
        if self.is_newline() {
            let holds = set.contains('\n');
            return quote!(#holds);
        }
        optional_char(&quote!(input.char(at)), set, false, self)
    }

    fn current_char(&self) -> TokenStream {
        if self.is_newline() {
            quote!(Some('\n'))
        } else {
            quote!(input.char(at))
        }
    }
}

/// Whether a character is in the set; `None`, the end of the input, if `eof`.
fn optional_char(
    character: &TokenStream,
    set: &CharSet,
    eof: bool,
    scope: &Scope<'_, '_>,
) -> TokenStream {
    let set = scope.as_read(set);
    let some = patterns::chars(&set).map(|set| quote!(Some(#set)));
    let none = eof.then(|| quote!(None));
    match (some, none) {
        (Some(some), Some(none)) => quote!(::core::matches!(#character, #some | #none)),
        (Some(one), None) | (None, Some(one)) => quote!(::core::matches!(#character, #one)),
        (None, None) => quote!(false),
    }
}

fn join(conditions: Vec<TokenStream>, operator: &TokenStream) -> Option<TokenStream> {
    conditions
        .into_iter()
        .reduce(|a, b| quote!(#a #operator #b))
}
