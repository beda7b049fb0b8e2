//! html5lib's tests, and all of their prefixes and cuts.

use std::fs;

use speclex::encoding::encoding_rs::{Encoding, ISO_8859_2, UTF_8, WINDOWS_1252};
use speclex::encoding::{ByteStream, Confidence, Hints, LOOKED_AT, Source, sniff};
use speclex_tests::shared;

use crate::{Token, run};

/// Files that test other things, and why they are not run.
const OTHERS: [(&str, &str); 2] = [
    ("scripted/tests1.dat", "a script writes the <meta>"),
    (
        "chardet/test_big5.txt",
        "the encoding is guessed from the text",
    ),
];

/// The documents, each with its name and the encoding that it must be read in.
pub(crate) fn cases() -> Vec<(String, Vec<u8>, &'static Encoding)> {
    let Some(folder) = shared("html5lib-tests/encoding") else {
        return Vec::new();
    };
    let mut cases = Vec::new();
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            assert!(
                OTHERS.iter().any(|(file, _)| file.starts_with(&name)),
                "{name} is not run"
            );
            continue;
        }
        let file = fs::read(&path).expect("a file");
        let tests = split(&file, b"#data\n");
        for (number, test) in tests.into_iter().skip(1).enumerate() {
            let [data, label] = split(test, b"\n#encoding\n").try_into().expect("two parts");
            let encoding = Encoding::for_label(label).expect("a label");
            cases.push((
                format!("{}:{number}", path.display()),
                data.to_vec(),
                encoding,
            ));
        }
    }
    assert_eq!(cases.len(), 82);
    cases
}

fn split<'b>(mut bytes: &'b [u8], separator: &[u8]) -> Vec<&'b [u8]> {
    let mut parts = Vec::new();
    while let Some(at) = bytes
        .windows(separator.len())
        .position(|window| window == separator)
    {
        parts.push(&bytes[..at]);
        bytes = &bytes[at + separator.len()..];
    }
    parts.push(bytes);
    parts
}

#[test]
fn documents_are_read_in_the_encoding_that_the_tests_say() {
    for (name, document, wanted) in cases() {
        let mut stream = ByteStream::new(Hints::html());
        let kept = run(&mut stream, [&*document]).expect("no fault");
        let sniffed = stream.sniffed().expect("the end");
        assert_eq!(sniffed, sniff(&document, &Hints::html()), "{name}");
        let changed = kept
            .declared
            .and_then(|declared| stream.change_encoding(declared));
        assert_eq!(changed.unwrap_or(sniffed.encoding), wanted, "{name}");
        if let Some(encoding) = changed {
            assert!(document.len() > LOOKED_AT, "{name}: it is declared late");
            let mut again = ByteStream::new(Hints::html().encoding(encoding));
            let kept = run(&mut again, [&*document]).expect("no fault");
            let declared = kept.declared.expect("the same <meta>");
            assert_eq!(again.change_encoding(declared), None, "{name}");
        }
    }
}

/// The text of a document that is cut at a place.
fn text(document: &[u8], hints: Hints, cut: usize) -> (Option<Source>, String) {
    let mut stream = ByteStream::new(hints);
    let mut text = String::new();
    for piece in [&document[..cut], &document[cut..]] {
        stream.decode(piece, |piece| text.push_str(piece));
    }
    stream.finish(|piece| text.push_str(piece));
    stream.finish(|_| panic!("it has ended"));
    (stream.sniffed().map(|sniffed| sniffed.source), text)
}

#[test]
fn every_prefix_and_every_cut_is_read() {
    for (name, document, _) in cases() {
        for hints in [Hints::html(), Hints::xml()] {
            let whole = text(&document, hints, 0);
            for cut in 0..document.len() {
                assert_eq!(text(&document, hints, cut), whole, "{name} cut at {cut}");
                let prefix = &document[..cut];
                let sniffed = sniff(prefix, &hints);
                let mut stream = ByteStream::new(hints);
                for byte in prefix.chunks(1 + cut % 7) {
                    stream.decode(byte, |_| {});
                }
                // What is decided early stays so.
                assert!(
                    stream.sniffed().is_none_or(|early| early == sniffed),
                    "{name}: {cut}"
                );
                stream.finish(|_| {});
                assert_eq!(stream.sniffed(), Some(sniffed), "{name}: {cut}");
            }
        }
    }
}

#[test]
fn tokens_do_not_depend_on_cuts() {
    for (name, document, _) in cases() {
        let whole = run(&mut ByteStream::new(Hints::html()), [&*document]).expect("no fault");
        for size in [1, 2, 7, 1000, 1024, 1025] {
            let pieces = document.chunks(size);
            let cut = run(&mut ByteStream::new(Hints::html()), pieces).expect("no fault");
            assert!(cut.tokens == whole.tokens, "{name} in pieces of {size}");
        }
    }
}

#[test]
fn what_weighs_more_wins() {
    use Confidence::{Certain, Tentative};
    let header = "text/html; charset=euc-jp";
    let [html, xml] = [Hints::html(), Hints::xml()];
    let late = [&[b' '; LOOKED_AT - 10][..], b"<meta charset=utf-8>"].concat();
    let cases: &[(&[u8], Hints, &str, Source, Confidence)] = &[
        (b"", html, "windows-1252", Source::Fallback, Tentative),
        (
            b"",
            html.fallback(ISO_8859_2),
            "ISO-8859-2",
            Source::Fallback,
            Tentative,
        ),
        (
            b"<meta charset=utf-8>",
            html,
            "UTF-8",
            Source::Meta,
            Tentative,
        ),
        (&late, html, "windows-1252", Source::Fallback, Tentative),
        (
            b"<meta charset=x-user-defined>",
            html,
            "windows-1252",
            Source::Meta,
            Tentative,
        ),
        (
            b"<meta charset=iso-2022-kr>",
            html,
            "replacement",
            Source::Meta,
            Tentative,
        ),
        (
            b"<meta charset=utf-8>",
            html.content_type(header),
            "EUC-JP",
            Source::ContentType,
            Certain,
        ),
        (
            b"",
            html.content_type("text/html; charset=klingon"),
            "windows-1252",
            Source::Fallback,
            Tentative,
        ),
        (
            b"",
            html.content_type(header).encoding(UTF_8),
            "UTF-8",
            Source::Chosen,
            Certain,
        ),
        (
            b"\xFE\xFF",
            html.content_type(header).encoding(UTF_8),
            "UTF-16BE",
            Source::ByteOrderMark,
            Certain,
        ),
        (b"\xFF\xFE", xml, "UTF-16LE", Source::ByteOrderMark, Certain),
        (
            b"\xEF\xBB\xBF<meta charset=koi8-r>",
            html,
            "UTF-8",
            Source::ByteOrderMark,
            Certain,
        ),
        (
            b"\xEF\xBB",
            html,
            "windows-1252",
            Source::Fallback,
            Tentative,
        ),
        (
            b"<\0?\0x\0",
            html,
            "UTF-16LE",
            Source::FirstBytes,
            Tentative,
        ),
        (
            b"\0<\0?\0x",
            html,
            "UTF-16BE",
            Source::FirstBytes,
            Tentative,
        ),
        (b"<\0?\0", html, "windows-1252", Source::Fallback, Tentative),
        (b"<\0?\0", xml, "UTF-16LE", Source::FirstBytes, Certain),
        (b"\0<\0?", xml, "UTF-16BE", Source::FirstBytes, Certain),
        (
            b"<?xml encoding='koi8-r'?>",
            html,
            "KOI8-R",
            Source::XmlDeclaration,
            Tentative,
        ),
        (
            b"<?xml encoding='x-user-defined'?>",
            html,
            "x-user-defined",
            Source::XmlDeclaration,
            Tentative,
        ),
        (
            b"<?xml encoding='koi8-r'?><meta charset=utf-8>",
            html,
            "UTF-8",
            Source::Meta,
            Tentative,
        ),
        (
            b"<?xml version='1.0' encoding = \"koi8-r\"?>",
            xml,
            "KOI8-R",
            Source::XmlDeclaration,
            Certain,
        ),
        (
            b"<?xml version='1.0' encoding='utf-16'?>",
            xml,
            "UTF-8",
            Source::XmlDeclaration,
            Certain,
        ),
        (
            b"<?xml version='1.0'?><a encoding='koi8-r'>",
            xml,
            "UTF-8",
            Source::Fallback,
            Certain,
        ),
        (
            b"<?xml-stylesheet encoding='koi8-r'?>",
            xml,
            "UTF-8",
            Source::Fallback,
            Certain,
        ),
        (
            b"<meta charset=koi8-r>",
            xml,
            "UTF-8",
            Source::Fallback,
            Certain,
        ),
        (
            b"<?xml version='1.0'?>",
            xml.content_type(header),
            "EUC-JP",
            Source::ContentType,
            Certain,
        ),
    ];
    for (bytes, hints, name, source, confidence) in cases {
        let sniffed = sniff(bytes, hints);
        let found = (sniffed.encoding.name(), sniffed.source, sniffed.confidence);
        assert_eq!(found, (*name, *source, *confidence), "{bytes:?} {hints:?}");
        for cut in 0..=bytes.len() {
            assert_eq!(
                text(bytes, *hints, cut).0,
                Some(*source),
                "{bytes:?} cut at {cut}"
            );
        }
    }
}

#[test]
fn a_late_meta_changes_what_is_tentative() {
    let change = |bytes: &[u8], hints: Hints, declared: &str| {
        let mut stream = ByteStream::new(hints);
        assert_eq!(
            stream.change_encoding(WINDOWS_1252),
            None,
            "nothing is known yet"
        );
        stream.decode(bytes, |_| {});
        stream.finish(|_| {});
        let declared = Encoding::for_label(declared.as_bytes()).expect("a label");
        let changed = stream.change_encoding(declared);
        assert_eq!(stream.change_encoding(declared), None, "only once");
        changed.map(Encoding::name)
    };
    let html = Hints::html();
    assert_eq!(change(b"", html, "utf-8"), Some("UTF-8"));
    assert_eq!(change(b"", html, "utf-16"), Some("UTF-8"));
    assert_eq!(change(b"", html, "x-user-defined"), None);
    assert_eq!(change(b"", html, "latin1"), None);
    assert_eq!(
        change(b"<meta charset=koi8-r>", html, "utf-8"),
        Some("UTF-8")
    );
    assert_eq!(change(b"<\0?\0x\0", html, "utf-8"), None);
    assert_eq!(change(b"\xEF\xBB\xBF", html, "koi8-r"), None);
    assert_eq!(change(b"", html.encoding(UTF_8), "koi8-r"), None);
    assert_eq!(change(b"", Hints::xml(), "koi8-r"), None);
}

#[test]
fn only_a_byte_order_mark_is_skipped() {
    let tokens = |bytes: &[u8], hints: Hints| {
        let kept = run(&mut ByteStream::new(hints), [bytes]).expect("no fault");
        let tokens = kept.tokens.into_iter();
        tokens
            .map(|(token, span)| (token, span.start))
            .collect::<Vec<_>>()
    };
    let text = |text: &str, start| (Token::Text(text.to_owned()), start);
    let found = tokens(b"\xFF\xFEa\0", Hints::html());
    assert_eq!(found, [text("a", 3), (Token::End, 4)]);
    // U+FEFF, but no byte order mark of the Encoding Standard.
    let gb18030 = Hints::html().content_type("text/html; charset=gb18030");
    let found = tokens(b"\x84\x31\x95\x33a", gb18030);
    assert_eq!(found, [text("\u{FEFF}a", 0), (Token::End, 4)]);
}
