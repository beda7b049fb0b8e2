//! Whole documents and fragments at once, with a generated tokenizer and a generated builder.

use crate::byte_order_mark::ByteOrderMark;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::tokenizer::Tokenizer;
use crate::tree::rt::{Builder, Rules};
use crate::tree::{Context, Options, Space, TagAttributes};

use super::{Dom, DomSink};

/// Parses a document, or a fragment in the context of an element with this name: `td`, `svg path`, `math mi`.
pub fn parse<'t, R, M, const ERRORS: bool, const SCOPES: usize>(
    text: &'t str,
    options: &Options,
    context: Option<&str>,
) -> Dom<'t>
where
    R: Rules<DomSink<'t, ERRORS>, SCOPES>,
    M: Machine<Sink = Builder<DomSink<'t, ERRORS>, R, SCOPES>, Content = R::Content>,
{
    let sink = DomSink::with_options(text, R::NAMES, options);
    let builder = match context {
        None => Builder::new(sink, options),
        Some(name) => {
            let (space, local) = match name.split_once(' ') {
                Some(("svg", local)) => (Space::Svg, local),
                Some(("math", local)) => (Space::MathMl, local),
                _ => (Space::Html, name),
            };
            let context = Context {
                node: None,
                space,
                local,
                attributes: TagAttributes::NONE,
                ancestors: &[],
            };
            Builder::for_fragment(sink, options, context)
        }
    };
    run(Tokenizer::<M>::new(builder), text)
}

/// Feeds a text to a parser, as far as the limits of its sink let it.
pub(crate) fn run<'t, R, M, const ERRORS: bool, const SCOPES: usize>(
    mut tokenizer: Tokenizer<M>,
    text: &'t str,
) -> Dom<'t>
where
    R: Rules<DomSink<'t, ERRORS>, SCOPES>,
    M: Machine<Sink = Builder<DomSink<'t, ERRORS>, R, SCOPES>, Content = R::Content>,
{
    let builder = tokenizer.sink();
    builder.reserve(builder.sink.room_for_elements());
    let (content, is_document) = (builder.first_content(), builder.context.is_none());
    tokenizer.set_limits(Limits::MAX);
    if is_document {
        // A document is a decoded stream of bytes, which lost its mark; a fragment is a string.
        tokenizer.set_byte_order_mark(ByteOrderMark::Skip);
    }
    if let Some(content) = content {
        // All tokenizers of trees have all contents.
        let _ = tokenizer.enter(content);
    }
    let mut rest = text;
    loop {
        let piece = tokenizer.sink().sink.piece(rest);
        // A token that is too large is in a text that is too large, which the tree says.
        if tokenizer.feed(piece).is_err() || tokenizer.sink().sink.is_full() {
            break;
        }
        rest = &rest[piece.len()..];
        if rest.is_empty() {
            let _ = tokenizer.end();
            break;
        }
    }
    tokenizer.without_reminder();
    tokenizer.into_sink().into_sink().finish()
}
