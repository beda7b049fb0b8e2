//! Tokens in the form of html5lib-tests.

use serde_json::json;
use speclex_analysis::html5lib::Form;
use speclex_analysis::testing::read_token;

const HTML: Form = Form {
    markup: true,
    correctness: true,
};

#[test]
fn the_form_survives_a_round_trip() {
    for written in [
        json!(["Character", "a"]),
        json!(["StartTag", "a", {"b": "c", "d": ""}]),
        json!(["StartTag", "a", {}, true]),
        // A table of one's own may keep both.
        json!(["StartTag", "a", [["b", "c"], ["b", "d"]]]),
        json!(["EndTag", "a"]),
        json!(["EmptyTag", "a", {"b": ""}]),
        json!(["ShortTag", ""]),
        json!(["Comment", ""]),
        json!(["DOCTYPE", null, "", "x", false]),
        json!(["PI", "a", "b"]),
        json!(["XmlDeclaration", {"version": "1.0", "encoding": null, "standalone": "yes"}]),
        json!(["EntityRef", "a"]),
        json!(["record", "a", null, true, [["b", "c"]]]),
    ] {
        let token = read_token(&written).expect("a token");
        assert_eq!(HTML.to_json(&token), written);
    }
    let xml = Form {
        correctness: false,
        ..HTML
    };
    let doctype = json!(["DOCTYPE", "a", null, null]);
    let token = read_token(&doctype).expect("a token");
    assert_eq!(xml.to_json(&token), doctype);
    assert!(read_token(&json!(["Comment", 1])).is_err());
}
