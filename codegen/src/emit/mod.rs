//! From a machine to Rust: one function per state, driven by a loop, over the runtime's primitives.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

mod actions;
mod attribute;
mod body;
mod context;
mod detach;
mod flow;
mod guards;
mod items;
mod names;
mod patterns;
mod references;
mod scan_sets;
mod scope;
mod states;
mod vocabulary;

use context::Context;
use scan_sets::ScanSets;

pub use scan_sets::encode;

use crate::machine::{Machine, Vocabulary};

/// The contract between generated code and runtime that this generator writes for.
pub const FORMAT: u32 = 2;

/// How generated code refers to other code.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The runtime crate: `::speclex`.
    pub runtime: TokenStream,
    /// A constant with the table of named character references, made by [`references_module`]. `None`
    /// puts the table into the module.
    pub references: Option<TokenStream>,
}

impl Default for Paths {
    fn default() -> Self {
        Self {
            runtime: quote!(::speclex),
            references: None,
        }
    }
}

/// The items of a tokenizer's module.
pub fn module(machine: &Machine, paths: &Paths) -> TokenStream {
    let rt = &paths.runtime;
    let (own_vocabulary, vocabulary_path) = match &machine.vocabulary.shared {
        Some(name) => {
            let name = names::snake(name);
            let import = quote! {
                pub use #rt::#name::{Answer, Collector, Content, Sink, Token};
                use #rt::#name::{Events, Tokens};
            };
            (import, quote!(#rt::#name::))
        }
        None => (
            vocabulary::vocabulary(&machine.vocabulary, rt),
            TokenStream::new(),
        ),
    };
    let context = Context::new(machine, rt.clone(), vocabulary_path);
    let mut sets = ScanSets::default();
    let functions = states::functions(&context, &mut sets);
    let at_end = states::at_end(&context);
    let loops = states::loops(&context);
    let sets = sets.module();
    let items = items::items(&context);
    let references = references::references(machine, paths);
    let format = Literal::u32_unsuffixed(FORMAT);
    let used = |name: &str| {
        [&items, &loops, &functions, &at_end]
            .iter()
            .any(|t| names::mentions(t, name))
    };
    let ahead = used("Ahead").then(|| quote!(Ahead,));
    let found = used("Match").then(|| quote!(Match,));
    let imports = quote! {
        // Whatever the crate around this module calls by these names.
        #[allow(unused_imports)]
        use ::core::option::Option::{self, None, Some};
        use #rt::rt::{#ahead Input, #found Step};
    };
    quote! {
        #imports
        #own_vocabulary

        const _: () = #rt::rt::assert_format(#format);

        #items
        #loops
        #functions
        #at_end
        #references
        #sets
    }
}

/// The items of a shared vocabulary, for the runtime crate itself.
pub fn vocabulary_module(vocabulary: &Vocabulary, runtime: &TokenStream) -> TokenStream {
    vocabulary::vocabulary(vocabulary, runtime)
}

/// The items of a module with the table of named character references of a machine: the constant
/// `REFERENCES`, to be named by [`Paths::references`] of each machine that has these.
pub fn references_module(machine: &Machine, runtime: &TokenStream) -> TokenStream {
    references::table(machine, runtime, &quote!(pub(crate)))
}

/// The module of a table: `html_2012`.
pub fn module_name(table: &str) -> String {
    table
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

/// Rust source of items, formatted, below `header` (lines of a comment without the slashes).
///
/// # Errors
/// When the items are not Rust; a fault of the generator.
#[cfg(feature = "format")]
pub fn file(items: TokenStream, header: &[String]) -> Result<String, syn::Error> {
    let items = prettyplease::unparse(&syn::parse2(items)?);
    let header: String = header
        .iter()
        .map(|line| format!("// {line}").trim_end().to_owned() + "\n")
        .collect();
    Ok(format!("{header}\n{}", spaced(&items)))
}

/// An empty line between items, which the formatter leaves out.
#[cfg(feature = "format")]
fn spaced(items: &str) -> String {
    let mut text = String::with_capacity(items.len());
    let mut after_item = false;
    let mut in_prelude = false;
    for line in items.lines() {
        let indented = line.starts_with([' ', '}', ')']);
        let prelude = line.starts_with("#[") || line.starts_with("///");
        let is_use = line.starts_with("use ") || line.starts_with("pub use ");
        if after_item && !indented && !in_prelude && !is_use {
            text.push('\n');
        }
        text += line;
        text.push('\n');
        in_prelude = prelude;
        after_item = line == "}" || !indented && line.ends_with([';', '}']);
    }
    text
}
