//! The table of named character references as Rust.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Paths;
use crate::machine::{Machine, StateKind};

/// What a tokenizer's module says about named character references.
pub(crate) fn references(machine: &Machine, paths: &Paths) -> TokenStream {
    let matches = |s: &crate::machine::State| matches!(s.kind, StateKind::Match { .. });
    if !machine.states.iter().any(matches) {
        return TokenStream::new();
    }
    match &paths.references {
        Some(path) => quote!(use #path as REFERENCES;),
        None => table(machine, &paths.runtime, &TokenStream::new()),
    }
}

/// The constant with the table.
pub(crate) fn table(machine: &Machine, rt: &TokenStream, visibility: &TokenStream) -> TokenStream {
    // The checker refuses names that there is no table for.
    let table = crate::references::build(&machine.references).unwrap_or_default();
    let rows = table.rows.iter().map(|row| {
        let head = Literal::byte_string(&row.head);
        let [a, b, c, d] =
            [row.text, row.length, row.value, row.prefix].map(Literal::u16_unsuffixed);
        quote!(Name(*#head, #a, #b, #c, #d))
    });
    let text = &table.text;
    let longest = Literal::usize_unsuffixed(table.longest);
    let terminator = Literal::byte_character(table.terminator);
    quote! {
        /// The named character references.
        #[rustfmt::skip]
        #visibility static REFERENCES: #rt::rt::References = {
            use #rt::rt::Name;
            #rt::references!(&[#(#rows),*], #text, #longest, #terminator)
        };
    }
}
