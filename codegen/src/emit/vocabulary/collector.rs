//! The sink that keeps tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::{kinds, method, variant, view_name};
use crate::emit::names::{behind, snake};
use crate::machine::{FieldType, Vocabulary};

/// The sink that keeps tokens, of the caller and of the iterator.
pub(super) fn collector(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let kinds = kinds(vocabulary).map(|(token, kind)| {
        let (method, variant) = (method(kind), variant(kind));
        let returns = kind.answers.then(|| quote!(-> Answer));
        let answer = kind.answers.then(|| quote!(Answer::Continue));
        if token.fields.is_empty() {
            return quote! {
                fn #method(&mut self, span: #rt::Span) #returns {
                    self.push(|| Token::#variant, span);
                    #answer
                }
            };
        }
        let view = view_name(token);
        // Not the fields' own names, which may be those of the arguments.
        let names: Vec<_> = token.fields.iter().map(|f| snake(&f.name)).collect();
        let own: Vec<_> = names.iter().map(|name| behind("own", name)).collect();
        let values = token
            .fields
            .iter()
            .zip(&names)
            .map(|(field, name)| match field.ty {
                FieldType::Text => quote!(#rt::rt::Collector::string(self, token.#name)),
                FieldType::OptionalText => {
                    quote!(token.#name.map(|text| #rt::rt::Collector::string(self, text)))
                }
                FieldType::Flag => quote!(token.#name),
                FieldType::Attributes => quote!(#rt::rt::Collector::attributes(self, token.#name)),
            });
        quote! {
            #[inline]
            fn #method(&mut self, token: &#view<'_>, span: #rt::Span) #returns {
                #(let #own = #values;)*
                self.push(|| Token::#variant { #(#names: #own,)* }, span);
                #answer
            }
        }
    });
    quote! {
        /// A sink that keeps tokens with strings of their own, with adjacent characters joined, and errors.
        pub type Collector<const ERRORS: bool = false> =
            #rt::rt::Collector<Token<'static>, #rt::rt::Copied, ERRORS>;

        impl<'t, S: #rt::rt::Source<'t>, const ERRORS: bool> Sink
            for #rt::rt::Collector<Token<'t>, S, ERRORS>
        {
            const ERRORS: bool = ERRORS;
            const INPUT_ERRORS: bool = ERRORS;

            fn exceeded(&mut self, exceeded: #rt::Exceeded) {
                self.exceeded.push(exceeded);
            }

            fn characters(&mut self, data: &str, span: #rt::Span) {
                self.push_characters(data, span, Token::Characters, |token| match token {
                    Token::Characters(text) => ::core::option::Option::Some(text),
                    _ => ::core::option::Option::None,
                });
            }

            #(#kinds)*

            fn end_of_file(&mut self, at: u64) {
                self.push(|| Token::EndOfFile, #rt::Span { start: at, end: at });
            }

            fn error(&mut self, error: #rt::ParseError) {
                self.errors.push(error);
            }
        }
    }
}
