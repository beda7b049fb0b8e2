//! Spans of tokens as ranges of the original bytes.

use std::fs;

use speclex::Span;
use speclex::encoding::encoding_rs::{Encoding, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use speclex::encoding::{ByteStream, Hints, SourceMap};
use speclex_tests::{files, shared};

use crate::{Token, run};

/// Encodings that differ in how they are decoded.
const LABELS: [&str; 10] = [
    "utf-8",
    "utf-16be",
    "utf-16le",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "windows-1252",
];

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    match () {
        () if encoding == UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        () if encoding == UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        () => encoding.encode(text).0.into_owned(),
    }
}

#[test]
fn tags_of_real_pages_are_found_in_their_bytes() {
    let Some(folder) = shared("corpora/html/intl") else {
        return;
    };
    let pages = files(&folder, &["html"]);
    assert!(!pages.is_empty());
    let mut found = 0;
    for (page, label) in pages.iter().step_by(5).zip(LABELS.iter().cycle()) {
        let page = String::from_utf8_lossy(&fs::read(page).expect("a page")).into_owned();
        let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
        let bytes = encoded(&page, encoding);
        let mut stream = ByteStream::new(Hints::html().encoding(encoding)).with_source_map();
        let kept = run(&mut stream, bytes.chunks(1500)).expect("no fault");
        let map = stream.source_map().expect("a map");
        let mut end = 0;
        for (token, span) in kept.tokens {
            let range = map.range(span, &bytes);
            let range = range.start as usize..range.end as usize;
            assert!(end <= range.start, "{label}: {token:?} {span:?}");
            end = range.end;
            if let Token::Tag(name) = token {
                let source = encoding
                    .decode_without_bom_handling(&bytes[range])
                    .0
                    .to_lowercase();
                assert!(
                    source.starts_with(&name) && source.ends_with('>'),
                    "{source} {name}"
                );
                found += 1;
            }
        }
        assert_eq!(end, bytes.len(), "{label}");
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn malformed_utf_8_that_a_tokenizer_is_fed_has_its_places() {
    use speclex_tokenizers::html_living::Tokenizer;

    let document = b"\xEF\xBB\xBF\xC3(\xE2\x82<p>\xF0\x9F\x98\x80\xFF<br>".repeat(1000);
    let mut tokenizer = Tokenizer::new(crate::Kept::default());
    let mut map = SourceMap::new(UTF_8);
    for piece in document.chunks(100) {
        tokenizer.feed_bytes(piece).expect("no fault");
        map.push(piece);
    }
    tokenizer.end().expect("no fault");
    for (token, span) in tokenizer.into_sink().tokens {
        let range = map.range(span, &document);
        let source = &document[range.start as usize..range.end as usize];
        match token {
            Token::End => assert!(source.is_empty() && range.end == document.len() as u64),
            Token::Tag(name) => assert_eq!(source, format!("{name}>").as_bytes()),
            Token::Text(text) => assert_eq!(String::from_utf8_lossy(source), text),
        }
    }
}

#[test]
fn a_map_takes_as_little_as_its_documentation_says() {
    const LENGTH: usize = 16 << 20;
    let piece = "\u{30C6}\u{30AD}\u{30B9}\u{30C8}".repeat(100);
    let piece = SHIFT_JIS.encode(&piece).0;
    let mut map = None;
    let allocated = allocation_counter::measure(|| {
        let mut pushed = SourceMap::new(SHIFT_JIS);
        for _ in 0..LENGTH / piece.len() {
            pushed.push(&piece);
        }
        map = Some(pushed);
    });
    let allowed = 16 * (LENGTH / 4096) + 4096 + 64;
    assert!(
        allocated.bytes_current <= allowed as i64,
        "{} > {allowed}",
        allocated.bytes_current
    );
    let whole = piece.repeat(LENGTH / piece.len());
    let last = Span {
        start: whole.len() as u64 / 2 * 3 - 3,
        end: whole.len() as u64 / 2 * 3,
    };
    let end = whole.len() as u64;
    assert_eq!(map.expect("a map").range(last, &whole), end - 2..end);
}
