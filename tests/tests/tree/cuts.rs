//! Trees do not depend on where the input is cut: in no accessor.

use std::collections::HashSet;

use libtest_mimic::Failed;
use speclex::tree::{DocumentMode, Options};
use speclex::{ByteOrderMark, Dom, DomSink, FeedError};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

use crate::accessors::{are_same, nodes};
use crate::built::cut;

/// How the pieces of an input come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeding {
    /// As parts of the text that is in memory.
    Text,
    /// As bytes of it.
    Bytes,
    /// As strings whose memory is used again.
    Copies,
}

type Fed = Result<(), FeedError>;

/// Parses an input in pieces.
type Build = for<'t> fn(&'t str, &[&str], Feeding) -> Dom<'t>;

macro_rules! builder {
    ($function:ident, $module:ident) => {
        fn $function<'t>(input: &'t str, pieces: &[&str], feeding: Feeding) -> Dom<'t> {
            use speclex_tokenizers::$module::{Builder, NAMES, Parser};
            macro_rules! parse {
                ($sink:expr, $feed:expr) => {{
                    let mut parser = Parser::new(Builder::new($sink, &Options::default()));
                    parser.set_byte_order_mark(ByteOrderMark::Skip);
                    let feed: &mut dyn FnMut(&mut _, &str) -> Fed = &mut $feed;
                    for piece in pieces {
                        feed(&mut parser, piece).expect("nothing is too large");
                    }
                    parser.end().expect("nothing is too large");
                    parser.into_sink().into_sink().finish()
                }};
            }
            let mut text = |parser: &mut Parser<DomSink<'t, true>>, piece: &str| -> Fed {
                match feeding {
                    Feeding::Bytes => parser.feed_bytes(piece.as_bytes()),
                    _ => parser.feed(piece),
                }
            };
            if feeding != Feeding::Copies {
                return parse!(DomSink::new(input, &NAMES), text);
            }
            let mut copy = String::new();
            let mut copies = |parser: &mut Parser<DomSink<'static, true>>, piece: &str| -> Fed {
                copy.clear();
                copy.push_str(piece);
                parser.sink().sink.feed(&copy);
                parser.feed(&copy)
            };
            parse!(DomSink::in_chunks(&NAMES), copies)
        }
    };
}

builder!(html_2022_10, html_tree_2022_10);
builder!(html_2026_06, html_tree_2026_06);
builder!(html_living, html_tree_living);

const BUILDERS: &[Build] = &[html_2022_10, html_2026_06, html_living];

/// Tags with values of all kinds.
const TAGS: &[&str] = &[
    "<p A=1 b='' c d=\"x&amp;y\" e=&amp f=&>",
    "<html lang=a &=& B class='x\r\ny'>",
    "<a href='?a&b=c&copy=1' X=\"\" x=2 é=é>",
    "<input disabled value= type=text/>",
    "<svg viewbox='1 2' xlink:href=#a xlink:href=b a=\0>",
    "<b \"=\"\"'='x' ==>",
    "<body onload=x CLASS='y z'>",
    "<u a=1>",
    "<u>",
    "</u>",
    "<form id=f>",
    "</form>",
    "<title> a\tb </title>",
    "<nobr>",
];

fn page(random: &mut Random) -> String {
    let mut pieces = document(random);
    for _ in 0..random.below(8) {
        let tag = (*random.one(TAGS)).to_owned();
        pieces.insert(random.below(pieces.len() + 1), tag);
    }
    pieces.concat()
}

/// No end tag is that of two elements.
fn end_tags(dom: &Dom<'_>) -> Result<(), Failed> {
    let mut found = HashSet::new();
    for node in nodes(dom) {
        if let Some(span) = node.end_tag()
            && !found.insert(span)
        {
            let text = dom.input();
            return Err(format!("{text:?}: {node:?} has the end tag of another one").into());
        }
    }
    Ok(())
}

fn random_pages(wanted: usize) -> Result<(), Failed> {
    let mut random = Random::named("cuts");
    let mut values = 0;
    for _ in 0..wanted {
        let page = page(&mut random);
        let build = random.one(BUILDERS);
        let whole = build(&page, &[&page], Feeding::Text);
        end_tags(&whole)?;
        for feeding in [Feeding::Text, Feeding::Bytes, Feeding::Copies] {
            let pieces = cut(&page, &mut random);
            let parts = build(&page, &pieces, feeding);
            are_same(&whole, &parts, &format!("{feeding:?} {pieces:?}"))?;
        }
        values += (nodes(&whole).iter())
            .flat_map(|node| node.attributes())
            .filter(|it| it.value_span().is_some())
            .count();
    }
    assert!(values > wanted, "{values} values in {wanted} pages");
    Ok(())
}

/// At each place, and what the places are.
fn values() -> Result<(), Failed> {
    let page = "<input disabled alt=\"\" b= c=x D=1 e='a&amp;b' f=&amp; F=2 g='&'>";
    let wanted = [
        None,
        Some(""),
        Some("c=x"),
        Some("1"),
        None,
        None,
        Some("&"),
    ];
    let whole = html_2026_06(page, &[page], Feeding::Text);
    for at in 0..=page.len() {
        let (before, after) = page.split_at(at);
        for feeding in [Feeding::Text, Feeding::Bytes, Feeding::Copies] {
            let dom = html_2026_06(page, &[before, after], feeding);
            let input = dom.elements("input").next().ok_or("none")?;
            let found = input.attributes().map(|it| it.value_span());
            let found: Vec<_> = found.map(|span| span.map(|it| &page[it.range()])).collect();
            if found != wanted {
                return Err(format!("{feeding:?} cut at {at}: {found:?}").into());
            }
            are_same(&whole, &dom, &format!("{feeding:?} cut at {at}"))?;
        }
    }
    Ok(())
}

fn end_tag_of_one() -> Result<(), Failed> {
    let of = |page: &str| {
        let dom = html_2026_06(page, &[page], Feeding::Text);
        end_tags(&dom)?;
        let ended = nodes(&dom).into_iter().filter(|it| it.end_tag().is_some());
        let sources: Vec<_> = ended.filter_map(|it| dom.source(it)).collect();
        Ok::<_, Failed>(sources.join("|"))
    };
    of("<u a=1><u><u><u><u></u></u></u><nobr></u>")?;
    // A form leaves the stack and is not popped; a formatting element before its copy.
    for (page, wanted) in [
        ("<form><p>x</form>y", "<form><p>x</form>"),
        ("<b>1<p>2</b>3", "<b>1<p>2</b>"),
        ("<i><b>1</b></i>", "<i><b>1</b></i>|<b>1</b>"),
    ] {
        let found = of(page)?;
        if found != wanted {
            return Err(format!("{page}: {found}").into());
        }
    }
    Ok(())
}

/// A mark at the start of a document is skipped; in a fragment it is text.
fn byte_order_mark() -> Result<(), Failed> {
    let page = "\u{FEFF}<!DOCTYPE html><title>\u{FEFF}x</title>";
    let dom = speclex::parse(page);
    assert_eq!(dom.document_mode(), DocumentMode::NoQuirks);
    assert_eq!(dom.input(), page);
    let title = dom.elements("title").next().ok_or("no title")?;
    assert_eq!(dom.source(title), Some("<title>\u{FEFF}x</title>"));
    assert_eq!(title.parent().and_then(|it| it.name()), Some("head"));
    assert_eq!(title.text(), "\u{FEFF}x");
    let twice = speclex::parse("\u{FEFF}\u{FEFF}<p>");
    assert_eq!(
        twice.body().map(|it| it.inner_html()).as_deref(),
        Some("\u{FEFF}<p></p>")
    );
    let fragment = speclex::parse_fragment("\u{FEFF}x", "body")?;
    assert_eq!(fragment.root().text(), "\u{FEFF}x");
    Ok(())
}

/// Icons have titles, too.
fn titles() -> Result<(), Failed> {
    let dom = speclex::parse(
        "<title> A\n\tpage </title><svg><title>Icon</title></svg><template><title>no</title></template>",
    );
    assert_eq!(dom.title().as_deref(), Some("A page"));
    assert_eq!(dom.elements("title").count(), 1);
    assert_eq!(dom.elements_in_all_namespaces("title").count(), 2);
    assert_eq!(dom.head().map(|it| it.children().count()), Some(1));
    assert_eq!(dom.body().and_then(|it| it.name()), Some("body"));
    let frames = speclex::parse("<frameset><frame>");
    assert_eq!(frames.body().and_then(|it| it.name()), Some("frameset"));
    assert_eq!(frames.title(), None);
    let svg = speclex::parse_fragment("<title>x</title>", "svg svg")?;
    assert_eq!((svg.title(), svg.body().is_some()), (None, false));
    Ok(())
}

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("builders: cuts of random pages", || random_pages(2_000));
    suite.add_trial("builders: places of values at every cut", values);
    suite.add_trial(
        "builders: an end tag is that of one element",
        end_tag_of_one,
    );
    suite.add_trial("builders: byte order mark", byte_order_mark);
    suite.add_trial("builders: titles", titles);
    suite.add_ignored("builders: cuts of many random pages", || {
        random_pages(40_000)
    });
}
