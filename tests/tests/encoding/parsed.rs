//! `speclex::parse_bytes`: the encoding, and the tree of the decoded text.

use speclex::encoding::encoding_rs::{Encoding, ISO_8859_2, KOI8_R, UTF_8, UTF_16LE, WINDOWS_1252};
use speclex::encoding::{Confidence, Hints, Sniffed, Source};
use speclex::{Dom, Span, parse, parse_bytes};
use speclex_tests::{files, shared};

use crate::html5lib;

/// Whose place it is, by its name, and where its parts stand.
type Place = (String, Option<Span>, Option<Span>, Vec<Option<Span>>);

/// Where everything in a tree stands, moved by so many bytes.
fn places(dom: &Dom<'_>, moved: u64) -> Vec<Place> {
    let moved = |span: Span| Span {
        start: span.start + moved,
        end: span.end + moved,
    };
    let nodes = dom.root().descendants();
    nodes
        .map(|node| {
            let values = node.attributes().map(|it| it.value_span().map(moved));
            let name = node.name().unwrap_or_default().to_owned();
            (
                name,
                node.span().map(moved),
                node.end_tag().map(moved),
                values.collect(),
            )
        })
        .collect()
}

/// Parses, and compares the tree with that of the text in the encoding.
fn check(name: &str, document: &[u8], hints: Hints) -> Sniffed {
    let (dom, found) = parse_bytes(document, &hints);
    let (text, _) = found.encoding.decode_without_bom_handling(document);
    let marked = text.strip_prefix('\u{FEFF}');
    let wanted = parse(marked.unwrap_or(&text));
    assert_eq!(dom.input(), text, "{name}");
    assert_eq!(dom.dump(), wanted.dump(), "{name}");
    let mark = text.len() - marked.unwrap_or(&text).len();
    assert!(
        places(&dom, 0) == places(&wanted, mark as u64),
        "{name}: places"
    );
    let borrows = dom.input().as_ptr() == document.as_ptr();
    if found.encoding == UTF_8 && !document.is_empty() {
        assert_eq!(borrows, std::str::from_utf8(document).is_ok(), "{name}");
    }
    found
}

#[test]
fn documents_are_parsed_in_the_encoding_that_the_tests_say() {
    for (name, document, wanted) in html5lib::cases() {
        assert_eq!(
            check(&name, &document, Hints::html()).encoding,
            wanted,
            "{name}"
        );
    }
}

#[test]
fn a_late_meta_starts_the_document_again_once() {
    let blank = " ".repeat(2000);
    let late = |text: &str| format!("é{blank}{text}<p>é<meta charset=koi8-r>").into_bytes();
    let meta: (&Encoding, _, _) = (ISO_8859_2, Source::Meta, Confidence::Certain);
    let none: (&Encoding, _, _) = (WINDOWS_1252, Source::Fallback, Confidence::Tentative);
    let kept: (&Encoding, _, _) = (WINDOWS_1252, Source::Fallback, Confidence::Certain);
    let koi8: (&Encoding, _, _) = (KOI8_R, Source::Meta, Confidence::Certain);
    let utf8: (&Encoding, _, _) = (UTF_8, Source::Meta, Confidence::Certain);
    for (text, wanted) in [
        ("<meta charset=latin2>", meta),
        (
            "<MetA name=x><meta charset=x CHARSET=utf-8><meta cHarset=latin2>",
            meta,
        ),
        ("<svg><p><meta charset=latin2><b>x", meta),
        ("<table><template><meta charset=latin2 a=b c='d'>", meta),
        (
            "<meta http-equiv=CONTENT-TYPE content='text/html; charset=latin2'>",
            meta,
        ),
        // It is in that encoding already: nothing that follows changes it.
        ("<meta charset=latin1>", kept),
        ("<meta charset=x-user-defined>", kept),
        // What cannot be so, for a page in which this is found.
        ("<meta charset=utf-16>", utf8),
        // No elements `meta` of HTML.
        (
            "<!--<meta charset=latin2>--><title><meta charset=latin2></title>",
            koi8,
        ),
        (
            "<svg><desc/><g charset=latin2></svg><math><mi><meta name=latin2></math>",
            koi8,
        ),
    ] {
        let found = check(text, &late(text), Hints::html());
        assert_eq!(
            (found.encoding, found.source, found.confidence),
            wanted,
            "{text}"
        );
    }
    let ended = [late(""), b"<plaintext>".to_vec()].concat();
    assert_eq!(check("text", &ended, Hints::html()).encoding, KOI8_R);
    let text = format!("{blank}<plaintext><meta charset=latin2>");
    let found = check("no tag", text.as_bytes(), Hints::html());
    assert_eq!((found.encoding, found.source, found.confidence), none);
    // Certain from the start.
    let found = check(
        "header",
        &late("<meta charset=latin2>"),
        Hints::html().encoding(UTF_8),
    );
    assert_eq!((found.encoding, found.source), (UTF_8, Source::Chosen));
}

#[test]
fn marks_are_skipped() {
    let found = check(
        "UTF-8",
        b"\xEF\xBB\xBF<p a=b>x<meta charset=latin2>",
        Hints::html(),
    );
    assert_eq!(
        (found.encoding, found.source),
        (UTF_8, Source::ByteOrderMark)
    );
    let found = check("UTF-16", b"\xFF\xFE<\0p\0>\0\xE9\0", Hints::html());
    assert_eq!(
        (found.encoding, found.source),
        (UTF_16LE, Source::ByteOrderMark)
    );
    let found = check("nothing", b"", Hints::html());
    assert_eq!(found.encoding, WINDOWS_1252);
}

#[test]
fn pages_are_parsed() {
    let Some(folder) = shared("corpora/html/intl") else {
        return;
    };
    for path in files(&folder, &["html"]).iter().step_by(5) {
        let page = std::fs::read(path).expect("a page");
        for hints in [Hints::html(), Hints::html().fallback(UTF_8)] {
            check(&path.display().to_string(), &page, hints);
        }
    }
}
