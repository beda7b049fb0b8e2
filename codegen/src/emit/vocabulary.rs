//! From a vocabulary: the sink trait, the views it gets, owned tokens, and tokens under construction.

use std::iter;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{RESERVED_TYPES, pascal, snake};
use crate::machine::{Field, FieldType, Kind, Token, Vocabulary};

/// The Rust items of a vocabulary. `rt` is the path of the runtime.
pub(crate) fn vocabulary(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let contents = contents(vocabulary, rt);
    let sink = sink(vocabulary, rt);
    let views = vocabulary.tokens.iter().map(|t| view(t, rt));
    let owned = owned(vocabulary, rt);
    let collector = collector(vocabulary, rt);
    let builders = vocabulary.tokens.iter().map(|t| builder(t, rt));
    let tokens = tokens(vocabulary);
    quote! { #contents #sink #(#views)* #owned #collector #(#builders)* #tokens }
}

/// Whether a sink's answer to any token matters.
pub(crate) fn has_answers(vocabulary: &Vocabulary) -> bool {
    kinds(vocabulary).any(|(_, kind)| kind.answers)
}

fn kinds(vocabulary: &Vocabulary) -> impl Iterator<Item = (&Token, &Kind)> {
    vocabulary
        .tokens
        .iter()
        .flat_map(|token| token.kinds.iter().map(move |kind| (token, kind)))
}

/// The name of the struct that a sink gets for a token.
fn view_name(token: &Token) -> Ident {
    unless_reserved(pascal(&token.name), &RESERVED_TYPES, "Token")
}

pub(crate) fn kind_enum(token: &Token) -> Ident {
    format_ident!("{}Kind", view_name(token))
}

fn builder_name(token: &Token) -> Ident {
    format_ident!("{}UnderConstruction", view_name(token))
}

/// The types that a token may have.
pub(crate) fn type_names(token: &Token) -> [Ident; 3] {
    [view_name(token), kind_enum(token), builder_name(token)]
}

/// The sink's method for a kind.
pub(crate) fn method(kind: &Kind) -> Ident {
    let others = ["characters", "end_of_file", "error"];
    unless_reserved(snake(&kind.name), &others, "_token")
}

/// The sink's method for a question.
pub(crate) fn question_method(vocabulary: &Vocabulary, question: &str) -> Ident {
    let name = snake(question);
    if kinds(vocabulary).any(|(_, kind)| method(kind) == name) {
        format_ident!("whether_{name}")
    } else {
        name
    }
}

/// The place in which a token under construction has its kind.
pub(crate) fn kind_field(token: &Token) -> Ident {
    let taken = token.fields.iter().any(|f| snake(&f.name) == "kind");
    format_ident!("{}", if taken { "kind_" } else { "kind" })
}

/// The kind's variant among owned tokens.
fn variant(kind: &Kind) -> Ident {
    let others = ["Characters", "EndOfFile"];
    unless_reserved(pascal(&kind.name), &others, "Token")
}

/// A name, made longer where the generated code has it for something else.
fn unless_reserved(name: Ident, reserved: &[&str], suffix: &str) -> Ident {
    if reserved.iter().any(|taken| name == taken) {
        format_ident!("{name}{suffix}")
    } else {
        name
    }
}

fn contents(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let variants = vocabulary.contents.iter().map(|name| {
        let variant = pascal(name);
        let doc = format!(" What the text calls {name}.");
        quote!(#[doc = #doc] #variant)
    });
    let names = vocabulary.contents.iter().map(|name| {
        let variant = pascal(name);
        quote!(Self::#variant => #name)
    });
    let from = vocabulary.contents.iter().map(|name| {
        let variant = pascal(name);
        quote!(#name => Self::#variant)
    });
    let answer = has_answers(vocabulary).then(|| {
        quote! {
            /// A sink's answer to a token: how the tokenizer goes on.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub enum Answer {
                /// As the table says.
                #[default]
                Continue,
                /// In the state for this content.
                Switch(Content),
                /// As the table says, but not before the caller resumes.
                Pause,
            }

            impl Answer {
                /// The later answer, unless it is to continue.
                #[doc(hidden)]
                #[must_use]
                pub const fn or(self, later: Self) -> Self {
                    match later {
                        Self::Continue => self,
                        _ => later,
                    }
                }
            }
        }
    });
    quote! {
        /// Contents that the outside may start in or switch to, whatever the states are called.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Content { #(#variants,)* }

        impl Content {
            /// The content's name in tables.
            pub const fn as_str(self) -> &'static str {
                match self { #(#names,)* }
            }
        }

        impl ::core::str::FromStr for Content {
            type Err = #rt::UnknownContent;

            fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                ::core::result::Result::Ok(match name {
                    #(#from,)*
                    _ => return ::core::result::Result::Err(#rt::UnknownContent),
                })
            }
        }

        #answer
    }
}

fn sink(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let kinds = kinds(vocabulary).map(|(token, kind)| {
        let doc = format!(" The token \"{}\".", kind.name);
        let name = method(kind);
        let parameter = (!token.fields.is_empty()).then(|| {
            let view = view_name(token);
            quote!(token: &#view<'_>,)
        });
        let used = (!token.fields.is_empty()).then(|| quote!(let _ = token;));
        if kind.answers {
            quote! {
                #[doc = #doc]
                fn #name(&mut self, #parameter span: #rt::Span) -> Answer {
                    #used
                    let _ = span;
                    Answer::Continue
                }
            }
        } else {
            quote! {
                #[doc = #doc]
                fn #name(&mut self, #parameter span: #rt::Span) { #used let _ = span; }
            }
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
        /// Where tokens go. Every method has a default that does nothing.
        pub trait Sink {
            /// Whether parse errors are reported. Off, they cost nothing.
            const ERRORS: bool = false;
            /// Whether errors of the input stream itself (control characters and the like) are
            /// reported. They cost a pass over the input.
            const INPUT_ERRORS: bool = false;

            /// Character tokens, in pieces: only their concatenation means something.
            fn characters(&mut self, data: &str, span: #rt::Span) { let _ = (data, span); }

            #(#kinds)*

            /// The end-of-file token.
            fn end_of_file(&mut self) {}

            /// A parse error.
            fn error(&mut self, error: #rt::ParseError) { let _ = error; }

            #(#questions)*
        }

        /// The events of a sink that do not depend on the vocabulary.
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct Events<S>(pub S);

        impl<S: Sink> #rt::rt::Events for Events<S> {
            const ERRORS: bool = S::ERRORS;
            const INPUT_ERRORS: bool = S::INPUT_ERRORS;
            #[inline(always)]
            fn characters(&mut self, data: &str, span: #rt::Span) {
                self.0.characters(data, span);
            }
            #[inline(always)]
            fn error(&mut self, error: #rt::ParseError) {
                self.0.error(error);
            }
            #[inline(always)]
            fn end_of_file(&mut self) {
                self.0.end_of_file();
            }
        }
    }
}

fn view(token: &Token, rt: &TokenStream) -> TokenStream {
    if token.fields.is_empty() {
        return TokenStream::new();
    }
    let name = view_name(token);
    let doc = format!(" A {} token, borrowed from the tokenizer.", token.name);
    let fields = token.fields.iter().map(|field| {
        let doc = format!(" The {}.", field.name);
        let name = snake(&field.name);
        let ty = match field.ty {
            FieldType::Text => quote!(&'a str),
            FieldType::OptionalText => quote!(::core::option::Option<&'a str>),
            FieldType::Flag => quote!(bool),
            FieldType::Attributes => quote!(#rt::Attributes<'a>),
        };
        quote!(#[doc = #doc] pub #name: #ty)
    });
    // A struct without borrowed fields still has the lifetime, so that adding a field breaks nobody.
    let marker = token
        .fields
        .iter()
        .all(|f| f.ty == FieldType::Flag)
        .then(|| {
            quote! {
                #[doc(hidden)]
                pub _borrowed: ::core::marker::PhantomData<&'a ()>,
            }
        });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug)]
        pub struct #name<'a> { #(#fields,)* #marker }
    }
}

fn owned_type(field: &Field, rt: &TokenStream) -> TokenStream {
    match field.ty {
        FieldType::Text => quote!(#rt::Text),
        FieldType::OptionalText => quote!(::core::option::Option<#rt::Text>),
        FieldType::Flag => quote!(bool),
        FieldType::Attributes => quote!(#rt::OwnedAttributes),
    }
}

fn owned(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
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

/// The sink that makes owned tokens.
fn collector(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
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
        let view = view_name(token);
        let empty = token.fields.iter().map(|field| {
            let name = snake(&field.name);
            match field.ty {
                FieldType::Text => quote!(#name: #rt::Text::new()),
                FieldType::OptionalText => quote!(#name: ::core::option::Option::None),
                FieldType::Flag => quote!(#name: false),
                FieldType::Attributes => quote!(#name: #rt::OwnedAttributes::new()),
            }
        });
        let bound = token.fields.iter().enumerate().map(|(i, field)| {
            let (name, to) = (snake(&field.name), format_ident!("to_{i}"));
            quote!(#name: #to)
        });
        let fills = token.fields.iter().enumerate().map(|(i, field)| {
            let (name, to) = (snake(&field.name), format_ident!("to_{i}"));
            match field.ty {
                FieldType::Text => quote!(#to.push_str(token.#name);),
                FieldType::OptionalText => quote!(*#to = token.#name.map(#rt::Text::from);),
                FieldType::Flag => quote!(*#to = token.#name;),
                FieldType::Attributes => quote!(#to.fill(token.#name);),
            }
        });
        quote! {
            fn #name(&mut self, token: &#view<'_>, span: #rt::Span) #returns {
                if let ::core::option::Option::Some(Token::#variant { #(#bound,)* }) =
                    self.push(|| const { (Token::#variant { #(#empty,)* }, #rt::rt::NOWHERE) }, span)
                {
                    #(#fills)*
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
            // Characters are copied to where a token stays. Before that it is empty, a constant: what has just been
            // written piece by piece is slow to move.
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
                if !::core::matches!(
                    self.tokens.last(),
                    ::core::option::Option::Some((Token::Characters(_), _))
                ) {
                    self.push(|| const { (Token::Characters(#rt::Text::new()), #rt::rt::NOWHERE) }, span);
                }
                if let ::core::option::Option::Some((Token::Characters(text), whole)) =
                    self.tokens.last_mut()
                {
                    text.push_str(data);
                    whole.end = span.end;
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

fn builder(token: &Token, rt: &TokenStream) -> TokenStream {
    if token.fields.is_empty() && token.kinds.len() == 1 {
        return TokenStream::new();
    }
    let (name, view_ty) = (builder_name(token), view_name(token));
    let doc = format!(" A {} token under construction.", token.name);
    let kinds = (token.kinds.len() > 1).then(|| {
        let kind = kind_enum(token);
        let variants = token.kinds.iter().enumerate().map(|(i, k)| {
            let doc = format!(" The kind \"{}\".", k.name);
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
            quote!(self.#name.detach(input);)
        })
        .collect();
    let detach = (!detaches.is_empty()).then(|| {
        quote! {
            /// Makes it independent of the input, which is about to go.
            pub fn detach(&mut self, input: #rt::rt::Input<'_>) { #(#detaches)* }
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
            #detach
        }
    }
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
    quote! {
        /// The tokens under construction.
        #[doc(hidden)]
        #[allow(missing_docs)]
        #[derive(Debug, Default)]
        pub struct Tokens { #(#fields,)* }
    }
}
