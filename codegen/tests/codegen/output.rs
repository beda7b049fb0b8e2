//! What is written: identifiers, JSON, the schema, and text with characters that would be taken for something else.

use speclex_codegen::escape::{line, lines, markdown, markdown_code};
use speclex_codegen::schema;
use speclex_codegen::testing::{self, identifiers};

#[test]
fn names_of_the_texts_become_identifiers() {
    let name = "attribute value (double-quoted)";
    let [value, ty, _] = identifiers(name);
    assert_eq!(value, "attribute_value_double_quoted");
    assert_eq!(ty, "AttributeValueDoubleQuoted");
    assert_eq!(identifiers("DOCTYPE")[1], "Doctype");
    assert_eq!(identifiers("eof-in-tag")[2], "EOF_IN_TAG");
    assert_eq!(identifiers("match")[0], "match_");
    assert_eq!(identifiers("8 bit")[0], "_8_bit");
    assert_eq!(identifiers("na\u{EF}ve \u{540D}")[0], "na_u00ef_ve_u540d");
    assert_eq!(identifiers("\u{1F41F}")[1], "U1f41f");
    assert_eq!(identifiers("$")[2], "U0024");
}

#[test]
fn values_print_on_lines_of_their_own() {
    assert_eq!(
        testing::json("a \"b\"", vec!["x\ny", "\\"]),
        "{\n  \"a \\\"b\\\"\": [\n    \"x\\u000ay\",\n    \"\\\\\"\n  ],\n  \"empty\": [],\n  \"yes\": true\n}\n"
    );
}

#[test]
fn references_lead_somewhere_and_patterns_are_whole() {
    let schema = schema();
    let mut references = 0;
    for (at, _) in schema.match_indices("\"#/$defs/") {
        let name = schema[at..].trim_start_matches("\"#/$defs/");
        let name = name.split('"').next().unwrap_or_default();
        assert!(schema.contains(&format!("    \"{name}\": {{")), "{name}");
        references += 1;
    }
    assert!(references > 20);
    let read: serde_yaml::Value = serde_yaml::from_str(&schema).expect("JSON is YAML");
    let table = &read["$defs"]["tokenizer-table"];
    assert_eq!(
        table["properties"]["states"]["type"].as_str(),
        Some("object")
    );
    assert_eq!(table["required"][0].as_str(), Some("table"));
}

#[test]
fn templates_become_patterns_and_snippets() {
    let schema = schema();
    for pattern in [
        "^emit( (the|a|an))? .+ token as( (the|a|an))? .+ token$",
        "^emit an? .+ token$",
    ] {
        assert!(
            schema.contains(&format!("\"pattern\": \"{pattern}\"")),
            "{pattern}"
        );
    }
    assert!(schema.contains("append ${1:VALUE} to ${2:FIELD}"));
}

#[test]
fn controls_are_shown() {
    assert_eq!(
        line("a\x1b]0;t\x07\n\u{202E}é"),
        r"a\u{1b}]0;t\u{7}\u{a}\u{202e}é"
    );
    assert_eq!(lines("a\r\nb\u{85}"), "a\\u{d}\nb\\u{85}");
    assert_eq!(line("plain `text` <b>"), "plain `text` <b>");
}

#[test]
fn markdown_has_no_markup_of_html() {
    assert_eq!(markdown("U+003C (<)"), "U+003C (<)");
    assert_eq!(markdown("</script><!-- <?x"), r"\</script>\<!-- \<?x");
    assert_eq!(markdown("[x](javascript:)"), r"[x]\(javascript:)");
    assert_eq!(markdown_code("a<b"), "`a<b`");
    assert_eq!(markdown_code("`"), "`` ` ``");
    assert_eq!(markdown_code("a``b"), "```a``b```");
}
