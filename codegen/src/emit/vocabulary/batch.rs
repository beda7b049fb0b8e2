//! The sink that keeps many owned tokens together, and what reading it yields.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{kinds, method, variant, view_name};
use crate::emit::names::snake;
use crate::machine::{Field, FieldType, Token, Vocabulary};

/// The sink, its kinds of tokens, and the enum of tokens borrowed from it.
pub(super) fn batch(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let views = views(vocabulary);
    let kinds = kind_enum(vocabulary, rt);
    let sink = sink(vocabulary, rt);
    quote! {
        #views
        #kinds

        /// A sink that keeps many tokens together, with adjacent characters joined: all characters in one string.
        /// Reading it yields [`TokenView`]s.
        pub type Batch<const ERRORS: bool = false> = #rt::Batch<BatchKind, ERRORS>;

        #sink
    }
}

/// The field that is recorded with the token: a text.
fn first(token: &Token) -> Option<&Field> {
    token.fields.iter().find(|f| f.ty == FieldType::Text)
}

/// The attributes.
fn attributes(token: &Token) -> Option<&Field> {
    token.fields.iter().find(|f| f.ty == FieldType::Attributes)
}

/// The fields that are recorded after it.
fn further(token: &Token) -> impl Iterator<Item = &Field> {
    let first = first(token).map(|f| &f.name);
    token.fields.iter().filter(move |f| match f.ty {
        FieldType::Text => Some(&f.name) != first,
        FieldType::OptionalText => true,
        FieldType::Flag | FieldType::Attributes => false,
    })
}

fn flags(token: &Token) -> impl Iterator<Item = Ident> {
    let flags = token.fields.iter().filter(|f| f.ty == FieldType::Flag);
    flags.map(|f| snake(&f.name))
}

fn views(vocabulary: &Vocabulary) -> TokenStream {
    let variants = kinds(vocabulary).map(|(token, kind)| {
        let doc = format!(" The token \"{}\".", kind.name);
        let variant = variant(kind);
        let view = (!token.fields.is_empty()).then(|| {
            let view = view_name(token);
            quote!((#view<'a>))
        });
        quote!(#[doc = #doc] #variant #view)
    });
    let owned = kinds(vocabulary).map(|(token, kind)| {
        let variant = variant(kind);
        if token.fields.is_empty() {
            return quote!(TokenView::#variant => Self::#variant);
        }
        let fields = token.fields.iter().map(|field| {
            let name = snake(&field.name);
            match field.ty {
                FieldType::Text | FieldType::Attributes => quote!(#name: token.#name.into()),
                FieldType::OptionalText => {
                    quote!(#name: token.#name.map(::core::convert::Into::into))
                }
                FieldType::Flag => quote!(#name: token.#name),
            }
        });
        quote!(TokenView::#variant(token) => Self::#variant { #(#fields),* })
    });
    quote! {
        /// A token that is borrowed from a [`Batch`].
        #[derive(Clone, Copy, Debug)]
        pub enum TokenView<'a> {
            /// Character tokens that follow each other.
            Characters(&'a str),
            #(#variants,)*
            /// The end-of-file token.
            EndOfFile,
        }

        impl ::core::convert::From<TokenView<'_>> for Token {
            fn from(token: TokenView<'_>) -> Self {
                match token {
                    TokenView::Characters(data) => Self::Characters(data.into()),
                    #(#owned,)*
                    TokenView::EndOfFile => Self::EndOfFile,
                }
            }
        }
    }
}

/// The kinds with their flags, and how the tokens are made of them.
fn kind_enum(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let variants = kinds(vocabulary).map(|(token, kind)| {
        let variant = variant(kind);
        let flags = flags(token).map(|flag| quote!(#flag: bool));
        quote!(#variant { #(#flags),* })
    });
    let views = vocabulary.tokens.iter().map(view);
    quote! {
        /// The kinds of the tokens in a [`Batch`], with their flags.
        #[doc(hidden)]
        #[allow(missing_docs)]
        #[derive(Clone, Copy, Debug)]
        pub enum BatchKind { Characters, #(#variants,)* EndOfFile }

        impl #rt::rt::BatchKind for BatchKind {
            type View<'a> = TokenView<'a>;
            const CHARACTERS: Self = Self::Characters;
            const END_OF_FILE: Self = Self::EndOfFile;

            #[inline(always)]
            fn is_characters(self) -> bool {
                ::core::matches!(self, Self::Characters)
            }

            #[inline(always)]
            fn view(self, recorded: #rt::rt::Recorded<'_>) -> TokenView<'_> {
                match self {
                    Self::Characters => TokenView::Characters(recorded.first()),
                    #(#views,)*
                    Self::EndOfFile => TokenView::EndOfFile,
                }
            }
        }
    }
}

/// The arm for the token's kinds, which have the strings at the same places.
fn view(token: &Token) -> TokenStream {
    let variants: Vec<_> = token.kinds.iter().map(variant).collect();
    if token.fields.is_empty() {
        return quote!(#(Self::#variants {} => TokenView::#variants),*);
    }
    let flags: Vec<_> = flags(token).collect();
    let first = first(token).map(|first| {
        let name = snake(&first.name);
        quote!(#name: recorded.first(),)
    });
    let attributes = attributes(token).map(|field| {
        let name = snake(&field.name);
        quote!(#name: recorded.attributes(),)
    });
    // Those of a token with attributes come after one for them.
    let before = usize::from(token.fields.iter().any(|f| f.ty == FieldType::Attributes));
    let further = (before..).zip(further(token)).map(|(index, field)| {
        let name = snake(&field.name);
        let index = Literal::usize_unsuffixed(index);
        match field.ty {
            FieldType::OptionalText => quote!(#name: recorded.field(#index),),
            _ => quote!(#name: recorded.field(#index).unwrap_or_default(),),
        }
    });
    let only_flags = token.fields.iter().all(|f| f.ty == FieldType::Flag);
    let marker = only_flags.then(|| quote!(_borrowed: ::core::marker::PhantomData,));
    let view = view_name(token);
    let view = quote!(#view { #(#flags,)* #first #attributes #(#further)* #marker });
    let of_kind = variants.iter().map(|v| quote!(Self::#v { #(#flags),* }));
    let of_kind = quote!(#(#of_kind)|*);
    match variants.as_slice() {
        [variant] => quote!(#of_kind => TokenView::#variant(#view)),
        [variants @ .., last] => quote! {
            #of_kind => {
                let token = #view;
                match self {
                    #(Self::#variants { .. } => TokenView::#variants(token),)*
                    _ => TokenView::#last(token),
                }
            }
        },
        [] => TokenStream::new(),
    }
}

fn sink(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let methods = kinds(vocabulary).map(|(token, kind)| {
        let (name, variant) = (method(kind), variant(kind));
        let returns = kind.answers.then(|| quote!(-> Answer));
        let answer = kind.answers.then(|| quote!(Answer::Continue));
        let parameter = (!token.fields.is_empty()).then(|| {
            let view = view_name(token);
            quote!(token: &#view<'_>,)
        });
        let flags = flags(token).map(|flag| quote!(#flag: token.#flag));
        let kind = quote!(BatchKind::#variant { #(#flags),* });
        let first = first(token).map_or_else(
            || quote!(""),
            |first| {
                let name = snake(&first.name);
                quote!(token.#name)
            },
        );
        let record = match attributes(token) {
            Some(attributes) => {
                let attributes = snake(&attributes.name);
                let more = further(token).next().is_some();
                quote!(self.store().tag::<#more>(#kind, span, #first, &token.#attributes);)
            }
            None => quote!(self.store().token(#kind, span, #first);),
        };
        let further = further(token).map(|field| {
            let name = snake(&field.name);
            match field.ty {
                FieldType::OptionalText => quote!(self.store().field(token.#name);),
                _ => quote!(self.store().field(::core::option::Option::Some(token.#name));),
            }
        });
        quote! {
            #[inline]
            fn #name(&mut self, #parameter span: #rt::Span) #returns {
                #record
                #(#further)*
                #answer
            }
        }
    });
    quote! {
        impl<const ERRORS: bool> Sink for #rt::Batch<BatchKind, ERRORS> {
            const ERRORS: bool = ERRORS;
            const INPUT_ERRORS: bool = ERRORS;

            fn input(&mut self, text: &str) {
                self.store().input(text);
            }

            fn characters(&mut self, data: &str, span: #rt::Span) {
                self.store().characters(data, span);
            }

            #(#methods)*

            fn end_of_file(&mut self) {
                self.store().end_of_file();
            }

            fn error(&mut self, error: #rt::ParseError) {
                self.errors.push(error);
            }
        }
    }
}
