//! Owned tokens.

use std::iter;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{kinds, method, variant, view_name};
use crate::emit::names::snake;
use crate::machine::{Field, FieldType, Kind, Token, Vocabulary};

fn owned_type(field: &Field, rt: &TokenStream) -> TokenStream {
    match field.ty {
        FieldType::Text => quote!(#rt::Text),
        FieldType::OptionalText => quote!(::core::option::Option<#rt::Text>),
        FieldType::Flag => quote!(bool),
        FieldType::Attributes => quote!(#rt::OwnedAttributes),
    }
}

/// How many bytes of characters a token has room for: as many as the fields of another kind take (but one byte for their
/// length and one for what they are), so that it makes no token larger. Not more than 255, of which a length is one byte.
fn room(vocabulary: &Vocabulary) -> Literal {
    // What the runtime's tests say these take, flags being beside them.
    let size = |field: &Field| match field.ty {
        FieldType::Text | FieldType::OptionalText => 24,
        FieldType::Attributes => 48,
        FieldType::Flag => 0,
    };
    let sizes = kinds(vocabulary).map(|(token, _)| token.fields.iter().map(size).sum());
    Literal::usize_unsuffixed(sizes.fold(24, usize::max).min(256) - 2)
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
    let (room, serialize) = (room(vocabulary), serialize(vocabulary, rt));
    let made = kinds(vocabulary).map(|(token, kind)| made(token, kind, rt));
    quote! {
        /// A token that owns what it holds.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Token {
            /// Character tokens that follow each other.
            Characters(#rt::InlineText<#room>),
            #(#variants,)*
            /// The end-of-file token.
            EndOfFile,
        }
        #serialize

        // Characters are copied to where a token stays. Before that it is empty, a constant: what has just been
        // written piece by piece is slow to move.
        impl Token {
            const fn empty_characters() -> Self {
                Self::Characters(#rt::InlineText::new())
            }

            #(#made)*
        }
    }
}

/// The function that makes a token of this kind that has nothing yet, if it has fields.
pub(super) fn empty(kind: &Kind) -> Ident {
    format_ident!("empty_{}", method(kind))
}

/// The function that gives it what a sink gets.
pub(super) fn fill(kind: &Kind) -> Ident {
    format_ident!("fill_{}", method(kind))
}

/// Both.
fn made(token: &Token, kind: &Kind, rt: &TokenStream) -> TokenStream {
    if token.fields.is_empty() {
        return TokenStream::new();
    }
    let (empty, fill) = (empty(kind), fill(kind));
    let (variant, view) = (variant(kind), view_name(token));
    let fields = token.fields.iter().enumerate();
    let (nothing, (bound, fills)): (Vec<_>, (Vec<_>, Vec<_>)) = fields
        .map(|(i, field)| {
            let (name, to) = (snake(&field.name), format_ident!("to_{i}"));
            let (nothing, fill) = match field.ty {
                FieldType::Text => (quote!(#rt::Text::new()), quote!(#to.set(token.#name))),
                FieldType::OptionalText => (
                    quote!(::core::option::Option::None),
                    quote!(*#to = token.#name.map(#rt::Text::from)),
                ),
                FieldType::Flag => (quote!(false), quote!(*#to = token.#name)),
                FieldType::Attributes => (
                    quote!(#rt::OwnedAttributes::new()),
                    quote!(#to.fill(token.#name)),
                ),
            };
            (quote!(#name: #nothing), (quote!(#name: #to), fill))
        })
        .unzip();
    quote! {
        const fn #empty() -> Self {
            Self::#variant { #(#nothing,)* }
        }

        #[inline(always)]
        fn #fill(&mut self, token: &#view<'_>) {
            if let Self::#variant { #(#bound,)* } = self {
                #(#fills;)*
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The room in a vocabulary with one token for each list of fields.
    fn room_with(tokens: &[&[FieldType]]) -> String {
        let token = |fields: &&[FieldType]| Token {
            name: String::from("token"),
            kinds: vec![Kind {
                name: String::from("token"),
                answers: false,
                is_start_tag: false,
            }],
            fields: fields
                .iter()
                .map(|ty| Field {
                    name: String::from("field"),
                    ty: *ty,
                })
                .collect(),
        };
        let vocabulary = Vocabulary {
            shared: None,
            tokens: tokens.iter().map(token).collect(),
            contents: Vec::new(),
            questions: Vec::new(),
        };
        room(&vocabulary).to_string()
    }

    #[test]
    fn characters_have_the_room_of_the_largest_token() {
        use FieldType::{Attributes, Flag, OptionalText, Text};
        assert_eq!(room_with(&[]), "22");
        assert_eq!(room_with(&[&[Flag, Flag]]), "22");
        assert_eq!(room_with(&[&[Text], &[Flag]]), "22");
        assert_eq!(room_with(&[&[Text], &[Text, OptionalText, Flag]]), "46");
        assert_eq!(room_with(&[&[Text, Attributes, Flag], &[Text, Text]]), "70");
        assert_eq!(room_with(&[&[Text; 20]]), "254");
    }
}
