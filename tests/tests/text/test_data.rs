//! Reading test data, and running it.

use libtest_mimic::Failed;
use speclex_analysis::html5lib::read_tests;
use speclex_analysis::html5lib::{ExpectedErrors, Skip, Start};
use speclex_analysis::token::Token;
use speclex_tests::cases::{Case, all};
use speclex_tests::tree_cases::read_dat;

#[test]
fn reads_both_formats() {
    let suite = read_tests(
        "a.test",
        r#"{"tests": [
            {"description": "old", "input": "a", "contentModelFlags": ["RCDATA", "CDATA"],
             "output": [["Character", "a"], "ParseError", ["Character", "b"]]},
            {"description": "new", "input": "\\u0041\\uD83D\\uDE00", "doubleEscaped": true,
             "lastStartTag": "x", "output": [["StartTag", "\\u0041", {"\\u0042": "\\u0043"}]],
             "errors": [{"code": "c", "line": 1, "col": 2}]},
            {"description": "lone, twice escaped", "input": "\\uD800", "doubleEscaped": true,
             "output": [["Character", "\\uD800"]], "initialStates": ["A state", "B state"]},
            {"description": "lone", "input": "\uDC00", "output": []}
        ], "xmlViolationTests": [{}]}"#,
    )
    .expect("a test file");
    assert_eq!(suite.count_skipped(Skip::LoneSurrogate), 3);
    assert_eq!(suite.count_skipped(Skip::InfosetCoercion), 1);
    let [rcdata, cdata, new] = suite.cases.as_slice() else {
        panic!("three cases, not {:?}", suite.cases);
    };
    assert_eq!(rcdata.start, Start::ContentModel("RCDATA".to_owned()));
    assert_eq!(cdata.start, Start::ContentModel("CDATA".to_owned()));
    assert_eq!(rcdata.tokens, [Token::Characters("ab".to_owned())]);
    assert_eq!(rcdata.errors, ExpectedErrors::Count(1));
    assert_eq!(new.input, "A\u{1F600}");
    assert_eq!(new.start, Start::State("Data state".to_owned()));
    let form = speclex_analysis::html5lib::Form {
        markup: true,
        correctness: true,
    };
    let json = form.to_json(&new.tokens[0]).to_string();
    assert_eq!(json, r#"["StartTag","A",{"B":"C"}]"#);
    assert!(matches!(&new.errors, ExpectedErrors::Exact(errors) if errors.len() == 1));
}

#[test]
fn a_bad_file_is_an_error() {
    assert!(read_tests("a.test", "{").is_err());
    assert!(read_tests("a.test", r#"{"tests": [{"input": 1}]}"#).is_err());
}

#[test]
fn parts_are_told_apart() {
    let text =
        "#data\n<a>\n\n#errors\n1:1 x\n#document\n| <a>\n|   \"\n\n\"\n\n\n#data\n\n#document\n";
    let cases = read_dat("t", text).expect("two tests");
    assert_eq!(cases.len(), 2);
    assert_eq!((cases[0].data.as_str(), cases[0].line), ("<a>\n", 1));
    assert_eq!(cases[0].errors.as_deref(), Some(&["1:1 x".to_owned()][..]));
    assert_eq!(cases[0].document, "| <a>\n|   \"\n\n\"");
    assert_eq!((cases[1].data.as_str(), &cases[1].errors), ("", &None));
    let text = "#data\n<a>\n#errors\nx\n#new-errors\n(1:1) y\n#document-fragment\nsvg a\n#script-off\n#document\n| b\n";
    let cases = read_dat("t", text).expect("a fragment");
    assert_eq!(cases[0].errors.as_deref(), Some(&["x".to_owned()][..]));
    assert_eq!(cases[0].context.as_deref(), Some("svg a"));
    assert_eq!(cases[0].scripting, Some(false));
    assert_eq!(cases[0].document, "| b");
}

#[test]
fn what_is_no_test_is_refused() {
    assert!(read_dat("t", "data\n").is_err());
    assert!(read_dat("t", "#data\n<a>\n").is_err());
    assert!(read_dat("t", "#data\n<a>\n#errors\n#fragment\na\n#document\n").is_err());
    assert!(read_dat("t", "#data\n<a>\n#errors\n#document-fragment\na\n").is_err());
}

#[test]
fn all_cases_that_fail_are_listed() {
    let case =
        |name: &str, run: fn() -> Result<(), Failed>| -> Case { (name.to_owned(), Box::new(run)) };
    let failed = all(vec![
        case("#1", || Err("no".into())),
        case("#2", || Ok(())),
        case("#3", || panic!("a panic")),
    ]);
    let message = "2 of 3 cases fail:\n#1: no\n#3: a panic";
    assert_eq!(failed.expect_err("two fail").message(), Some(message));
}
