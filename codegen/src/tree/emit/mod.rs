//! From a tree construction table to Rust: a builder with one function for each arm and each procedure, over the runtime's
//! primitives. The printer decides nothing that an analysis could find out.

mod bodies;
mod characters;
mod flow;
mod guards;
mod items;
mod names;
mod printer;
mod rules;
mod steps;
mod values;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::machine::TreeMachine;
use printer::Printer;

/// The contract between generated builders and runtime that this generator writes for.
pub const FORMAT: u32 = 1;

/// The items of a builder's module. `runtime` is the path of the runtime crate.
///
/// # Errors
///
/// What of the table no builder can do.
pub fn module(machine: &TreeMachine, runtime: &TokenStream) -> Result<TokenStream, Vec<String>> {
    let printer = Printer::new(machine);
    let mut seen = BTreeSet::new();
    let modes: TokenStream = (0..machine.modes.len())
        .map(|mode| printer.mode_functions(mode, &mut seen))
        .collect();
    let bodies = machine.bodies.iter().enumerate();
    let bodies: TokenStream = bodies
        .filter(|(id, _)| !seen.contains(id))
        .map(|(id, body)| printer.body(id, &format!("{}.", body.name)))
        .collect();
    let items = printer.items();
    let names = printer.names.items();
    let faults = printer.faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    let format = proc_macro2::Literal::u32_unsuffixed(FORMAT);
    Ok(quote! {
        use #runtime::rt::tree::{
            Builder as Shared, Content, Data, Doctype, Element, Kind, Location, Name, NameTable, Origin, Position,
            Rules as Contract, ScopeEnds, Sets, Space, Token, Type, is_same, starts_with,
        };
        use #runtime::tree::{AttributeName, Options, TagAttributes, TreeSink};

        const _: () = #runtime::rt::tree::assert_format(#format);

        #items
        #modes
        #bodies
        #names
    })
}
