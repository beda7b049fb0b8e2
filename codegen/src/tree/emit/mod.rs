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
    let parsing = parsing(machine, runtime);
    Ok(quote! {
        #![allow(missing_docs, unused_labels, unused_mut, unused_variables)]
        #![allow(clippy::needless_late_init, clippy::never_loop, clippy::nonminimal_bool, clippy::unit_arg)]

        use #runtime::rt::tree::{
            Builder as Shared, Content, Data, Doctype, Element, Kind, Location, Name, NameTable, Origin, Position,
            Rules as Contract, ScopeEnds, Sets, Space, Token, Type, is_same, starts_with,
        };
        use #runtime::tree::{AttributeName, Options, TagAttributes, TreeSink};

        const _: () = #runtime::rt::tree::assert_format(#format);

        #parsing
        #items
        #modes
        #bodies
        #names
    })
}

/// The functions and types for a whole parse.
fn parsing(machine: &TreeMachine, runtime: &TokenStream) -> TokenStream {
    let tokenizer = crate::emit::names::snake(&machine.tokenizer);
    let fragment = machine.fragments.as_ref().map(|_| {
        quote! {
            /// Parses a fragment as the content of an element with this name: `td`, `svg path`, `math mi`. Its nodes are the
            /// children of [`Dom::root`](#runtime::Dom::root).
            pub fn parse_fragment<'t>(text: &'t str, context: &str) -> #runtime::Dom<'t> {
                let options = Options::default();
                #runtime::rt::parse::<Rules, TreeMachine<'t>, false, SCOPES>(text, &options, Some(context))
            }
        }
    });
    quote! {
        /// A tokenizer with a builder as its sink.
        pub type Parser<S> = #runtime::Tokenizer<super::#tokenizer::Machine<Builder<S>>>;

        type TreeMachine<'t> = super::#tokenizer::Machine<Builder<#runtime::DomSink<'t>>>;

        /// Parses a document, without scripting. The tree borrows from the text.
        pub fn parse(text: &str) -> #runtime::Dom<'_> {
            let options = Options::default();
            #runtime::rt::parse::<Rules, TreeMachine<'_>, false, SCOPES>(text, &options, None)
        }

        #fragment
    }
}
