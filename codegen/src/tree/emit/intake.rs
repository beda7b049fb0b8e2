//! The builder as the sink of a tokenizer whose vocabulary is its own.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::machine::{END_OF_FILE, Part};
use super::printer::Printer;
use crate::emit::names::snake;
use crate::emit::{method, question_method, type_names};
use crate::machine::{FieldType, Vocabulary};

impl Printer<'_> {
    /// What takes the tokens and answers the questions of a vocabulary.
    pub(super) fn intake(&self, vocabulary: &Vocabulary, runtime: &TokenStream) -> TokenStream {
        let tokens = vocabulary.tokens.iter();
        let kinds = tokens.flat_map(|token| token.kinds.iter().map(move |kind| (token, kind)));
        let has_start_tags = kinds.clone().any(|(_, kind)| kind.is_start_tag);
        let feedback = has_start_tags.then(|| {
            quote!(
                const FEEDBACK: bool = false;
            )
        });
        let methods = kinds.zip(END_OF_FILE + 1..).map(|((token, kind), number)| {
            let known = &self.machine.kinds[number];
            if [Part::Name, Part::Data]
                .map(|it| known.field(it))
                .iter()
                .all(Option::is_some)
            {
                self.refuse(&format!("tokens with a name and data: {:?}", kind.name));
            }
            let parts = Part::ALL.map(|part| {
                let field = token.fields.get(known.field(part)?)?;
                let (to, from) = (snake(part.as_str()), snake(&field.name));
                Some(match field.ty {
                    FieldType::Text => quote!(#to: Some(token.#from)),
                    FieldType::Attributes => quote!(#to: Some(&token.#from)),
                    FieldType::OptionalText | FieldType::Flag => quote!(#to: token.#from),
                })
            });
            let parts = parts.into_iter().flatten();
            let of = self.kind(number);
            let take = quote!(self.take(Parts { #(#parts,)* ..Parts::of(#of) }, span));
            let (answer, take) = match kind.answers {
                false => (None, quote!(#take;)),
                true => (
                    Some(quote!(-> tokenizer::Answer)),
                    quote! {
                        match #take {
                            (true, _) => tokenizer::Answer::Pause,
                            (_, Some(content)) => tokenizer::Answer::Switch(content),
                            (_, None) => tokenizer::Answer::Continue,
                        }
                    },
                ),
            };
            let view = &type_names(token)[0];
            let parameter =
                (!token.fields.is_empty()).then(|| quote!(token: &tokenizer::#view<'_>,));
            let name = method(kind);
            quote!(fn #name(&mut self, #parameter span: #runtime::Span) #answer { #take })
        });
        let questions = vocabulary.questions.iter().map(|question| {
            let name = question_method(vocabulary, question);
            let conditions = self.machine.conditions.iter().zip(&self.idents.conditions);
            let answer = conditions.into_iter().find(|(it, _)| it.name == *question);
            let answer = answer.map_or_else(
                || quote!(false),
                |(_, condition)| quote!(#condition(self, &mut Token::none())),
            );
            quote!(fn #name(&mut self) -> bool { #answer })
        });
        let host = &self.hosts.bound;
        quote! {
            impl<S: #host> tokenizer::Sink for Builder<S> {
                const ERRORS: bool = S::ERRORS;
                // So each character has a place.
                const ERRORS_IN_ORDER: bool = true;
                const NULLS_ALONE: bool = true;
                #feedback

                fn characters(&mut self, data: &str, span: #runtime::Span) {
                    self.take_characters(data, span);
                }

                #(#methods)*

                fn end_of_file(&mut self, at: u64) {
                    self.take_end_of_file(at);
                }

                fn error(&mut self, error: #runtime::ParseError) {
                    self.sink.tokenizer_error(error);
                }

                #(#questions)*
            }
        }
    }
}
