//! YAML: where scalars stand, how deep brackets are nested, and the quotes that a line lacks.

use speclex_codegen::testing::{self, MOST_NESTING, deeper_than, key_end, quoted};

const TEXT: &str = "\
# é: a comment
key: value
'it''s quoted': [\"one\", 'twö', three four, 5, ~, true]
ünï: {a: \"tab\\there\", c: 1.10}
folded: >-
  some
  text
";

#[test]
fn both_ways_to_find_a_scalar_agree() {
    let all = testing::scalars(TEXT).expect("the text is sound");
    assert_eq!(all.len(), 16);
    for scalar in &all {
        let (start, len) = scalar.found;
        assert_eq!(scalar.stopped, Some(start), "{scalar:?}");
        let shown = &TEXT[start..start + len];
        let short = |v: &&String| v.is_ascii() && v.len() < 6;
        if let Some(value) = scalar.value.as_ref().filter(short) {
            let bare = shown.trim_matches(['"', '\'']);
            assert_eq!(bare, value);
        }
    }
}

#[test]
fn parts_are_found_in_quotes() {
    let shown = |scalar, start, len| {
        let (start, len) = testing::part(TEXT, scalar, start, len);
        &TEXT[start..start + len]
    };
    assert_eq!(shown(1, 2, 3), "lue");
    assert_eq!(shown(2, 5, 6), "quoted");
    assert_eq!(shown(3, 1, 2), "ne");
    assert_eq!(shown(5, 6, 4), "four");
}

#[test]
fn numbers_keep_their_zeros() {
    assert_eq!(testing::raw(TEXT, 13).as_deref(), Some("1.10"));
}

fn deepest(text: &str) -> Option<usize> {
    (0..100).find(|&most| deeper_than(most, text).is_none())
}

#[test]
fn brackets_that_open_nothing_are_text() {
    for (text, expected) in [
        ("a: [x, {y: [z]}]", 3),
        ("U+005B ([): stay\nU+007B ({): [stay, b]", 1),
        ("a: b [[[ c", 0),
        ("a: 'it''s [[[' # [[[\nb: \"[[\\\"[[\"", 0),
        ("a: it's [\nb: it's [x]", 0),
        ("- text\n  [[[ goes on\n- [x]", 1),
        ("a: |\n  [[[[\n\n  {{{\nb: [x]", 1),
        ("a:\n  - >-\n    [[\n    [[\n  - [[x]]", 2),
        ("- |2\n    [[\n  [[\n- [y]", 1),
        ("a: &x [b]\nc: !t {d: *x}", 1),
        ("a: [b [c], # [[[\n  d]", 2),
        ("[a, 'b]]', \"c[\", it's [d]]: x", 2),
        ("a:\n  b:\n    c [\n    d: [\n", 1),
        ("--- [a]\n--- [[b]]", 2),
        ("a: [http://x/[y], b#c, d #[\n ]", 2),
    ] {
        assert_eq!(deepest(text), Some(expected), "{text}");
    }
}

#[test]
fn the_limit_is_exact() {
    let too_deep = |text: &str| deeper_than(MOST_NESTING, text);
    let nested = |n: usize| "x: ".to_owned() + &"[".repeat(n) + &"]".repeat(n);
    assert_eq!(too_deep(&nested(MOST_NESTING)), None);
    assert_eq!(too_deep(&nested(MOST_NESTING + 1)), Some(3 + MOST_NESTING));
    assert_eq!(
        too_deep(&"{a: [".repeat(20_000)),
        Some(MOST_NESTING / 2 * 5)
    );
}

#[test]
fn lines_get_the_quotes_that_they_lack() {
    for (line, expected) in [
        ("  >: stay", "  U+003E (>): stay"),
        ("  #: stay", "  U+0023 (#): stay"),
        ("  \": stay", "  U+0022 (\"): stay"),
        ("  [: stay", "  U+005B ([): stay"),
        ("  ,: stay", "  U+002C (,): stay"),
        ("  #, !: stay", "  U+0023 (#), U+0021 (!): stay"),
        ("  U+0021 (!), #: stay", "  U+0021 (!), U+0023 (#): stay"),
        ("\"#\", \"!\": ignore # x", "'\"#\", \"!\"': ignore # x"),
        (
            "\"AB\" ASCII case-insensitively: [stay]",
            "'\"AB\" ASCII case-insensitively': [stay]",
        ),
        (
            "EOF: [emit U+005B ([), emit EOF]",
            "EOF: ['emit U+005B ([)', emit EOF]",
        ),
        (
            "EOF: [emit \"[/\", emit EOF] # [",
            "EOF: ['emit \"[/\"', emit EOF] # [",
        ),
        (
            "x: [U+0021, [, *, U+002C (,)]",
            "x: [U+0021, 'U+005B ([)', U+002A (*), 'U+002C (,)']",
        ),
        ("x: [U+0021, #, \"a\"]", "x: [U+0021, U+0023 (#), \"a\"]"),
        (
            "- {if x is \"a, b\": [stay], otherwise: emit \"'\"}",
            "- {'if x is \"a, b\"': [stay], otherwise: emit \"'\"}",
        ),
        ("x: emit \"a: b\"", "x: 'emit \"a: b\"'"),
        ("x: 'it''s' so", "x: '''it''''s'' so'"),
        ("x: @y", "x: '@y'"),
        ("x: *", "x: U+002A (*)"),
    ] {
        assert_eq!(quoted(line).0, expected, "{line}");
    }
}

#[test]
fn sound_lines_stay_as_they_are() {
    for line in [
        "  U+003E (>): switch to data",
        "  '\"#\", \"!\"': ignore",
        "  x: >",
        "  x: |-",
        "  x: [a, [b, {if c is \"d\": e}], 'f, g'] # h: [",
        "  - if x: [y]",
        "  # yaml-language-server: $schema=schema.json",
        "x: \"a, b\"",
        "title: C # 1: x",
    ] {
        assert_eq!(quoted(line).0, line);
    }
}

#[test]
fn what_is_open_and_what_was_changed_is_told() {
    let (_, piece, open) = quoted("EOF: [emit U+005B ([), {if x: [y");
    assert_eq!(open, "]}]");
    assert_eq!(piece, 6..21);
    let inside = testing::quoted_in_brackets("  emit U+005B ([), stay]");
    assert_eq!(inside, "  'emit U+005B ([)', stay]");
    assert_eq!(key_end("  - U+003A (:): x"), Some(14));
    assert_eq!(key_end("  - stay # or: go"), None);
}
