//! Streams and what becomes of them.

use std::io::{self, Write};

use rewrite_example::Rewriter;
use speclex::Limits;
use speclex_tokenizers::html_living::{Token, tokens};

fn to(href: &str) -> Option<String> {
    Some(format!("/to/{href}"))
}

/// The stream rewritten in pieces of a size.
fn by(stream: &[u8], size: usize, change: fn(&str) -> Option<String>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rewriter = Rewriter::new(Limits::default(), change);
    for piece in stream.chunks(size) {
        rewriter
            .feed(piece, &mut out)
            .expect("no token is too long");
    }
    rewriter.end(&mut out).expect("no token is too long");
    out
}

#[track_caller]
fn check(stream: impl AsRef<[u8]>, expected: impl AsRef<[u8]>) {
    let (stream, expected) = (stream.as_ref(), expected.as_ref());
    for size in 1..=stream.len() {
        let out = by(stream, size, to);
        let [out, expected] = [&out, expected].map(|text| text.escape_ascii().to_string());
        assert_eq!(out, expected, "pieces of {size}");
    }
}

#[test]
fn every_form_of_an_attribute() {
    check("<a href=\"x\">", "<a href=\"/to/x\">");
    check("<A b=href HREF\n=\t'x'c>", "<A b=href HREF\n=\t\"/to/x\"c>");
    check("<a href=x/>", "<a href=\"/to/x/\">");
    check("<a/href/>", "<a/href=\"/to/\"/>");
    check("<a href >", "<a href=\"/to/\" >");
    check("<a href= >", "<a href= \"/to/\">");
    check(
        "<a =href=1 href='&lt;\"&amp;amp;'>",
        "<a =href=1 href=\"/to/<&quot;&amp;amp;\">",
    );
    check("<a href=1 href=2>", "<a href=\"/to/1\" href=2>");
    check("<a href='&#13;\r\n'>", "<a href=\"/to/&#13;\n\">");
}

#[test]
fn what_is_no_tag_stays() {
    let stream = "\u{FEFF}</a href=1><!--<a href=1>--></><script><a href=1></script><title><a href=1></title>\0\r&amp;<a href=1";
    check(stream, stream);
}

#[test]
fn bytes_that_are_not_utf_8_stay() {
    check(
        b"\xFF<a \xE2\x82=\xF0\x9F href='\xC3\xA9'>\xE2<a href=x>\xE2\x82",
        b"\xFF<a \xE2\x82=\xF0\x9F href=\"/to/\xC3\xA9\">\xE2<a href=\"/to/x\">\xE2\x82",
    );
}

#[test]
fn a_value_that_is_not_utf_8_stays_and_is_not_asked_for() {
    // U+001A is a character like others.
    let stream = b"<a href=\"\xFF\">x<a href='\x1A&#26;'><a href='b\xE2\x82&amp;' x=\xFF><a \xF0\x9F href=\xE2\x82\xAC>\
        <a href=\xE2\x82\xAC\xC3><a href=y>";
    let expected = b"<a href=\"\xFF\">x<a href=\"/to/\x1A\x1A\"><a href='b\xE2\x82&amp;' x=\xFF>\
        <a \xF0\x9F href=\"/to/\xE2\x82\xAC\"><a href=\xE2\x82\xAC\xC3><a href=\"/to/y\">";
    check(stream, expected);
    for cut in 0..=stream.len() {
        let (mut out, mut asked) = (Vec::new(), Vec::new());
        let mut rewriter = Rewriter::new(Limits::default(), |href: &str| {
            asked.push(href.to_owned());
            to(href)
        });
        for piece in [&stream[..cut], &stream[cut..]] {
            rewriter
                .feed(piece, &mut out)
                .expect("no token is too long");
        }
        rewriter.end(&mut out).expect("no token is too long");
        assert_eq!(
            out.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "cut at {cut}"
        );
        assert_eq!(asked, ["\u{1A}\u{1A}", "\u{20AC}", "y"], "cut at {cut}");
    }
}

#[test]
fn a_change_of_nothing_changes_nothing() {
    let stream = b"<a href=x>\xFF<a href='y'>";
    assert_eq!(by(stream, 3, |_| None), stream);
}

/// A generator of numbers that are random enough.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn tokens_are_those_of_the_stream_but_for_the_values() {
    let parts = [
        "<a", "<A ", "<p", "</a", "</", "<!--", "-->", "<!", "<script", "</script", "<title", ">",
        ">", "/", "=", "'", "\"", " ", "\r", "\n", "href", "href", "HREF=", "x", "&amp;", "&lt",
        "\0", "é",
    ];
    let mut numbers = Numbers(1);
    let mut changed = 0;
    for _ in 0..20_000 {
        let start = ["", "<a ", "<a href", "<p x href="][numbers.below(4)];
        let rest = (0..numbers.below(20)).map(|_| parts[numbers.below(parts.len())]);
        let stream: String = std::iter::once(start).chain(rest).collect();
        let mut expected: Vec<_> = tokens(&stream).map(|(token, _)| token).collect();
        for token in &mut expected {
            if let Token::StartTag { attributes, .. } = token
                && let Some((_, value)) = attributes.iter_mut().find(|(name, _)| name == "href")
            {
                *value = format!("/to/{value}").into();
                changed += 1;
            }
        }
        let out = by(stream.as_bytes(), 1 + numbers.below(8), to);
        let out = String::from_utf8(out).expect("the stream is UTF-8");
        let got: Vec<_> = tokens(&out).map(|(token, _)| token).collect();
        assert_eq!(got, expected, "{stream:?} became {out:?}");
    }
    assert!(changed > 1000, "{changed}");
}

/// A part of a long stream, and what it becomes.
fn part(number: u64) -> [Vec<u8>; 2] {
    let long = |text: &[u8]| [text.repeat(100_000), text.repeat(100_000)];
    match number % 8192 {
        // Longer than what may be kept: text of two kinds, what makes no token, what is not UTF-8.
        1000 => long(b"text &amp; more\n"),
        2000 => long(b"</>"),
        3000 => long(b"\xFF"),
        4000 => [b"<script>".to_vec(), b"<script>".to_vec()],
        4001 => long(b"</scrip></"),
        4002 => [b"</script>".to_vec(), b"</script>".to_vec()],
        _ => ["", "/to/"].map(|to| {
            format!("<p>Part {number} of <A\r\n id=\"n{number}\" HREF = \"{to}{number}\" class=x>\u{E9}</a><!-- href=1 -->").into()
        }),
    }
}

/// Compares what is written with what the parts become.
struct Expecting {
    part: u64,
    rest: Vec<u8>,
    length: u64,
}

impl Write for Expecting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while self.rest.len() < bytes.len() {
            let [_, expected] = part(self.part);
            self.rest.extend(expected);
            self.part += 1;
        }
        let is_expected = self.rest.starts_with(bytes);
        assert!(is_expected, "other bytes than expected at {}", self.length);
        self.rest.drain(..bytes.len());
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `REWRITE_MIB` sets the size of the stream; 64 otherwise.
#[test]
fn a_long_stream_is_rewritten_in_bounded_memory() {
    const CHUNK: usize = 1 << 14;
    let size = match std::env::var("REWRITE_MIB") {
        Ok(size) => size.parse().expect("REWRITE_MIB is a number"),
        Err(_) => 64_u64,
    } << 20;
    let limits = Limits::default().with_token_bytes(1 << 12);
    let mut rewriter = Rewriter::new(limits, to);
    let mut out = Expecting {
        part: 0,
        rest: Vec::new(),
        length: 0,
    };
    let (mut parts, mut length) = (0, 0);
    while length < size {
        let [stream, _] = part(parts);
        parts += 1;
        length += stream.len() as u64;
        for chunk in stream.chunks(CHUNK) {
            rewriter
                .feed(chunk, &mut out)
                .expect("no token is too long");
            // A vector at most doubles.
            assert!(rewriter.memory() <= 2 * (CHUNK + limits.token_bytes));
        }
    }
    rewriter.end(&mut out).expect("no token is too long");
    assert!(out.length > size, "all is written");
    assert_eq!(out.part, parts, "all is written");
    assert!(out.rest.is_empty(), "all is written");
}

#[test]
fn a_token_without_an_end_is_an_error_and_not_memory() {
    let limits = Limits::default().with_token_bytes(1 << 12);
    let mut rewriter = Rewriter::new(limits, to);
    let mut fed = rewriter.feed(b"<a href='", &mut io::sink());
    for _ in 0..100 {
        fed = fed.and_then(|()| rewriter.feed(&[b'x'; 100], &mut io::sink()));
    }
    let error = fed.expect_err("the value is too long");
    assert!(error.to_string().contains("offset 0"), "{error}");
    assert!(rewriter.memory() < 1 << 14);
}
