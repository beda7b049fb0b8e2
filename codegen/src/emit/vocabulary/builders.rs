//! Tokens under construction.

use proc_macro2::TokenStream;
use quote::quote;

use super::{COMMENT, builder_name, kind_enum, kind_field, view_name};
use crate::analyse::whole_tag::has_one_text;
use crate::emit::names::{doc_line, pascal, snake};
use crate::machine::{Field, FieldType, Token, Vocabulary};

/// A struct for each token that is built, and one with all of these.
pub(super) fn builders(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let builders = vocabulary.tokens.iter().map(|t| builder(t, rt));
    let tokens = tokens(vocabulary);
    quote! { #(#builders)* #tokens }
}

fn builder(token: &Token, rt: &TokenStream) -> TokenStream {
    if token.fields.is_empty() && token.kinds.len() == 1 {
        return TokenStream::new();
    }
    let (name, view_ty) = (builder_name(token), view_name(token));
    let doc = doc_line(&format!(" A {} token under construction.", token.name));
    let kinds = (token.kinds.len() > 1).then(|| {
        let kind = kind_enum(token);
        let variants = token.kinds.iter().enumerate().map(|(i, k)| {
            let doc = doc_line(&format!(" The kind \"{}\".", k.name));
            let variant = pascal(&k.name);
            let default = (i == 0).then(|| quote!(#[default]));
            quote!(#[doc = #doc] #default #variant)
        });
        quote! {
            /// What the token will be emitted as.
            #[doc(hidden)]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub enum #kind { #(#variants,)* }
        }
    });
    let kind_field = (token.kinds.len() > 1).then(|| {
        let (name, kind) = (kind_field(token), kind_enum(token));
        quote!(pub #name: #kind,)
    });
    let fields = token.fields.iter().map(|field| {
        let name = snake(&field.name);
        let ty = match field.ty {
            FieldType::Text => quote!(#rt::rt::Buffer),
            FieldType::OptionalText => quote!(#rt::rt::OptionalBuffer),
            FieldType::Flag => quote!(bool),
            FieldType::Attributes => quote!(#rt::rt::AttributeList),
        };
        quote!(pub #name: #ty)
    });
    let clears = token.fields.iter().map(|field| {
        let name = snake(&field.name);
        match field.ty {
            FieldType::Text => quote!(self.#name.clear(at);),
            FieldType::OptionalText | FieldType::Attributes => quote!(self.#name.clear();),
            FieldType::Flag => quote!(self.#name = false;),
        }
    });
    let views = token.fields.iter().map(|field| {
        let name = snake(&field.name);
        match field.ty {
            FieldType::Text | FieldType::OptionalText => quote!(#name: self.#name.get(input)),
            FieldType::Flag => quote!(#name: self.#name),
            FieldType::Attributes => quote!(#name: self.#name.view(input)),
        }
    });
    let only_flags = token.fields.iter().all(|f| f.ty == FieldType::Flag);
    let marker = only_flags.then(|| quote!(_borrowed: ::core::marker::PhantomData,));
    let unused = only_flags.then(|| quote!(let _ = input;));
    let detaches: Vec<_> = token
        .fields
        .iter()
        .filter(|f| f.ty != FieldType::Flag)
        .map(|field| {
            let name = snake(&field.name);
            quote!(self.#name.detach(input, held);)
        })
        .collect();
    let limits = match token.name.as_str() {
        _ if has_attributes(token) => quote!(Tag),
        COMMENT => quote!(Comment),
        "DOCTYPE" => quote!(Doctype),
        _ => quote!(Other),
    };
    let detach = (!detaches.is_empty()).then(|| {
        quote! {
            /// Makes it independent of the input, which is about to go.
            pub fn detach(&mut self, input: #rt::rt::Input<'_>, held: &mut #rt::rt::Held) {
                held.start_token(#rt::rt::TokenKind::#limits);
                #(#detaches)*
                held.end_token();
            }
        }
    });
    let is_dropped = dropping_field(token).map(|field| {
        let name = snake(&field.name);
        quote! {
            /// Whether it is left out: it exceeds a limit, or the sink does not want it.
            pub fn is_dropped(&self) -> bool {
                self.#name.is_dropped()
            }
        }
    });
    let view = (!token.fields.is_empty()).then(|| {
        quote! {
            /// What a sink gets to see.
            #[inline(always)]
            pub fn view<'a>(&'a self, input: #rt::rt::Input<'a>) -> #view_ty<'a> {
                #unused
                #view_ty { #(#views,)* #marker }
            }
        }
    });
    let of_name = token.fields.iter().map(|field| {
        let name = snake(&field.name);
        match field.ty {
            FieldType::Text => quote!(#name: only),
            FieldType::OptionalText => quote!(#name: ::core::option::Option::None),
            FieldType::Flag => quote!(#name: false),
            FieldType::Attributes => quote!(#name: #rt::Attributes::NONE),
        }
    });
    let named = has_one_text(token).then(|| {
        quote! {
            /// What a sink gets to see of a token that has only a name.
            #[inline(always)]
            pub const fn named(only: &str) -> #view_ty<'_> {
                #view_ty { #(#of_name,)* }
            }
        }
    });
    quote! {
        #kinds

        #[doc = #doc]
        #[doc(hidden)]
        #[allow(missing_docs)]
        #[derive(Debug, Default)]
        pub struct #name { #kind_field #(#fields,)* }

        impl #name {
            /// Makes all fields what they are on creation; the next characters come from `at`.
            #[inline(always)]
            pub fn create(&mut self, at: usize) {
                let _ = at;
                #(#clears)*
            }

            #view
            #named
            #is_dropped
            #detach
        }
    }
}

fn has_attributes(token: &Token) -> bool {
    token.fields.iter().any(|f| f.ty == FieldType::Attributes)
}

/// The field that says whether the token is dropped. One with attributes never is.
pub(crate) fn dropping_field(token: &Token) -> Option<&Field> {
    let is_text = |f: &&Field| matches!(f.ty, FieldType::Text | FieldType::OptionalText);
    let field = token.fields.iter().find(is_text);
    field.filter(|_| !has_attributes(token))
}

/// Whether the token needs a place to be built in.
pub(crate) fn is_built(token: &Token) -> bool {
    !token.fields.is_empty() || token.kinds.len() > 1
}

fn tokens(vocabulary: &Vocabulary) -> TokenStream {
    let built: Vec<_> = vocabulary.tokens.iter().filter(|t| is_built(t)).collect();
    let fields = built.iter().map(|token| {
        let (name, ty) = (snake(&token.name), builder_name(token));
        quote!(pub #name: #ty)
    });
    let resets = built.iter().map(|token| {
        let name = snake(&token.name);
        let kind = (token.kinds.len() > 1).then(|| {
            let field = kind_field(token);
            quote!(self.#name.#field = ::core::default::Default::default();)
        });
        quote!(self.#name.create(0); #kind)
    });
    quote! {
        /// The tokens under construction.
        #[doc(hidden)]
        #[allow(missing_docs)]
        #[derive(Debug, Default)]
        pub struct Tokens { #(#fields,)* }

        impl Tokens {
            /// Makes all of them what they are at first. What was allocated is kept.
            pub fn reset(&mut self) { #(#resets)* }
        }
    }
}
