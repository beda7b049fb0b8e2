//! Owned tokens.

use std::iter;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{kinds, variant};
use crate::emit::names::{doc_line, snake};
use crate::machine::{Field, FieldType, Vocabulary};

fn owned_type(field: &Field, rt: &TokenStream) -> TokenStream {
    match field.ty {
        FieldType::Text => quote!(#rt::rt::Cow<'t, str>),
        FieldType::OptionalText => quote!(::core::option::Option<#rt::rt::Cow<'t, str>>),
        FieldType::Flag => quote!(bool),
        FieldType::Attributes => {
            quote!(#rt::rt::Vec<(#rt::rt::Cow<'t, str>, #rt::rt::Cow<'t, str>)>)
        }
    }
}

/// The enum of owned tokens.
pub(super) fn owned(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let variants = kinds(vocabulary).map(|(token, kind)| {
        let doc = doc_line(&format!(" The token \"{}\".", kind.name));
        let variant = variant(kind);
        if token.fields.is_empty() {
            return quote!(#[doc = #doc] #variant);
        }
        let fields = token.fields.iter().map(|field| {
            let doc = doc_line(&format!(" The {}.", field.name));
            let name = snake(&field.name);
            let ty = owned_type(field, rt);
            quote!(#[doc = #doc] #name: #ty)
        });
        quote!(#[doc = #doc] #variant { #(#fields,)* })
    });
    let (into_owned, serialize) = (into_owned(vocabulary, rt), serialize(vocabulary, rt));
    quote! {
        /// A token with strings of its own or of the text.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Token<'t> {
            /// Character tokens that follow each other.
            Characters(#rt::rt::Cow<'t, str>),
            #(#variants,)*
            /// The end-of-file token.
            EndOfFile,
        }
        #into_owned
        #serialize
    }
}

fn into_owned(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let arms = kinds(vocabulary).map(|(token, kind)| {
        let variant = variant(kind);
        if token.fields.is_empty() {
            return quote!(Self::#variant => Token::#variant);
        }
        let names: Vec<_> = token.fields.iter().map(|f| snake(&f.name)).collect();
        let values = token.fields.iter().map(|field| {
            let name = snake(&field.name);
            match field.ty {
                FieldType::Text => quote!(#name: #rt::rt::own_string(#name)),
                FieldType::OptionalText => quote!(#name: #name.map(#rt::rt::own_string)),
                FieldType::Flag => quote!(#name),
                FieldType::Attributes => quote!(#name: #rt::rt::own_attributes(#name)),
            }
        });
        quote!(Self::#variant { #(#names),* } => Token::#variant { #(#values),* })
    });
    quote! {
        impl Token<'_> {
            /// The token with strings of its own.
            pub fn into_owned(self) -> Token<'static> {
                match self {
                    Self::Characters(data) => Token::Characters(#rt::rt::own_string(data)),
                    #(#arms,)*
                    Self::EndOfFile => Token::EndOfFile,
                }
            }
        }
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
