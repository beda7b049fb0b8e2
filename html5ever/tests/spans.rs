//! Where elements come from, as the cell of spans tells it.

#[allow(unreachable_pub)]
#[path = "../examples/elements.rs"]
mod elements;

use elements::{Element, parse, report};
use std::cell::RefCell;

use speclex_html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer};
use speclex_html5ever::{Origin, Span, Spans};

fn elements(page: &str) -> Vec<Element> {
    parse(page).elements
}

/// Each element with the text that it comes from, in the order of creation.
fn origins(page: &str) -> Vec<String> {
    let text = |span: Span| &page[span.range()];
    let all = elements(page).into_iter();
    all.map(|element| match element.origin {
        Origin::Own(span) => format!("{} {}", element.name, text(span)),
        Origin::Implied => format!("{} implied", element.name),
        Origin::CopyOf(span) => format!("{} copy of {}", element.name, text(span)),
    })
    .collect()
}

#[test]
fn elements_are_own_or_implied() {
    let page = "<!doctype html><title>x</title><TABLE><td A=1>y</table></p><br></br><image>";
    let wanted = [
        "html implied",
        "head implied",
        "title <title>",
        "body implied",
        "table <TABLE>",
        "tbody implied",
        "tr implied",
        "td <td A=1>",
        "p implied",
        "br <br>",
        "br implied",
        "img <image>",
    ];
    assert_eq!(origins(page), wanted);
    let page = "<html><head></head><body><svg><foreignobject><p>";
    let wanted = [
        "html <html>",
        "head <head>",
        "body <body>",
        "svg <svg>",
        "foreignObject <foreignobject>",
        "p <p>",
    ];
    assert_eq!(origins(page), wanted);
}

#[test]
fn formatting_elements_are_own_or_copies() {
    // Text needs the elements that `</p>` has closed once more.
    let page = "<p><b class=x><i>1</p>2";
    let wanted = [
        "p <p>",
        "b <b class=x>",
        "i <i>",
        "b copy of <b class=x>",
        "i copy of <i>",
    ];
    assert_eq!(origins(page)[3..], wanted);
    // So does what is in a block that an end tag stands in.
    let page = "<a href=1><div></a>";
    let wanted = ["a <a href=1>", "div <div>", "a copy of <a href=1>"];
    assert_eq!(origins(page)[3..], wanted);
    // Another tag of the same name, with other attributes.
    let page = "<p><b class=x></p><b class=y>";
    let wanted = ["b <b class=x>", "b copy of <b class=x>", "b <b class=y>"];
    assert_eq!(origins(page)[4..], wanted);
}

#[test]
fn a_copy_is_no_own_element_even_if_it_looks_like_one() {
    let page = "<p><b></p><b>";
    assert_eq!(origins(page)[4..], ["b <b>", "b copy of <b>", "b <b>"]);
    let all = elements(page);
    let [.., first, copy, own] = &all[..] else {
        panic!("elements");
    };
    let [first, copy, own] = [first, copy, own].map(|it| it.origin);
    assert!(matches!((first, copy), (Origin::Own(tag), Origin::CopyOf(of)) if tag == of));
    assert_ne!(own, first);
    // Of two tags that look alike, too, it is a copy of one.
    let page = "<p><b id=1></p></b><b id=1><p></b>";
    let wanted = ["b <b id=1>", "b <b id=1>", "p <p>", "b copy of <b id=1>"];
    assert_eq!(origins(page)[4..], wanted);
    assert!(matches!(elements(page)[7].origin, Origin::CopyOf(tag) if tag.start > 10));
}

#[test]
fn there_is_no_origin_but_while_an_element_is_created() {
    let spans = Spans::new();
    let sink = Declarations {
        spans: spans.clone(),
        seen: RefCell::default(),
    };
    let mut tokenizer = Tokenizer::new(sink, Default::default());
    tokenizer.show_spans(&spans);
    let input = BufferQueue::default();
    input.push_back("<p>".into());
    let _ = tokenizer.feed(&input);
    assert_eq!(spans.origin(), None);
}

#[test]
fn text_in_a_table_has_its_own_span() {
    let page = "a<table>b</table>c";
    let texts = parse(page).texts;
    let texts: Vec<_> = texts
        .iter()
        .map(|(text, span)| (&**text, &page[span.range()]))
        .collect();
    assert_eq!(texts, [("a", "a"), ("b", "b"), ("c", "c")]);
}

/// What the cell tells of comments and DOCTYPEs.
struct Declarations {
    spans: Spans,
    seen: RefCell<Vec<String>>,
}

impl TokenSink for Declarations {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let text = |span: Option<Span>| span.and_then(|span| self.spans.text(span));
        let doctype = self.spans.doctype();
        let seen = match &token {
            Token::CommentToken(data) => {
                assert_eq!(doctype, None);
                let found = text(self.spans.comment_data());
                assert_eq!(found.as_deref(), Some(&**data));
                found
            }
            Token::DoctypeToken(_) => {
                assert_eq!(self.spans.comment_data(), None);
                let parts = doctype.expect("a DOCTYPE");
                let public = text(parts.public_id.map(|it| it.quoted));
                let system = text(parts.system_id.map(|it| it.value));
                Some(
                    [text(parts.name), public, system]
                        .map(Option::unwrap_or_default)
                        .join(" "),
                )
            }
            _ => {
                assert_eq!((doctype, self.spans.comment_data()), (None, None));
                None
            }
        };
        self.seen.borrow_mut().extend(seen);
        TokenSinkResult::Continue
    }
}

#[test]
fn the_cell_tells_the_parts_of_comments_and_doctypes_whatever_the_chunks() {
    let page = "x<!docTYPE HTML public 'a' \"b\"><!-- c -- --><p title='<!--'></%d>";
    for cut in 0..page.len() {
        let spans = Spans::new();
        let sink = Declarations {
            spans: spans.clone(),
            seen: RefCell::default(),
        };
        let mut tokenizer = Tokenizer::new(sink, Default::default());
        tokenizer.show_spans(&spans);
        let input = BufferQueue::default();
        for chunk in [&page[..cut], &page[cut..]] {
            input.push_back(chunk.into());
            let _ = tokenizer.feed(&input);
        }
        tokenizer.end();
        assert_eq!(
            *tokenizer.sink.seen.borrow(),
            ["HTML 'a' b", " c -- ", "%d"],
            "{cut}"
        );
    }
}

/// Writes down the name of each tag as it is spelled.
struct Names {
    spans: Spans,
    seen: RefCell<Vec<Option<String>>>,
}

impl TokenSink for Names {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(_) = token {
            let name = self.spans.tag().map(|parts| parts.name);
            let name = name.and_then(|name| self.spans.text(name));
            self.seen.borrow_mut().push(name);
        }
        TokenSinkResult::Continue
    }
}

#[test]
fn a_cell_may_come_in_the_middle_of_a_stream() {
    let spans = Spans::new();
    let sink = Names {
        spans: spans.clone(),
        seen: RefCell::default(),
    };
    let mut tokenizer = Tokenizer::new(sink, Default::default());
    let input = BufferQueue::default();
    input.push_back("é<A><B".into());
    let _ = tokenizer.feed(&input);
    tokenizer.show_spans(&spans);
    for chunk in ["><I id=x><U", "><S>"] {
        input.push_back(chunk.into());
        let _ = tokenizer.feed(&input);
    }
    let wanted = [None, None, Some("I"), Some("U"), Some("S")];
    let wanted = wanted.map(|name| name.map(str::to_owned));
    assert_eq!(*tokenizer.sink.seen.borrow(), wanted);
}

#[test]
fn end_tags_are_found_as_they_are_spelled_whatever_the_chunks() {
    let page = "<P><x\0y><s></S\n></X\0Y/></p a>";
    let ends = |notes: elements::Notes| -> Vec<_> {
        let ends = notes.elements.into_iter().map(|it| it.end_tag);
        ends.flatten().map(|it| (it.start, it.end)).collect()
    };
    let whole = ends(parse(page));
    assert_eq!(whole, [(23, 29), (16, 23), (11, 16)]);
    for cut in 1..page.len() {
        let (start, end) = page.split_at(cut);
        assert_eq!(ends(elements::parse_pieces([start, end])), whole, "{cut}");
    }
}

#[test]
fn the_example_prints_places_as_a_compiler_does() {
    let page = "<html>\n<p Class='a b'\n  id=c hidden>é<b>x</b></p>\n";
    let wanted = "\
page:1:1: <html>
page: <head> is implied
page: <body> is implied
page:2:1: <p>
  page:2:4: Class is \"a b\"
  page:3:3: id is \"c\"
  page:3:8: hidden is \"\"
  page:3:24: ends here
page:3:16: <b>
  page:3:20: ends here
";
    assert_eq!(report(page, "page"), wanted);
}
