//! `tokenizer!` and `parser!`, as [`speclex`](https://docs.rs/speclex) re-exports them: use them from there.
//!
//! `call` parses a call; `module` finds its tables and puts the code that `speclex-codegen` generates into modules.
//!
//! No features.

mod call;
mod module;
#[cfg(test)]
mod tests;

use syn::parse_macro_input;

/// Modules with tokenizers, each made from a table. `speclex::tokenizer!` documents it.
#[proc_macro]
pub fn tokenizer(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let call = parse_macro_input!(input as call::Call);
    module::modules(&call, module::tokenizer).into()
}

/// Modules with parsers, each made from a table of tree construction. `speclex::parser!` documents it.
#[proc_macro]
pub fn parser(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let call = parse_macro_input!(input as call::Call);
    module::modules(&call, module::parser).into()
}
