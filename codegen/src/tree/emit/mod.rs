//! From a tree construction table to Rust: a builder with one function for each arm and each procedure, over the runtime's
//! primitives. The printer decides nothing that an analysis could find out.

mod bodies;
mod characters;
mod flow;
mod found;
mod guards;
mod items;
mod loops;
mod names;
mod printer;
mod rules;
mod steps;
mod values;

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::machine::{BodyId, TreeMachine};
pub use found::{Found, found};
use printer::Printer;

/// The contract between generated builders and runtime that this generator writes for.
pub const FORMAT: u32 = 4;

/// The items of a builder's module. `runtime` is the path of the runtime crate.
///
/// # Errors
///
/// What of the table no builder can do.
pub fn module(machine: &TreeMachine, runtime: &TokenStream) -> Result<TokenStream, Vec<String>> {
    let printer = Printer::new(machine);
    let mut seen = BTreeSet::new();
    let mut functions: Vec<_> = (0..machine.modes.len())
        .flat_map(|mode| printer.mode_functions(mode, &mut seen))
        .collect();
    for (id, body) in machine.bodies.iter().enumerate() {
        if !seen.contains(&id) {
            functions.push((Some(id), printer.body(id, &format!("{}.", body.name))));
        }
    }
    let items = printer.items();
    let functions = used(&printer, &items, functions);
    let names = printer.names.items();
    let faults = printer.faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    let format = proc_macro2::Literal::u32_unsuffixed(FORMAT);
    let parsing = parsing(machine, runtime);
    Ok(quote! {
        #![allow(missing_docs, unused_assignments, unused_labels, unused_mut, unused_parens, unused_variables)]
        #![allow(clippy::blocks_in_conditions, clippy::collapsible_if, clippy::collapsible_else_if, clippy::if_same_then_else, clippy::needless_return, clippy::nonminimal_bool, clippy::too_many_arguments)]

        use #runtime::rt::tree::{
            Builder as Shared, ByteSet, Content, Data, Doctype, Element, Ends, EndsByName, Kind, Location, Name, NameTable, Origin, Position,
            Rules as Contract, ScopeEnds, Sets, Sought, Space, Starts, Token, Type, is_same, starts_with,
        };
        use #runtime::tree::{AttributeName, Options, TagAttributes, TreeSink};

        const _: () = #runtime::rt::tree::assert_format(#format);

        #parsing
        #items
        #functions
        #names
    })
}

/// The functions of modes, and those of bodies that something calls: arms that only hand tokens on, or whose characters are taken in
/// runs, are not called.
fn used(
    printer: &Printer<'_>,
    items: &TokenStream,
    functions: Vec<(Option<BodyId>, TokenStream)>,
) -> TokenStream {
    let mut named = BTreeSet::new();
    identifiers(items, &mut named);
    let mut left = functions.iter().collect::<Vec<_>>();
    let is_named = |id: &Option<BodyId>, named: &BTreeSet<String>| {
        id.is_none_or(|id| named.contains(&printer.ident(id).to_string()))
    };
    // Each time at least one more is named, or that was all.
    loop {
        let (now, later): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|it| is_named(&it.0, &named));
        if now.is_empty() {
            break;
        }
        now.iter()
            .for_each(|(_, tokens)| identifiers(tokens, &mut named));
        left = later;
    }
    let used = functions.iter().filter(|it| is_named(&it.0, &named));
    used.map(|(_, tokens)| tokens.clone()).collect()
}

fn identifiers(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => _ = found.insert(ident.to_string()),
            TokenTree::Group(group) => identifiers(&group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The functions and types for a whole parse.
fn parsing(machine: &TreeMachine, runtime: &TokenStream) -> TokenStream {
    let tokenizer = crate::emit::names::snake(&machine.tokenizer);
    let root = format!(" children of [`Dom::root`]({runtime}::Dom::root).").replace(":: ", "::");
    let root = root.replace(" ::Dom", "::Dom");
    let fragment = machine.fragments.as_ref().map(|_| {
        quote! {
            /// Parses a fragment as the content of an element with this name: `td`, `svg path`, `math mi`. Its nodes are the
            #[doc = #root]
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
