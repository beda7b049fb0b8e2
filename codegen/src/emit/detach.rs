//! What a machine copies when the input goes, by the state that it waits in.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::names::snake;
use crate::analyse::live::{live, under_construction};
use crate::machine::{Field, FieldType, RegisterId, RegisterType, TokenId};
use crate::uses::Variable;

/// The method of the contract: what is used as it is later on is made independent of the input. All else is made
/// anew before it is looked at.
pub(super) fn detach(context: &Context<'_>) -> TokenStream {
    let live = live(context.machine);
    let built = under_construction(context.machine);
    let holders: Vec<_> = holders(context).collect();
    let states = context.states().zip(live.iter().zip(built));
    let states = states.map(|(id, (live, built))| (context.variant(id), live.clone(), built));
    let emissions = context.emissions.iter().map(|shared| {
        let token = BTreeSet::from([Variable::Token(shared.emission.token)]);
        (&shared.variant, token.clone(), token)
    });
    // States that need the same, by what that is, and whether it is a token under construction.
    let mut alike: BTreeMap<Vec<(usize, bool)>, Vec<_>> = BTreeMap::new();
    for (variant, needed, built) in states.chain(emissions) {
        let needed = holders
            .iter()
            .enumerate()
            .filter_map(|(index, (holder, _))| {
                let is_built = matches!(holder, Variable::Token(_)) && built.contains(holder);
                needed.contains(holder).then_some((index, is_built))
            });
        alike.entry(needed.collect()).or_default().push(variant);
    }
    alike.remove(&[][..]);
    let arms = alike.iter().map(|(needed, variants)| {
        let detaches = needed.iter().map(|(index, is_built)| {
            let place = &holders[*index].1;
            let construct = is_built.then(|| quote!(held.construct();));
            quote!(#construct self.#place.detach(input, held);)
        });
        quote!(#(State::#variants)|* => { #(#detaches)* })
    });
    let rt = &context.runtime;
    quote! {
        fn detach(&mut self, input: Input<'_>, state: State, held: &mut #rt::rt::Held) {
            let _ = (input, state, &held);
            match state {
                #(#arms)*
                _ => {}
            }
        }
    }
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
