//! The batch protocol.

use crate::common;
use std::fmt::Write as _;

use speclex_analysis::engine::InterpreterEngine;
use speclex_analysis::jsonl::Protocol;

/// The answers to some requests, a line each.
fn answers(table: &str, requests: &[u8]) -> String {
    let machine = common::machine(table);
    let mut engine = InterpreterEngine::new(&machine);
    let mut output = Vec::new();
    let served = Protocol::of(&machine).serve(&mut engine, requests, &mut output);
    served.expect("writing to a vector");
    String::from_utf8(output).expect("JSON")
}

fn check(table: &str, exchanges: &[(&str, &str)]) {
    let (mut requests, mut expected) = (String::new(), String::new());
    for (request, answer) in exchanges {
        writeln!(requests, "{request}").expect("writing to a string");
        writeln!(expected, "{answer}").expect("writing to a string");
    }
    assert_eq!(answers(table, requests.as_bytes()), expected);
}

#[test]
fn requests_are_answered_in_order() {
    check(
        "html-2026-06",
        &[
            (
                r#"{"id": 1, "input": "<p a=b/>x&amp;y\r\n\u0001</p c><!DOCTYPE>"}"#,
                r#"{"id":1,"tokens":[["StartTag","p",{"a":"b/"}],["Character","x&y\n\u0001"],["EndTag","p"],["DOCTYPE",null,null,null,false]],"errors":[{"code":"control-character-in-input-stream","line":2,"col":1},{"code":"end-tag-with-attributes","line":2,"col":7},{"code":"missing-doctype-name","line":2,"col":17}]}"#,
            ),
            (
                r#"{"id": "b", "input": "a</title>", "initialState": "rcdata STATE", "lastStartTag": "title"}"#,
                r#"{"id":"b","tokens":[["Character","a"],["EndTag","title"]],"errors":[]}"#,
            ),
            (
                r#"{"id": [1, {}], "input": "<![CDATA[é]]>", "cdataAllowed": true, "chunks": [2, 0, 8]}"#,
                r#"{"id":[1, {}],"tokens":[["Character","é"]],"errors":[]}"#,
            ),
            (
                r#"{"input": "", "initialState": null, "chunks": null}"#,
                r#"{"id":null,"tokens":[],"errors":[]}"#,
            ),
        ],
    );
}

#[test]
fn a_bad_request_is_answered_and_the_stream_goes_on() {
    check(
        "html-2026-06",
        &[
            (
                "{",
                r#"{"id":null,"error":"the line ends before the request does"}"#,
            ),
            (
                r#"{"input": "", "other": 1}"#,
                r#"{"id":null,"error":"unknown field `other`, expected one of `id`, `input`, `initialState`, `contentModel`, `lastStartTag`, `cdataAllowed`, `chunks`, `feedback`, `scripting` (column 21)"}"#,
            ),
            (
                r#"[1, "a"]"#,
                r#"{"id":null,"error":"a request is an object, such as {\"input\": \"<p>\"}"}"#,
            ),
            (
                " [1]",
                r#"{"id":null,"error":"a request is an object, such as {\"input\": \"<p>\"}"}"#,
            ),
            (
                "1",
                r#"{"id":null,"error":"a request is an object, such as {\"input\": \"<p>\"}"}"#,
            ),
            (
                r#"{"id": 1}"#,
                r#"{"id":1,"error":"missing field `input` (column 9)"}"#,
            ),
            (
                r#"{"input": 5, "id": 2}"#,
                r#"{"id":2,"error":"invalid type: integer `5`, expected a string (column 11)"}"#,
            ),
            (
                r#"{"id": 3, "input": "\ud800"}"#,
                r#"{"id":3,"error":"it has a lone surrogate, which UTF-8 cannot express"}"#,
            ),
            (
                r#"{"id": 4, "input": "aé", "chunks": [4]}"#,
                r#"{"id":4,"error":"`chunks` go beyond the input; its length in bytes is 3"}"#,
            ),
            (
                r#"{"id": 5, "input": "a", "chunks": [-1]}"#,
                r#"{"id":5,"error":"invalid value: integer `-1`, expected usize (column 37)"}"#,
            ),
            (
                r#"{"id": 6, "input": "a", "initialState": "tag open state"}"#,
                r#"{"id":6,"error":"unknown `initialState`: \"tag open state\""}"#,
            ),
            (
                r#"{"id": 7, "input": "a", "contentModel": "RCDATA"}"#,
                r#"{"id":7,"error":"the table has no content model flag: use `initialState`"}"#,
            ),
            (
                r#"{"id": 8, "input": "a", "contentModel": "RCDATA", "initialState": "data state"}"#,
                r#"{"id":8,"error":"`initialState` and `contentModel` exclude each other"}"#,
            ),
            (
                r#"{"id": 9, "input": "a"}"#,
                r#"{"id":9,"tokens":[["Character","a"]],"errors":[]}"#,
            ),
        ],
    );
    let not_utf8 = answers("html-2026-06", b"{\"input\": \"\xFF\"}\n{\"input\": \"a\"}");
    let lines: Vec<&str> = not_utf8.lines().collect();
    assert!(lines[0].starts_with(r#"{"id":null,"error":"#), "{not_utf8}");
    assert_eq!(
        lines[1],
        r#"{"id":null,"tokens":[["Character","a"]],"errors":[]}"#
    );
}

#[test]
fn a_content_model_is_a_start_where_the_machine_has_that_flag() {
    let tokens = |tokens: &str| format!(r#"{{"id":null,"tokens":[{tokens}],"errors":[]}}"#);
    check(
        "html-2009",
        &[
            (
                r#"{"input": "<b>&amp;", "contentModel": "PCDATA"}"#,
                &tokens(r#"["StartTag","b",{}],["Character","&"]"#),
            ),
            (
                r#"{"input": "<b>&amp;", "contentModel": "RCDATA"}"#,
                &tokens(r#"["Character","<b>&"]"#),
            ),
            (
                r#"{"input": "<b>&amp;</xmp>", "contentModel": "CDATA", "lastStartTag": "xmp"}"#,
                &tokens(r#"["Character","<b>&amp;"],["EndTag","xmp"]"#),
            ),
            (
                r#"{"input": "</xmp>", "contentModel": "PLAINTEXT", "lastStartTag": "xmp"}"#,
                &tokens(r#"["Character","</xmp>"]"#),
            ),
            (
                r#"{"input": "<b>", "contentModel": "rcdata"}"#,
                r#"{"id":null,"error":"unknown `contentModel`: \"rcdata\""}"#,
            ),
        ],
    );
}

#[test]
fn xml_has_tokens_of_its_own_and_no_correctness() {
    check(
        "xml5",
        &[(
            r#"{"input": "<?a b?><c d='e'/></><!DOCTYPE f>"}"#,
            r#"{"id":null,"tokens":[["PI","a","b"],["EmptyTag","c",{"d":"e"}],["ShortTag",""],["DOCTYPE","f",null,null]],"errors":[]}"#,
        )],
    );
}
