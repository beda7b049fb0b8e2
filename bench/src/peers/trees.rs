//! Whole parses with html5ever's tree builder: with its own tokenizer, and with ours.

use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{NodeData, RcDom};
use scraper::Html;
use speclex_html5ever::Spans;

use super::arena;
use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;

/// What a tree is made in, and how the text comes.
pub const KINDS: [&str; 3] = ["arena", "RcDom", "RcDom, read_from"];

/// As the first kind, with a cell that shows spans.
pub const WITH_SPANS: &str = "arena, with spans";

/// The same, and the sink asks for the parts of each tag.
pub const WITH_PARTS: &str = "arena, with spans of parts";

/// The two crates.
pub const PARSERS: [&str; 2] = ["html5ever", "speclex-html5ever"];

/// The name of a contender.
pub fn name(parser: &str, kind: &str) -> String {
    format!("{parser}, {kind}")
}

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    macro_rules! trees {
        ($crate_name:ident, $parser:expr) => {{
            let parse = $crate_name::parse_document::<RcDom>;
            let texts = super::tendrils(corpus);
            let arena_texts = super::tendrils(corpus);
            [
                Contender::by_index(
                    name($parser, KINDS[0]),
                    arena_texts.len(),
                    move |index, counts| {
                        let arena = typed_arena::Arena::new();
                        let sink = arena::Sink::new(&arena);
                        let parser = $crate_name::parse_document(sink, ParseOpts::default());
                        // Shares the text.
                        arena::count(parser.one(arena_texts[index].clone()), counts);
                    },
                ),
                Contender::by_index(
                    name($parser, KINDS[1]),
                    texts.len(),
                    move |index, counts| {
                        let parser = parse(RcDom::default(), ParseOpts::default());
                        count(&parser.one(texts[index].clone()), counts);
                    },
                ),
                Contender::by_text(name($parser, KINDS[2]), corpus, move |text, counts| {
                    let parser = parse(RcDom::default(), ParseOpts::default()).from_utf8();
                    match parser.read_from(&mut text.as_bytes()) {
                        Ok(dom) => count(&dom, counts),
                        Err(_) => counts.errors += 1,
                    }
                }),
            ]
        }};
    }
    let mut all = Vec::new();
    all.extend(trees!(html5ever, PARSERS[0]));
    all.extend(trees!(speclex_html5ever, PARSERS[1]));
    for (kind, asks) in [(WITH_SPANS, false), (WITH_PARTS, true)] {
        let texts = super::tendrils(corpus);
        let name = name(PARSERS[1], kind);
        all.push(Contender::by_index(
            name,
            texts.len(),
            move |index, counts| {
                let arena = typed_arena::Arena::new();
                let spans = Spans::new();
                let sink = arena::Sink::new(&arena).with_spans(&spans, asks);
                let mut parser = speclex_html5ever::parse_document(sink, ParseOpts::default());
                parser.tokenizer.show_spans(&spans);
                arena::count(parser.one(texts[index].clone()), counts);
            },
        ));
    }
    all.push(Contender::by_text("scraper", corpus, |text, counts| {
        let html = Html::parse_document(text);
        counts.errors += html.errors.len() as u64;
        counts.start_tags += html.tree.root().children().count() as u64;
    }));
    // A tree of the tags as they are written: no implied elements, no references, no rules of HTML.
    all.push(Contender::by_text(
        "tl",
        corpus,
        |text, counts| match tl::parse(text, tl::ParserOptions::default()) {
            Ok(dom) => counts.start_tags += dom.children().len() as u64,
            Err(_) => counts.errors += 1,
        },
    ));
    all
}

/// Looks at the top of a tree: going through all of it would be measured too.
pub(super) fn count(dom: &RcDom, counts: &mut Counts) {
    counts.errors += dom.errors.borrow().len() as u64;
    for child in &*dom.document.children.borrow() {
        match child.data {
            NodeData::Element { .. } => counts.start_tags += 1,
            _ => counts.others += 1,
        }
    }
}
