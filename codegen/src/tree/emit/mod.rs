//! From a tree construction table to Rust: a builder with one function for each arm and each procedure, over the runtime's
//! primitives. The printer decides nothing that an analysis could find out.

mod blocks;
mod bodies;
mod calls;
mod characters;
mod code;
mod entrances;
mod flow;
mod found;
mod guards;
mod hosts;
mod idents;
mod intake;
mod items;
mod loops;
mod names;
mod printer;
mod rules;
mod steps;
mod values;

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::machine::TreeMachine;
use crate::emit::Paths;
use crate::emit::names::doc_line;
use crate::machine::Machine;
pub use found::{Found, found};
use idents::{Item, OF_BUILDERS, OF_SINKS, last_word};
use printer::Printer;

/// The contract between generated builders and runtime that this generator writes for.
pub const FORMAT: u32 = 6;

/// The items of a builder's module. `runtime` is the path of the runtime crate. A tokenizer becomes a module inside; without it, the
/// tokenizer's module is beside this one.
///
/// # Errors
///
/// What of the table no builder can do.
pub fn module(
    machine: &TreeMachine,
    tokenizer: Option<&Machine>,
    runtime: &TokenStream,
) -> Result<TokenStream, Vec<String>> {
    let printer = Printer::new(machine);
    let mut seen = BTreeSet::new();
    let modes = 0..machine.modes.len();
    let functions = modes.flat_map(|mode| printer.mode_functions(mode, &mut seen));
    let mut functions: Vec<Item> = functions.collect();
    for (id, body) in machine.bodies.iter().enumerate() {
        if !seen.contains(&id) {
            functions.push(printer.body_item(id, &format!("{}.", body.name)));
        }
    }
    let mut items = printer.items();
    let own = tokenizer.map(|tokenizer| &tokenizer.vocabulary);
    let own = own.filter(|vocabulary| vocabulary.shared.is_none());
    items.extend(own.map(|vocabulary| (None, printer.intake(vocabulary, runtime))));
    items.append(&mut functions);
    items.extend(printer.names.items());
    let faults = printer.faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    let format = proc_macro2::Literal::u32_unsuffixed(FORMAT);
    let parsing = parsing(machine, tokenizer, runtime, printer.has_host());
    items.insert(0, (None, parsing));
    let items = used(items);
    let [mut of_builders, of_sinks] = [OF_BUILDERS, OF_SINKS].map(|names| imported(names, &items));
    let content = own.map(|_| {
        of_builders.retain(|it| it.to_string() != "Content");
        quote!(
            use tokenizer::Content;
        )
    });
    let tokenizer = tokenizer.map(|tokenizer| {
        let doc = doc_line(&format!(" The tokenizer: {}.", tokenizer.title));
        let paths = Paths {
            runtime: runtime.clone(),
            ..Paths::default()
        };
        let items = crate::emit::module(tokenizer, &paths);
        quote!(#[doc = #doc] pub mod tokenizer { #items })
    });
    Ok(quote! {
        use #runtime::rt::tree::{#(#of_builders),*};
        use #runtime::tree::{#(#of_sinks),*};
        #content

        const _: () = #runtime::rt::tree::assert_format(#format);

        #items
        #tokenizer
    })
}

/// Those of some names that the items mention.
fn imported(names: &[&'static str], items: &TokenStream) -> Vec<TokenStream> {
    let mut mentioned = BTreeSet::new();
    identifiers(items, &mut mentioned);
    let names = names
        .iter()
        .filter(|name| mentioned.contains(last_word(name)));
    names.filter_map(|name| name.parse().ok()).collect()
}

/// The items that others do not use, and those that they do: arms that only hand tokens on, or whose characters are taken in runs, are
/// not called.
fn used(items: Vec<Item>) -> TokenStream {
    let mut named = BTreeSet::new();
    let mut left = items.iter().collect::<Vec<_>>();
    let is_named = |name: &Option<Ident>, named: &BTreeSet<String>| {
        (name.as_ref()).is_none_or(|name| named.contains(&name.to_string()))
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
    let used = items.iter().filter(|it| is_named(&it.0, &named));
    used.map(|(_, tokens)| tokens.clone()).collect()
}

/// The names that tokens mention, but for those of variants, fields and methods.
fn identifiers(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    let (mut is_enum, mut before) = (false, [' '; 2]);
    for token in tokens.clone() {
        let is_part = before == [':', ':'] || before[1] == '.' && before[0] != '.';
        before = [before[1], ' '];
        match token {
            TokenTree::Ident(ident) if ident == "enum" => is_enum = true,
            TokenTree::Ident(ident) if !is_part => _ = found.insert(ident.to_string()),
            TokenTree::Group(group) if !is_enum => identifiers(&group.stream(), found),
            TokenTree::Group(_) => is_enum = false,
            TokenTree::Punct(sign) => before[1] = sign.as_char(),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The functions and types for a whole parse.
fn parsing(
    machine: &TreeMachine,
    tokenizer: Option<&Machine>,
    runtime: &TokenStream,
    has_host: bool,
) -> TokenStream {
    let beside = crate::emit::names::snake(&machine.tokenizer);
    let tokenizer = tokenizer.map_or_else(|| quote!(super::#beside), |_| quote!(tokenizer));
    let where_dom = has_host.then(|| quote!(where #runtime::DomSink<'t>: Host));
    let fragment = machine.fragments.as_ref().map(|_| {
        quote! {
            /// Parses a fragment as the content of an element with this name: `td`, `svg path`, `math mi`. Its nodes are the children of
            /// `Dom::root`.
            pub fn parse_fragment<'t>(text: &'t str, context: &str) -> #runtime::Dom<'t> #where_dom {
                let options = Options::default();
                #runtime::rt::parse::<Rules, TreeMachine<'t>, false, SCOPES>(text, &options, Some(context))
            }
        }
    });
    let signature = match has_host {
        true => quote!(<'t>(text: &'t str) -> #runtime::Dom<'t> #where_dom),
        false => quote!((text: &str) -> #runtime::Dom<'_>),
    };
    let has_questions = machine.states.iter().any(|state| state.is_asked);
    let doc = match has_questions {
        true => " Parses a document, without scripting. The tree borrows from the text.",
        false => " Parses a document. The tree borrows from the text.",
    };
    quote! {
        /// A tokenizer with a builder as its sink.
        pub type Parser<S> = #runtime::Tokenizer<#tokenizer::Machine<Builder<S>>>;

        type TreeMachine<'t> = #tokenizer::Machine<Builder<#runtime::DomSink<'t>>>;

        #[doc = #doc]
        pub fn parse #signature {
            let options = Options::default();
            #runtime::rt::parse::<Rules, TreeMachine<'_>, false, SCOPES>(text, &options, None)
        }

        #fragment
    }
}
