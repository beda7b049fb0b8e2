//! Owned tokens.

use std::iter;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{kinds, variant};
use crate::emit::names::snake;
use crate::machine::{Field, FieldType, Vocabulary};

fn owned_type(field: &Field, rt: &TokenStream) -> TokenStream {
    match field.ty {
        FieldType::Text => quote!(#rt::Text),
        FieldType::OptionalText => quote!(::core::option::Option<#rt::Text>),
        FieldType::Flag => quote!(bool),
        FieldType::Attributes => quote!(#rt::OwnedAttributes),
    }
}

/// The enum of owned tokens.
pub(super) fn owned(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let variants = kinds(vocabulary).map(|(token, kind)| {
        let doc = format!(" The token \"{}\".", kind.name);
        let variant = variant(kind);
        if token.fields.is_empty() {
            return quote!(#[doc = #doc] #variant);
        }
        let fields = token.fields.iter().map(|field| {
            let doc = format!(" The {}.", field.name);
            let name = snake(&field.name);
            let ty = owned_type(field, rt);
            quote!(#[doc = #doc] #name: #ty)
        });
        quote!(#[doc = #doc] #variant { #(#fields,)* })
    });
    let serialize = serialize(vocabulary, rt);
    quote! {
        /// A token that owns what it holds.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Token {
            /// Character tokens that follow each other.
            Characters(#rt::Text),
            #(#variants,)*
            /// The end-of-file token.
            EndOfFile,
        }
        #serialize
    }
}

/// What the runtime makes `Serialize`, where its feature `serde` is on.
fn serialize(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let variants = kinds(vocabulary).map(|(token, kind)| {
        let variant = variant(kind);
        if token.fields.is_empty() {
            return quote!(#variant);
        }
        let fields = token.fields.iter().map(|field| snake(&field.name));
        quote!(#variant { #(#fields),* })
    });
    let variants = iter::once(quote!(Characters(data)))
        .chain(variants)
        .chain(iter::once(quote!(EndOfFile)));
    let variants = variants.enumerate().map(|(index, variant)| {
        let index = Literal::usize_unsuffixed(index);
        quote!(#index #variant;)
    });
    quote!(#rt::__serialize! { Token: #(#variants)* })
}
