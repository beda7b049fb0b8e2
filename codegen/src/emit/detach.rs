//! What a machine copies when the input goes, by the state that it waits in.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::names::{parameters, snake};
use crate::analyse::live::{copied, live, under_construction};
use crate::machine::{Field, FieldType, Guard, Machine, RegisterId, RegisterType, TokenId};
use crate::uses::Variable;

/// The method of the contract: what is used as it is later on is made independent of the input. All else is made
/// anew before it is looked at.
pub(super) fn detach(context: &Context<'_>) -> TokenStream {
    let machine = context.machine;
    let live = live(machine);
    let built = under_construction(machine);
    let copied = copied(machine);
    let holders: Vec<_> = holders(context).collect();
    let states = context.states().zip(live.iter().zip(&built).zip(&copied));
    let states = states.map(|(id, ((live, built), copied))| {
        let needed = holders.iter().enumerate();
        let needed = needed.filter(|(_, (holder, _))| live.contains(holder));
        let needed = needed.map(|(index, (holder, _))| {
            let detached = match holder {
                Variable::Register(id) if !copied.contains(holder) => {
                    Detached::Compared(longest_compared(machine, *id))
                }
                Variable::Token(_) if built.contains(holder) => Detached::Built,
                _ => Detached::Whole,
            };
            (index, detached)
        });
        (context.variant(id), needed.collect())
    });
    let emissions = context.emissions.iter().map(|shared| {
        let token = Variable::Token(shared.emission.token);
        let place = holders.iter().position(|(holder, _)| *holder == token);
        let needed: Vec<_> = place
            .map(|index| (index, Detached::Built))
            .into_iter()
            .collect();
        (&shared.variant, needed)
    });
    // States that need the same.
    let mut alike: BTreeMap<Vec<(usize, Detached)>, Vec<_>> = BTreeMap::new();
    for (variant, needed) in states.chain(emissions) {
        alike.entry(needed).or_default().push(variant);
    }
    alike.remove(&[][..]);
    let arms = alike.iter().map(|(needed, variants)| {
        let detaches = needed.iter().map(|(index, detached)| {
            let place = &holders[*index].1;
            match detached {
                Detached::Whole => quote!(self.#place.detach(input, held);),
                Detached::Built => quote!(held.construct(); self.#place.detach(input, held);),
                Detached::Compared(most) => {
                    let most = Literal::usize_unsuffixed(*most);
                    quote!(self.#place.detach_compared(input, held, #most);)
                }
            }
        });
        quote!(#(State::#variants)|* => { #(#detaches)* })
    });
    let rt = &context.runtime;
    let arms: Vec<_> = arms.collect();
    let body = match arms.is_empty() {
        true => TokenStream::new(),
        false => quote!(match state { #(#arms)* _ => {} }),
    };
    let [input, state, held] = parameters(["input", "state", "held"], &body);
    quote! {
        fn detach(&mut self, #input: Input<'_>, #state: State, #held: &mut #rt::rt::Held) {
            #body
        }
    }
}

/// How something is made independent of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Detached {
    Whole,
    /// A token under construction.
    Built,
    /// A text that is compared with texts of at most so many bytes, and never copied.
    Compared(usize),
}

/// How long the longest text is that a register is compared with, in bytes.
fn longest_compared(machine: &Machine, id: RegisterId) -> usize {
    let compared = machine
        .all_questions()
        .filter_map(|question| match question {
            Guard::TextIs {
                register, any_of, ..
            } if *register == id => any_of.iter().map(String::len).max(),
            _ => None,
        });
    compared.max().unwrap_or(0)
}

/// What may refer to the input, and where it is in the machine.
fn holders<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (Variable, TokenStream)> + 'c {
    let machine = context.machine;
    let has_text = |fields: &[Field]| fields.iter().any(|f| f.ty != FieldType::Flag);
    let tokens = machine.vocabulary.tokens.iter().enumerate();
    let tokens = tokens.filter(move |(_, token)| has_text(&token.fields));
    let tokens = tokens.map(|(index, token)| {
        let name = snake(&token.name);
        (Variable::Token(TokenId(index as u32)), quote!(tokens.#name))
    });
    let registers = machine.registers.iter().enumerate();
    let registers = registers.filter(|(_, register)| register.ty == RegisterType::Text);
    let registers = registers.map(|(index, _)| {
        let id = RegisterId(index as u32);
        let name = context.register(id);
        (Variable::Register(id), quote!(#name))
    });
    tokens.chain(registers)
}
