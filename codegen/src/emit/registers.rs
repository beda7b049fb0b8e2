//! The fields that registers are, and what they hold at first.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use crate::machine::{Register, RegisterId, RegisterType};

/// The registers, with their numbers.
pub(super) fn registers<'c>(
    context: &'c Context<'_>,
) -> impl Iterator<Item = (RegisterId, &'c Register)> {
    (context.machine.registers.iter().enumerate()).map(|(i, r)| (RegisterId(i as u32), r))
}

/// What a machine has for a register.
pub(super) fn register_type(
    context: &Context<'_>,
    id: RegisterId,
    ty: &RegisterType,
) -> TokenStream {
    let rt = &context.runtime;
    match ty {
        RegisterType::Text => quote!(#rt::rt::Buffer),
        RegisterType::State => quote!(State),
        RegisterType::Number => quote!(u32),
        RegisterType::Character => quote!(Option<char>),
        RegisterType::Finite(_) => {
            let name = context.finite_enum(id);
            quote!(#name)
        }
    }
}

/// The state to start in.
pub(super) fn initial(context: &Context<'_>) -> TokenStream {
    match context.machine.entries.first() {
        Some(entry) => context.state(entry.state),
        None => quote!(State::Suspended),
    }
}

/// What a register holds before any state sets it: the initial state's entry may.
pub(super) fn initial_value(context: &Context<'_>, register: RegisterId) -> TokenStream {
    let sets = context.machine.entries.first().map(|entry| &entry.sets);
    let mut sets = sets.into_iter().flatten();
    match sets.find(|&&(set, value)| set == register && value > 0) {
        Some(&(_, value)) => context.finite_value(register, value),
        None => quote!(::core::default::Default::default()),
    }
}
