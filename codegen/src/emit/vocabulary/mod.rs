//! From a vocabulary: the sink trait, the views it gets, owned tokens, and tokens under construction.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::{RESERVED_TYPES, behind, doc_line, pascal, snake};
use crate::machine::{FieldType, Kind, Token, Vocabulary};

mod builders;
mod collector;
mod owned;

pub(crate) use builders::{dropping_field, is_built};

/// The Rust items of a vocabulary. `rt` is the path of the runtime.
pub(crate) fn vocabulary(vocabulary: &Vocabulary, rt: &TokenStream) -> TokenStream {
    let contents = contents(vocabulary, rt);
    let sink = sink(vocabulary, rt);
    let views = vocabulary.tokens.iter().map(|t| view(t, rt));
    let owned = owned::owned(vocabulary, rt);
    let collector = collector::collector(vocabulary, rt);
    let builders = builders::builders(vocabulary, rt);
    quote! { #contents #sink #(#views)* #owned #collector #builders }
}

fn has_start_tags(vocabulary: &Vocabulary) -> bool {
    kinds(vocabulary).any(|(_, kind)| kind.is_start_tag)
}

/// Whether a sink's answer to any token matters.
fn has_answers(vocabulary: &Vocabulary) -> bool {
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

pub(crate) fn builder_name(token: &Token) -> Ident {
    format_ident!("{}UnderConstruction", view_name(token))
}

/// The types that a token may have.
pub(crate) fn type_names(token: &Token) -> [Ident; 3] {
    [view_name(token), kind_enum(token), builder_name(token)]
}

/// The token that sinks may turn off.
pub(crate) const COMMENT: &str = "comment";

/// The methods of every sink, and those that every type has.
const METHODS: [&str; 6] = [
    "characters",
    "end_of_file",
    "error",
    "exceeded",
    "into",
    "try_into",
];

/// The sink's method for a kind.
pub(crate) fn method(kind: &Kind) -> Ident {
    unless_reserved(snake(&kind.name), &METHODS, "_token")
}

/// The sink's method for a question.
pub(crate) fn question_method(vocabulary: &Vocabulary, question: &str) -> Ident {
    let name = snake(question);
    let is_taken = METHODS.iter().any(|method| name == method);
    if is_taken || kinds(vocabulary).any(|(_, kind)| method(kind) == name) {
        behind("whether", &name)
    } else {
        name
    }
}

/// Two names of a vocabulary that become the same name in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collision {
    /// What they are: `tokens`.
    pub(crate) what: &'static str,
    pub(crate) names: [String; 2],
    /// Their name in Rust.
    pub(crate) rust: String,
}

/// All of them.
pub(crate) fn collisions(vocabulary: &Vocabulary) -> Vec<Collision> {
    let mut found = Vec::new();
    let mut distinct = |what: &'static str, names: Vec<(Ident, &str)>| {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for (rust, name) in names {
            let rust = rust.to_string();
            let other = *seen.entry(rust.clone()).or_insert(name);
            if other != name {
                let names = [other.to_owned(), name.to_owned()];
                found.push(Collision { what, names, rust });
            }
        }
    };
    let tokens = &vocabulary.tokens;
    let types = tokens.iter().flat_map(|token| {
        let mut types = Vec::new();
        if !token.fields.is_empty() {
            types.push(view_name(token));
        }
        if token.kinds.len() > 1 {
            types.push(kind_enum(token));
        }
        if is_built(token) {
            types.push(builder_name(token));
        }
        types.into_iter().map(|ty| (ty, token.name.as_str()))
    });
    distinct("tokens", types.collect());
    let places = tokens.iter().map(|t| (snake(&t.name), t.name.as_str()));
    distinct("tokens", places.collect());
    let of_kinds = || kinds(vocabulary).map(|(_, kind)| kind);
    let methods = of_kinds().map(|k| (method(k), k.name.as_str()));
    let questions = vocabulary.questions.iter();
    let questions = questions.map(|q| (question_method(vocabulary, q), q.as_str()));
    distinct(
        "kinds of tokens and questions",
        methods.chain(questions).collect(),
    );
    distinct(
        "kinds of tokens",
        of_kinds().map(|k| (variant(k), k.name.as_str())).collect(),
    );
    for token in tokens {
        let fields = token.fields.iter();
        let names = fields.map(|f| (snake(&f.name), f.name.as_str()));
        distinct("fields", names.collect());
        let variants = token
            .kinds
            .iter()
            .map(|k| (pascal(&k.name), k.name.as_str()));
        distinct("kinds of tokens", variants.collect());
    }
    let contents = vocabulary.contents.iter();
    distinct(
        "contents",
        contents.map(|c| (pascal(c), c.as_str())).collect(),
    );
    found
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
        let doc = doc_line(&format!(" What the text calls {name}."));
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
            #[non_exhaustive]
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
        #[non_exhaustive]
        pub enum Content { #(#variants,)* }

        impl Content {
            /// The content's name in tables.
            pub const fn as_str(self) -> &'static str {
                match self { #(#names,)* }
            }
        }

        impl ::core::str::FromStr for Content {
            type Err = #rt::UnknownContent;

            fn from_str(name: &str) -> ::core::result::Result<Self, #rt::UnknownContent> {
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
        let doc = doc_line(&format!(" The token \"{}\".", kind.name));
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
        let doc = doc_line(&format!(" The answer to the question whether {question}."));
        let name = question_method(vocabulary, question);
        quote! {
            #[doc = #doc]
            fn #name(&mut self) -> bool { false }
        }
    });
    let feedback = has_start_tags(vocabulary).then(|| {
        quote! {
            /// Whether the table says what follows a start tag to which the sink answers
            /// `Answer::Continue`: text after `<title>`, say. Off, as for a tree builder, which knows better, it costs
            /// nothing.
            const FEEDBACK: bool = true;
        }
    });
    let tokens = &mut vocabulary.tokens.iter();
    let has_comments = tokens.any(|token| token.name == COMMENT);
    let comments = has_comments.then(|| {
        quote! {
            /// Whether [`Self::comment`] is called. Set it to `false` in a sink that wants no comments: then nothing
            /// is kept of them, and no limit holds for them.
            const COMMENTS: bool = true;
        }
    });
    let has_comments = has_comments.then(|| {
        quote!(
            const COMMENTS: bool = S::COMMENTS;
        )
    });
    quote! {
        /// Where tokens go. Every method has a default that does nothing.
        pub trait Sink {
            /// Whether [`Self::error`] is called. Set it to `false` in a sink that wants no parse errors: then they
            /// cost nothing.
            const ERRORS: bool = true;
            /// Whether [`Self::error`] is also called for errors of the input stream itself (control characters and
            /// the like). They cost a pass over the input.
            const INPUT_ERRORS: bool = false;
            /// Whether an error comes behind all text before it. Off, text that has not come to its end may come behind
            /// errors in it and behind it.
            const ERRORS_IN_ORDER: bool = false;
            /// Whether each U+0000 in the text comes in a separate call.
            const NULLS_ALONE: bool = false;
            #feedback
            #comments

            /// Character tokens, in pieces: only their concatenation means something.
            fn characters(&mut self, data: &str, span: #rt::Span) { let _ = (data, span); }

            #(#kinds)*

            /// The end-of-file token, and where the input ended, in bytes: it comes when the caller says that the input has
            /// ended.
            fn end_of_file(&mut self, at: u64) { let _ = at; }

            /// A parse error, if [`Self::ERRORS`] and [`Self::INPUT_ERRORS`] do not turn it off.
            ///
            /// Errors come in one order however the input is cut: those of states as the states report them, and one of the
            /// input stream before the first of those at a greater offset.
            fn error(&mut self, error: #rt::ParseError) { let _ = error; }

            /// The token that comes next exceeds a limit: it comes with what fits or, if it is to be dropped, not at all; a tag
            /// without attributes.
            fn exceeded(&mut self, exceeded: #rt::Exceeded) { let _ = exceeded; }

            #(#questions)*
        }

        /// The events of a sink that do not depend on the vocabulary.
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct Events<S>(pub S);

        impl<S: Sink> #rt::rt::Events for Events<S> {
            const ERRORS: bool = S::ERRORS;
            const INPUT_ERRORS: bool = S::INPUT_ERRORS;
            const ERRORS_IN_ORDER: bool = S::ERRORS_IN_ORDER;
            #has_comments
            #[inline(always)]
            fn characters(&mut self, data: &str, span: #rt::Span) {
                self.0.characters(data, span);
            }
            #[inline(always)]
            fn error(&mut self, error: #rt::ParseError) {
                self.0.error(error);
            }
            #[inline(always)]
            fn end_of_file(&mut self, at: u64) {
                self.0.end_of_file(at);
            }
            fn exceeded(&mut self, exceeded: #rt::Exceeded) {
                self.0.exceeded(exceeded);
            }
        }
    }
}

fn view(token: &Token, rt: &TokenStream) -> TokenStream {
    if token.fields.is_empty() {
        return TokenStream::new();
    }
    let name = view_name(token);
    let doc = doc_line(&format!(
        " A {} token, borrowed from the tokenizer.",
        token.name
    ));
    let fields = token.fields.iter().map(|field| {
        let doc = doc_line(&format!(" The {}.", field.name));
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
        #[non_exhaustive]
        pub struct #name<'a> { #(#fields,)* #marker }
    }
}
