//! The part of a machine that makes checkpoints and restores them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::Context;
use super::names::parameters;
use super::registers::{initial, register_type, registers};
use crate::analyse;
use crate::analyse::checkpoint::{deciding, looked_behind};
use crate::machine::{RegisterId, RegisterType};

/// The types, and the methods of the contract.
pub(super) struct Checkpoint {
    pub(super) types: TokenStream,
    pub(super) methods: TokenStream,
}

pub(super) fn checkpoint(context: &Context<'_>) -> Checkpoint {
    let rt = &context.runtime;
    // States at which the same registers count, by these.
    let mut alike: BTreeMap<BTreeSet<RegisterId>, Vec<&Ident>> = BTreeMap::new();
    for (id, deciding) in context.states().zip(deciding(context.machine)) {
        if let Some(registers) = deciding {
            alike
                .entry(registers)
                .or_default()
                .push(context.variant(id));
        }
    }
    let counts = |id: &RegisterId| alike.keys().any(|registers| registers.contains(id));
    let kept: Vec<_> = registers(context).filter(|(id, _)| counts(id)).collect();
    let fields = kept.iter().map(|(id, register)| {
        let name = context.register(*id);
        let ty = match &register.ty {
            RegisterType::Text => quote!(#rt::rt::String),
            other => register_type(context, *id, other),
        };
        quote!(#name: #ty)
    });
    let structure = (!kept.is_empty()).then(|| {
        quote! {
            /// The registers on which it depends between two tokens what comes next.
            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            pub struct Registers { #(#fields,)* }
        }
    });
    let ty = match structure {
        Some(_) => quote!(Registers),
        None => quote!(()),
    };
    let arms = alike.iter().map(|(counting, variants)| {
        let fields = kept.iter().map(|(id, register)| {
            let name = context.register(*id);
            match (&register.ty, counting.contains(id)) {
                (RegisterType::Text, true) => quote!(#name: self.#name.get(Input::new("")).into()),
                (_, true) => quote!(#name: self.#name),
                (RegisterType::State, false) => {
                    let initial = initial(context);
                    quote!(#name: #initial)
                }
                (_, false) => quote!(#name: ::core::default::Default::default()),
            }
        });
        quote!(#(State::#variants)|* => Registers { #(#fields,)* },)
    });
    let sets = kept.iter().map(|(id, register)| {
        let name = context.register(*id);
        match &register.ty {
            RegisterType::Text => quote! {
                self.#name.clear(0);
                self.#name.push_str(Input::new(""), &registers.#name);
            },
            _ => quote!(self.#name = registers.#name;),
        }
    });
    let sets: TokenStream = sets.collect();
    let [given] = parameters(["registers"], &sets);
    let chosen = match structure {
        Some(_) => quote! {
            Some(match state {
                #(#arms)*
                _ => return None,
            })
        },
        None if alike.is_empty() => quote! {
            let _ = state;
            None
        },
        None => {
            let variants = alike.values().flatten();
            quote!(::core::matches!(state, #(State::#variants)|*).then_some(()))
        }
    };
    let contents = context.entry_states.iter().map(|id| context.state(*id));
    let behind = looked_behind(context.machine).into_iter();
    let asks = analyse::uses_last_start_tag(context.machine);
    let methods = quote! {
        type Registers = #ty;

        const LOOKED_BEHIND: &'static [&'static str] = &[#(#behind),*];
        const ASKS_START_TAG: bool = #asks;

        fn is_content(state: State) -> bool {
            ::core::matches!(state, #(#contents)|*)
        }

        fn registers(&self, state: State) -> Option<#ty> {
            #chosen
        }

        fn set_registers(&mut self, #given: &#ty) {
            #sets
        }
    };
    let types = quote! {
        #structure

        /// What a tokenizer is like between two tokens.
        pub type Checkpoint = #rt::Checkpoint<State, #ty>;
    };
    Checkpoint { types, methods }
}
