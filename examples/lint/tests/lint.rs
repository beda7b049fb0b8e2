//! Pages and what is printed of them.

use lint_example::lint;

#[track_caller]
fn check(page: impl AsRef<[u8]>, errors: usize, expected: &str) {
    let report = lint("page.html", page.as_ref());
    assert_eq!(report.text, expected);
    assert_eq!(report.errors, errors);
}

#[test]
fn a_page_without_errors_says_nothing() {
    check("\u{FEFF}<!DOCTYPE html><p title=x>&lt;", 0, "");
}

#[test]
fn errors_come_with_their_lines() {
    check(
        "<!DOCTYPE html>\r\n<p title=x>é€ &lt\r\n\r<a b=1\tB=2>\n\n\x01</><!--",
        5,
        "\
error[missing-semicolon-after-character-reference]: A character reference ends with \";\".
 --> page.html:2:18
  |
2 | <p title=x>é€ &lt
  |                  ^
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-missing-semicolon-after-character-reference

error[duplicate-attribute]: The tag already has an attribute of this name; the later one is ignored.
 --> page.html:4:8
  |
4 | <a b=1    B=2>
  |    ---    ^^^ this one is ignored
  |    |
  |    the first of this name
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-duplicate-attribute

error[control-character-in-input-stream]: A control character that is not white space does not belong in a document.
 --> page.html:6:1
  |
6 | ␁</><!--
  | ^
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-control-character-in-input-stream

error[missing-end-tag-name]: The end tag has no name; \"</>\" is ignored.
 --> page.html:6:4
  |
6 | ␁</><!--
  |    ^
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-missing-end-tag-name

error[eof-in-comment]: The document ends inside a comment, before its \"-->\".
 --> page.html:6:9
  |
6 | ␁</><!--
  |         ^
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-eof-in-comment

",
    );
}

#[test]
fn both_attributes_of_one_name_are_shown_under_each_other() {
    check(
        "<!DOCTYPE html>\n<p class='a'\n  title=x\n  CLASS = \"b c\">",
        1,
        "\
error[duplicate-attribute]: The tag already has an attribute of this name; the later one is ignored.
 --> page.html:4:3
  |
4 |   CLASS = \"b c\">
  |   ^^^^^^^^^^^^^ this one is ignored
  |
 ::: page.html:2:4
  |
2 | <p class='a'
  |    --------- the first of this name
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-duplicate-attribute

",
    );
}

#[test]
fn bytes_that_are_not_utf_8_do_not_hide_an_error() {
    check(
        b"\xEF\xBB\xBF\xFF</>\xE2\x82",
        1,
        "\
error[missing-end-tag-name]: The end tag has no name; \"</>\" is ignored.
 --> page.html:1:4
  |
1 | �</>�
  |    ^
  |
  = note: https://html.spec.whatwg.org/multipage/parsing.html#parse-error-missing-end-tag-name

",
    );
}

#[test]
fn a_long_line_is_cut_and_of_many_errors_the_first_are_shown() {
    let report = lint("page.html", "text </>".repeat(20_000).as_bytes());
    assert_eq!(report.errors, 20_000);
    assert!(report.text.ends_with("\nand 19900 more errors\n"));
    assert!(report.text.contains(" --> page.html:1:800\n"));
    assert_eq!(report.text.matches("^\n").count(), 100);
    assert!(report.text.len() < 100 * 600, "{}", report.text.len());
}

#[test]
fn a_token_that_is_too_long_is_an_error() {
    let page = format!("<!--{}", "x".repeat(speclex::Limits::default().token_bytes));
    let report = lint("page.html", page.as_bytes());
    assert_eq!(report.errors, 1);
    assert_eq!(
        report.text,
        "page.html: the token at offset 0 has more than 67108864 bytes: the limit `token_bytes`, which `Tokenizer::set_limits` raises\n"
    );
}

#[test]
fn every_error_of_every_start_of_a_page_is_shown() {
    let page = "\u{FEFF}<!DOCTYPE\r\n<p\r\na=é&lt;b'\r'>&#x80;&#;\r\n&lt\r\n</é\0>\u{1}\u{1F600}<a ü=€ ü\r\n=>\u{FDD0}</p x>\r<![CDATA[";
    for end in 0..page.len() {
        let report = lint("page.html", &page.as_bytes()[..end]);
        assert_eq!(
            report.text.matches("\n --> page.html:").count(),
            report.errors
        );
        let marks = ["^\n", "^ this one is ignored\n"].map(|it| report.text.matches(it).count());
        assert_eq!(
            marks.iter().sum::<usize>(),
            report.errors,
            "{}",
            report.text
        );
    }
}

#[test]
fn names_are_the_same_as_tokens_have_them() {
    let report = lint("page.html", "<a B\0=1 b\u{FFFD}=2>".as_bytes());
    assert!(
        report.text.contains("the first of this name"),
        "{}",
        report.text
    );
}
