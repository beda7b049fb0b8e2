//! What a machine copies when the input goes, by the state that it waits in.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::names::snake;
use crate::analyse::live::{Holder, live};
use crate::machine::{Field, FieldType, RegisterId, RegisterType, TokenId};

/// The method of the contract: what is used as it is later on is made independent of the input, all else is
/// made empty, so that nothing refers to an input that is gone.
pub(super) fn detach(context: &Context<'_>) -> TokenStream {
    let live = live(context.machine);
    let holders: Vec<_> = holders(context)
        .map(|(holder, place)| {
            let states = context.states().zip(&live);
            let states = states.filter(|(_, live)| live.contains(&holder));
            let emissions = (context.emissions.iter())
                .filter(|shared| holder == Holder::Token(shared.emission.token))
                .map(|shared| &shared.variant);
            let variants = states.map(|(id, _)| context.variant(id)).chain(emissions);
            let variants: Vec<_> = variants.collect();
            let empty = match holder {
                Holder::Token(_) => quote!(self.#place.create(0);),
                Holder::Register(_) => quote!(self.#place.clear(0);),
            };
            if variants.is_empty() {
                return empty;
            }
            quote! {
                match state {
                    #(State::#variants)|* => self.#place.detach(input),
                    _ => { #empty }
                }
            }
        })
        .collect();
    quote! {
        fn detach(&mut self, input: Input<'_>, state: State) {
            let _ = (input, state);
            #(#holders)*
        }
    }
}

/// What may refer to the input, and where it is in the machine.
fn holders<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (Holder, TokenStream)> + 'c {
    let machine = context.machine;
    let has_text = |fields: &[Field]| fields.iter().any(|f| f.ty != FieldType::Flag);
    let tokens = machine.vocabulary.tokens.iter().enumerate();
    let tokens = tokens.filter(move |(_, token)| has_text(&token.fields));
    let tokens = tokens.map(|(index, token)| {
        let name = snake(&token.name);
        (Holder::Token(TokenId(index as u32)), quote!(tokens.#name))
    });
    let registers = machine.registers.iter().enumerate();
    let registers = registers.filter(|(_, register)| register.ty == RegisterType::Text);
    let registers = registers.map(|(index, _)| {
        let id = RegisterId(index as u32);
        let name = context.register(id);
        (Holder::Register(id), quote!(#name))
    });
    tokens.chain(registers)
}
