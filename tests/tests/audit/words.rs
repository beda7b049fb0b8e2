//! How a text names a character.

use speclex_audit::testing::named_character;

#[test]
fn characters_are_named_in_several_ways() {
    for (text, character, len) in [
        ("U+003C LESS-THAN SIGN (<) character", '<', 25),
        ("U+003B SEMICOLON character (;), then", ';', 30),
        ("U+0041 LATIN CAPITAL LETTER A through to", 'A', 29),
        ("U+0000 NULL", '\0', 11),
        ("\"-\" (U+002D) character", '-', 12),
        ("APOSTROPHE (').", '\'', 14),
        ("U+005D RIGHT SQUARE BRACKET U+005D", ']', 27),
    ] {
        assert_eq!(
            named_character(text),
            Some((character, len, None)),
            "{text}"
        );
    }
}

#[test]
fn a_slip_is_seen() {
    for text in [
        "U+0022 QUOTATION MARK (')",
        "U+0078 LATIN CAPITAL LETTER X",
        "U+0065 LATIN SMALL LETTER E (E)",
        "U+0022 APOSTROPHE (')",
    ] {
        assert!(
            named_character(text).is_some_and(|(.., slip)| slip.is_some()),
            "{text}"
        );
    }
}
