//! Texts, their records and their errors.

use csv_example::csv::{self, Token};
use csv_example::read;

/// Fields in brackets, records by line, then errors with their offsets.
fn show(text: &str) -> String {
    let (records, errors) = read(text);
    let mut shown = String::new();
    for record in &records {
        for field in record {
            shown += &format!("[{}]", field.escape_debug());
        }
        shown.push('\n');
    }
    for error in &errors {
        shown += &format!("{} {}\n", error.offset, error.code);
    }
    shown
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(show(text), expected, "{text:?}");
}

#[test]
fn the_rules_of_the_text() {
    // Rules 1 to 7, in their order.
    check("aaa,bbb\r\nzzz,yyy\r\n", "[aaa][bbb]\n[zzz][yyy]\n");
    check("aaa,bbb\r\nzzz,yyy", "[aaa][bbb]\n[zzz][yyy]\n");
    check(" a , b \r\n", "[ a ][ b ]\n");
    check("\"aaa\",\"bbb\"\r\nzzz,yyy", "[aaa][bbb]\n[zzz][yyy]\n");
    check("\"b \r\nb\",\"c,c\"", "[b \\r\\nb][c,c]\n");
    check("\"b\"\"bb\",c", "[b\\\"bb][c]\n");
}

#[test]
fn empty_fields_and_records() {
    check("", "");
    check("\r\n", "[]\n");
    check(",", "[][]\n");
    check("a,\r\n,b\r\n", "[a][]\n[][b]\n");
    check("\"\"", "[]\n");
    check("a\r\n\r\nb", "[a]\n[]\n[b]\n");
}

#[test]
fn errors_lose_nothing() {
    check("a\nb", "[a]\n[b]\n1 bare-line-feed\n");
    check("a\rb", "[a]\n[b]\n2 bare-carriage-return\n");
    check("a\r", "[a]\n2 bare-carriage-return\n");
    check("a\"b\",c", "[a\\\"b\\\"][c]\n1 quote-in-unquoted-field\n3 quote-in-unquoted-field\n");
    check("\"a\"b\"c,d", "[ab\\\"c][d]\n3 character-after-quoted-field\n");
    check("\"a,b\r\n", "[a,b\\r\\n]\n6 eof-in-quoted-field\n");
    check("a\0b", "[a\\0b]\n1 control-character-in-input-stream\n");
    check("a\t\u{7F}", "[a\\t\\u{7f}]\n1 control-character-in-input-stream\n2 control-character-in-input-stream\n");
    check("\u{FEFF}a", "[a]\n");
}

#[test]
fn fields_say_whether_they_were_quoted_and_where_they_are() {
    let tokens: Vec<_> = csv::tokens("a,\"é\"\r\n").collect();
    let field = |value: &'static str, quoted| Token::Field {
        value: value.into(),
        quoted,
    };
    let kinds: Vec<_> = tokens.iter().map(|(token, _)| token.clone()).collect();
    assert_eq!(
        kinds,
        [field("a", false), field("é", true), Token::RecordEnd, Token::EndOfFile]
    );
    let spans: Vec<_> = tokens.iter().map(|(_, span)| (span.start, span.end)).collect();
    assert_eq!(spans, [(0, 1), (2, 6), (6, 8), (8, 8)]);
}

#[test]
fn pieces_of_any_size_make_the_same_records() {
    let text = "a,\"b\"\"\r\n\",\u{E9}\r\n\"x\"y,\rz\n";
    let whole = read(text);
    for size in 1..text.len() {
        let mut tokenizer = csv::Tokenizer::new(csv_example::Records::default());
        for piece in text.as_bytes().chunks(size) {
            tokenizer.feed_bytes(piece).expect("no content is asked for");
        }
        tokenizer.end().expect("no content is asked for");
        let sink = tokenizer.into_sink();
        assert_eq!((sink.records, sink.errors), whole, "pieces of {size}");
    }
}
