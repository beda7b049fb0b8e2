//! The sink that hands owned tokens on, one by one.

use proc_macro2::TokenStream;
use quote::quote;

use super::owned::{empty, fill};
use super::{has_answers, kinds, method, question_method, variant, view_name};
use crate::machine::Vocabulary;

/// The trait of what takes owned tokens, and the sink that makes them for it.
pub(super) fn each(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let token_sink = token_sink(vocabulary, rt);
    let sink = sink(vocabulary, rt);
    let output = has_answers(vocabulary).then(|| quote!(-> Answer));
    quote! {
        #token_sink

        /// A sink that makes owned tokens, with adjacent characters joined, and hands each on when it is complete. A
        /// [`Collector`] keeps them in a list and takes longer; a [`Batch`] keeps many together and takes less.
        #[derive(Debug)]
        pub struct Each<T> {
            /// What takes them.
            pub sink: T,
            /// Characters that others may join, if there are any.
            characters: Token,
            has_characters: bool,
            /// Theirs, or that of the last token.
            span: #rt::Span,
        }

        impl<T> Each<T> {
            /// Before the first token.
            pub const fn new(sink: T) -> Self {
                Self {
                    sink,
                    characters: Token::empty_characters(),
                    has_characters: false,
                    span: #rt::rt::NOWHERE,
                }
            }
        }

        impl<T: ::core::default::Default> ::core::default::Default for Each<T> {
            fn default() -> Self {
                Self::new(T::default())
            }
        }

        impl<T: TokenSink> Each<T> {
            #[inline(always)]
            fn hand_on(&mut self, token: &mut Token, span: #rt::Span) #output {
                self.hand_on_characters();
                self.span = span;
                self.sink.token(token, span)
            }

            /// Characters, where the token was kept that had characters before.
            #[cold]
            fn characters_anew(&mut self, data: &str, span: #rt::Span) {
                self.characters = Token::empty_characters();
                self.characters(data, span);
            }

            #[inline(always)]
            fn hand_on_characters(&mut self) {
                if self.has_characters {
                    self.has_characters = false;
                    self.sink.token(&mut self.characters, self.span);
                }
            }
        }

        #sink
    }
}

fn token_sink(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let answers = has_answers(vocabulary);
    let output = answers.then(|| quote!(-> Answer));
    let asked = answers.then(|| {
        quote! {
            ///
            /// Only to tokens that a [`Sink`] answers does the answer count.
        }
    });
    let questions = vocabulary.questions.iter().map(|question| {
        let doc = format!(" The answer to the question whether {question}.");
        let name = question_method(vocabulary, question);
        quote! {
            #[doc = #doc]
            fn #name(&mut self) -> bool { false }
        }
    });
    quote! {
        /// Where [`Each`] hands owned tokens: a function of a token and its span, or what implements this by itself.
        pub trait TokenSink {
            /// As for a [`Sink`].
            const ERRORS: bool = false;
            /// As for a [`Sink`].
            const INPUT_ERRORS: bool = false;

            /// A token, at the place where it was made: what has just been written piece by piece is slow to move. To keep
            /// it, put another there: `core::mem::replace(token, Token::EndOfFile)`.
            #asked
            fn token(&mut self, token: &mut Token, span: #rt::Span) #output;

            /// A parse error.
            fn error(&mut self, error: #rt::ParseError) { let _ = error; }

            #(#questions)*
        }

        impl<F: ::core::ops::FnMut(&mut Token, #rt::Span) #output> TokenSink for F {
            #[inline]
            fn token(&mut self, token: &mut Token, span: #rt::Span) #output {
                self(token, span)
            }
        }
    }
}

fn sink(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let kinds = kinds(vocabulary).map(|(token, kind)| {
        let (name, variant) = (method(kind), variant(kind));
        let returns = kind.answers.then(|| quote!(-> Answer));
        let end = (!kind.answers).then(|| quote!(;));
        if token.fields.is_empty() {
            return quote! {
                fn #name(&mut self, span: #rt::Span) #returns {
                    self.hand_on(&mut Token::#variant, span) #end
                }
            };
        }
        let (view, empty, fill) = (view_name(token), empty(kind), fill(kind));
        quote! {
            #[inline]
            fn #name(&mut self, token: &#view<'_>, span: #rt::Span) #returns {
                let mut new = const { Token::#empty() };
                new.#fill(token);
                self.hand_on(&mut new, span) #end
            }
        }
    });
    let questions = vocabulary.questions.iter().map(|question| {
        let name = question_method(vocabulary, question);
        quote! {
            fn #name(&mut self) -> bool { self.sink.#name() }
        }
    });
    quote! {
        impl<T: TokenSink> Sink for Each<T> {
            const ERRORS: bool = T::ERRORS;
            const INPUT_ERRORS: bool = T::INPUT_ERRORS;

            fn characters(&mut self, data: &str, span: #rt::Span) {
                let Token::Characters(text) = &mut self.characters else {
                    return self.characters_anew(data, span);
                };
                if self.has_characters {
                    text.push_str(data);
                } else {
                    self.has_characters = true;
                    self.span.start = span.start;
                    text.set(data);
                }
                self.span.end = span.end;
            }

            #(#kinds)*

            fn end_of_file(&mut self) {
                self.hand_on_characters();
                let end = self.span.end;
                self.hand_on(&mut Token::EndOfFile, #rt::Span { start: end, end });
            }

            fn error(&mut self, error: #rt::ParseError) {
                self.sink.error(error);
            }

            #(#questions)*
        }
    }
}
