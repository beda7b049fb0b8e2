//! `tokenizer!`, as [`speclex`](https://docs.rs/speclex) re-exports it: use it from there.
//!
//! A thin door to `speclex-codegen`: `call` reads what stands in the call, `module` finds the tables and puts
//! what is generated into modules.
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
    module::modules(&call).into()
}
