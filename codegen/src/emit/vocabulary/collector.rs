//! The sink that makes owned tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::owned::{empty, fill};
use super::{kinds, method, variant, view_name};
use crate::machine::Vocabulary;

/// The sink that makes owned tokens.
pub(super) fn collector(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let kinds = kinds(vocabulary).map(|(token, kind)| {
        let (name, variant) = (method(kind), variant(kind));
        let returns = kind.answers.then(|| quote!(-> Answer));
        let answer = kind.answers.then(|| quote!(Answer::Continue));
        if token.fields.is_empty() {
            return quote! {
                fn #name(&mut self, span: #rt::Span) #returns {
                    self.push(|| (Token::#variant, #rt::rt::NOWHERE), span);
                    #answer
                }
            };
        }
        let (view, empty, fill) = (view_name(token), empty(kind), fill(kind));
        quote! {
            #[inline]
            fn #name(&mut self, token: &#view<'_>, span: #rt::Span) #returns {
                let empty = || const { (Token::#empty(), #rt::rt::NOWHERE) };
                if let ::core::option::Option::Some(new) = self.push(empty, span) {
                    new.#fill(token);
                }
                #answer
            }
        }
    });
    quote! {
        /// A sink that makes owned tokens, with adjacent characters joined, and keeps errors.
        #[derive(Debug, Default)]
        pub struct Collector<const ERRORS: bool = false> {
            /// The tokens so far, with their spans.
            pub tokens: #rt::rt::Vec<(Token, #rt::Span)>,
            /// The errors so far, in the order of reporting.
            pub errors: #rt::rt::Vec<#rt::ParseError>,
        }

        impl<const ERRORS: bool> Collector<ERRORS> {
            // Called first of all, with nothing to be done after it: no register must be saved for it.
            #[cold]
            #[inline(never)]
            fn characters_with_room(&mut self, data: &str, span: #rt::Span) {
                self.tokens.reserve(1);
                self.characters(data, span);
            }

            #[inline(always)]
            fn push(
                &mut self,
                empty: impl ::core::ops::FnOnce() -> (Token, #rt::Span),
                span: #rt::Span,
            ) -> ::core::option::Option<&mut Token> {
                self.tokens.extend(::core::iter::once_with(empty));
                let (token, place) = self.tokens.last_mut()?;
                *place = span;
                ::core::option::Option::Some(token)
            }
        }

        impl<const ERRORS: bool> Sink for Collector<ERRORS> {
            const ERRORS: bool = ERRORS;
            const INPUT_ERRORS: bool = ERRORS;

            fn characters(&mut self, data: &str, span: #rt::Span) {
                if self.tokens.len() == self.tokens.capacity() {
                    return self.characters_with_room(data, span);
                }
                if let ::core::option::Option::Some((Token::Characters(text), whole)) =
                    self.tokens.last_mut()
                {
                    whole.end = span.end;
                    text.push_str(data);
                } else if let ::core::option::Option::Some(Token::Characters(text)) =
                    self.push(|| const { (Token::empty_characters(), #rt::rt::NOWHERE) }, span)
                {
                    text.set(data);
                }
            }

            #(#kinds)*

            fn end_of_file(&mut self) {
                let end = self.tokens.last().map_or(0, |(_, span)| span.end);
                self.push(|| (Token::EndOfFile, #rt::rt::NOWHERE), #rt::Span { start: end, end });
            }

            fn error(&mut self, error: #rt::ParseError) {
                self.errors.push(error);
            }
        }

        impl<const ERRORS: bool> #rt::rt::Queue for Collector<ERRORS> {
            type Token = Token;

            fn tokens(&mut self) -> &mut #rt::rt::Vec<(Token, #rt::Span)> {
                &mut self.tokens
            }
        }
    }
}
