//! Generated tokenizers as engines.

use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_codegen::machine::Machine;

use crate::source::Spec;

/// The generated tokenizer for a shipped table, or the interpreter.
pub(crate) fn engine<'m>(
    spec: &Spec,
    machine: &'m Machine,
    interpret: bool,
) -> Box<dyn Engine + 'm> {
    if let (Spec::Shipped(table), false) = (spec, interpret)
        && let Some(engine) = generated(table.name)
    {
        return engine;
    }
    Box::new(InterpreterEngine::new(machine))
}

#[cfg(not(feature = "tokenizers"))]
fn generated(_: &str) -> Option<Box<dyn Engine>> {
    None
}

#[cfg(feature = "tokenizers")]
pub(crate) use with_tokenizers::{generated, limited, null};

#[cfg(feature = "tokenizers")]
mod with_tokenizers {
    use speclex::markup::{
        Answer, Comment, Content, Doctype, EntityReference, ProcessingInstruction, Sink, Tag,
        XmlDeclaration,
    };
    use speclex::rt::Machine;
    use speclex::{
        ByteOrderMark, Exceeded, FeedError, Feedback, Limit, Limits, ParseError, Span, Tokenizer,
    };
    use speclex_analysis::engine::{Engine, Request, Session};
    use speclex_analysis::token::{self, Output};
    use speclex_analysis::token_stream::{Kind, TokenStream};
    use speclex_codegen::machine;

    use crate::limits::name_of;

    /// The generated tokenizer for a shipped table.
    pub(crate) fn generated(name: &str) -> Option<Box<dyn Engine>> {
        // No option would raise a lower one.
        limited(name, Limits::MAX)
    }

    /// The same with limits.
    pub(crate) fn limited(name: &str, limits: Limits) -> Option<Box<dyn Engine>> {
        macro_rules! engines {
            ($($revision:literal => $module:ident),* $(,)?) => {
                match name {
                    $($revision => Some(Box::new(Generated {
                        limits,
                        machine: std::marker::PhantomData::<speclex_tokenizers::$module::Machine<Collect>>,
                    })),)*
                    _ => None,
                }
            };
        }
        speclex_tokenizers::for_each_revision!(engines)
    }

    /// A tokenizer for a shipped table that takes the stream in pieces and keeps no tokens: what it
    /// holds on to is its own.
    pub(crate) fn null(name: &str) -> Option<crate::Feed> {
        struct Null;
        impl Sink for Null {
            const ERRORS: bool = true;
            const INPUT_ERRORS: bool = true;
        }
        macro_rules! tokenizers {
            ($($revision:literal => $module:ident),* $(,)?) => {
                match name {
                    $($revision => {
                        let mut tokenizer = speclex_tokenizers::$module::Tokenizer::new(Null);
                        Some(Box::new(move |bytes: &[u8]| {
                            // The sink asks for nothing that could be refused.
                            let _ = tokenizer.feed_bytes(bytes);
                        }))
                    })*
                    _ => None,
                }
            };
        }
        speclex_tokenizers::for_each_revision!(tokenizers)
    }

    /// Runs a generated tokenizer.
    struct Generated<M> {
        limits: Limits,
        machine: std::marker::PhantomData<M>,
    }

    impl<M: Machine<Sink = Collect, Content = Content>> Generated<M> {
        fn tokenizer(&self, request: &Request<'_>, sink: Collect) -> Result<Tokenizer<M>, String> {
            let mut tokenizer = Tokenizer::<M>::new(sink);
            tokenizer.set_limits(self.limits);
            tokenizer.set_feedback(match request.feedback {
                machine::Feedback::Off => Feedback::Off,
                machine::Feedback::NoScripting => Feedback::NoScripting,
                machine::Feedback::Scripting => Feedback::Scripting,
            });
            tokenizer.set_byte_order_mark(match request.skip_bom {
                true => ByteOrderMark::Skip,
                false => ByteOrderMark::Table,
            });
            if let Some(content) = request.content {
                content
                    .parse()
                    .and_then(|content| tokenizer.enter(content))
                    .map_err(|e| format!("{e}: {content}"))?;
            }
            if let Some(name) = request.last_start_tag {
                tokenizer.set_last_start_tag(name);
            }
            Ok(tokenizer)
        }
    }

    impl<M: Machine<Sink = Collect, Content = Content>> Engine for Generated<M> {
        fn start(&mut self, request: &Request<'_>) -> Result<Box<dyn Session + '_>, String> {
            let sink = Collect {
                cdata_allowed: request.cdata_allowed,
                ..Collect::default()
            };
            Ok(Box::new(Running(self.tokenizer(request, sink)?)))
        }

        fn tokenize_to(
            &mut self,
            request: &Request<'_>,
            to: &mut TokenStream,
        ) -> Result<(), String> {
            let sink = Collect {
                stream: std::mem::take(to),
                joins: true,
                cdata_allowed: request.cdata_allowed,
                ..Collect::default()
            };
            let mut tokenizer = self.tokenizer(request, sink)?;
            tokenizer.sink().stream.begin(request.input);
            let fed = tokenizer.feed(request.input);
            let fed = fed.and_then(|()| tokenizer.end());
            *to = tokenizer.into_sink().stream;
            told(fed)
        }
    }

    struct Running<M: Machine>(Tokenizer<M>);

    impl<M: Machine<Sink = Collect, Content = Content>> Session for Running<M> {
        fn feed(&mut self, piece: &str) -> Result<(), String> {
            told(self.0.feed(piece))
        }

        fn feed_bytes(&mut self, piece: &[u8]) -> Result<(), String> {
            told(self.0.feed_bytes(piece))
        }

        fn end(&mut self) -> Result<(), String> {
            told(self.0.end())
        }

        fn take_output(&mut self) -> Output {
            self.0.sink().stream.take_output()
        }

        fn take_exceeded(&mut self) -> Vec<token::Exceeded> {
            std::mem::take(&mut self.0.sink().exceeded)
        }
    }

    fn told(fed: Result<(), FeedError>) -> Result<(), String> {
        fed.map_err(|error| match error {
            FeedError::TooLarge {
                limit,
                allowed,
                offset,
            } if allowed < Limits::MAX.token_bytes => {
                let (name, what) = named(limit);
                format!(
                    "the token at offset {offset} has more than {allowed} {what}: --{name} raises the limit; --help says what --excess may do"
                )
            }
            other => other.to_string(),
        })
    }

    /// A limit's option, and what it counts.
    fn named(limit: Limit) -> (&'static str, &'static str) {
        match limit {
            Limit::Attributes => ("attributes", "attributes"),
            _ => ("token-bytes", "bytes"),
        }
    }

    /// A sink that makes tokens of no particular vocabulary.
    #[derive(Debug, Default)]
    pub(super) struct Collect {
        stream: TokenStream,
        /// Whether characters join those before them.
        joins: bool,
        exceeded: Vec<token::Exceeded>,
        cdata_allowed: bool,
    }

    impl Collect {
        #[inline]
        fn tag(&mut self, kind: Kind, tag: &Tag<'_>, span: Span) -> Answer {
            let head = (tag.name, tag.self_closing_flag);
            let attributes = tag.attributes.iter();
            self.stream
                .tag(kind, head, attributes, (span.start, span.end));
            Answer::Continue
        }

        fn strings<const N: usize>(&mut self, kind: Kind, strings: [Option<&str>; N], span: Span) {
            self.stream.token(kind, span.start, span.end);
            for string in strings {
                self.stream.optional(string);
            }
        }
    }

    impl Sink for Collect {
        const ERRORS: bool = true;
        const INPUT_ERRORS: bool = true;

        #[inline]
        fn characters(&mut self, data: &str, span: Span) {
            match self.joins {
                true => self.stream.joined_characters(data, span.start, span.end),
                false => self.stream.characters(data, span.start, span.end),
            }
        }

        #[inline]
        fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
            self.tag(Kind::START_TAG, tag, span)
        }

        #[inline]
        fn end_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
            self.tag(Kind::END_TAG, tag, span)
        }

        fn empty_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
            self.tag(Kind::EMPTY_TAG, tag, span)
        }

        fn short_end_tag(&mut self, span: Span) {
            self.strings(Kind::SHORT_END_TAG, [], span);
        }

        fn comment(&mut self, comment: &Comment<'_>, span: Span) {
            self.strings(Kind::COMMENT, [Some(comment.data)], span);
        }

        fn doctype(&mut self, doctype: &Doctype<'_>, span: Span) {
            let strings = [
                doctype.name,
                doctype.public_identifier,
                doctype.system_identifier,
            ];
            self.strings(Kind::DOCTYPE, strings, span);
            self.stream.flag(doctype.force_quirks_flag);
        }

        fn processing_instruction(&mut self, pi: &ProcessingInstruction<'_>, span: Span) {
            let strings = [pi.target, pi.data].map(Some);
            self.strings(Kind::PROCESSING_INSTRUCTION, strings, span);
        }

        fn xml_declaration(&mut self, xml: &XmlDeclaration<'_>, span: Span) {
            let strings = [xml.version, xml.encoding, xml.standalone];
            self.strings(Kind::XML_DECLARATION, strings, span);
        }

        fn entity_reference(&mut self, reference: &EntityReference<'_>, span: Span) {
            self.strings(Kind::ENTITY_REFERENCE, [Some(reference.name)], span);
        }

        fn error(&mut self, error: ParseError) {
            self.stream.error(error.code.as_str(), error.offset);
        }

        fn exceeded(&mut self, exceeded: Exceeded) {
            self.exceeded.push(token::Exceeded {
                offset: exceeded.offset,
                limit: named(exceeded.limit).0,
                allowed: exceeded.allowed,
                excess: name_of(exceeded.excess),
            });
        }

        fn cdata_sections_are_allowed(&mut self) -> bool {
            self.cdata_allowed
        }
    }
}
